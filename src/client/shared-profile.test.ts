import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadSharedProfiles, parseIni, profileCredentials } from './shared-profile.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'profiles-'))
  writeFileSync(
    join(folder, 'config'),
    '[default]\nregion = eu-west-1\n# comment\n[profile other]\nregion=us-east-1\ncredential_process = echo \'{"Version":1,"AccessKeyId":"AKP","SecretAccessKey":"s","SessionToken":"t","Expiration":"2030-01-01T00:00:00Z"}\'\n[profile a]\nrole_arn = arn:aws:iam::1:role/r\nsource_profile = b\n[profile b]\nrole_arn = arn:aws:iam::1:role/r\nsource_profile = a\n[profile empty]\nregion = x\n[profile "two words"]\nregion = y\n',
  )
  writeFileSync(join(folder, 'credentials'), '[default]\naws_access_key_id = AKID\naws_secret_access_key = secret\n')
})
afterAll(() => rmSync(folder, { recursive: true }))

const load = () =>
  loadSharedProfiles({
    AWS_CONFIG_FILE: join(folder, 'config'),
    AWS_SHARED_CREDENTIALS_FILE: join(folder, 'credentials'),
  })

describe('profiles', () => {
  it('joins the config and the credentials file', async () => {
    const profiles = await load()
    expect(profiles.get('two words')).toEqual({ region: 'y' })
    expect(profiles.get('default')).toMatchObject({ region: 'eu-west-1', aws_access_key_id: 'AKID' })
    expect(await profileCredentials('default', profiles, undefined)()).toMatchObject({
      accessKeyId: 'AKID',
      secretAccessKey: 'secret',
    })
  })

  it('looks in the home folder where a variable is empty', async () => {
    mkdirSync(join(folder, '.aws'))
    writeFileSync(join(folder, '.aws', 'config'), '[default]\nregion = home\n')
    const profiles = await loadSharedProfiles({ HOME: folder, AWS_CONFIG_FILE: '', AWS_SHARED_CREDENTIALS_FILE: '' })
    expect(profiles.get('default')).toEqual({ region: 'home' })
  })

  it('takes indented settings for those of the profile, but for what is indented further', () => {
    const text =
      '[default]\r\n  aws_access_key_id = AKID\r\n  s3 =\r\n    max_queue_size = 7\r\n\r\n    region = of-s3\r\n  aws_secret_access_key=secret\r\n\t[next]\n\tregion=r\n'
    const sections = parseIni(text)
    expect(sections.get('default')).toEqual({ aws_access_key_id: 'AKID', s3: '', aws_secret_access_key: 'secret' })
    expect(sections.get('next')).toEqual({ region: 'r' })
  })

  it('takes files that cannot be read for empty, and says so where a profile is missed', async () => {
    const profiles = await loadSharedProfiles({ HOME: '/dev/null', AWS_CONFIG_FILE: folder })
    expect(profiles.names).toEqual([])
    await expect(profileCredentials('mine', profiles, undefined)()).rejects.toThrow(
      `cannot read ${folder}: it is a folder`,
    )
  })

  it('runs a credential_process', async () => {
    expect(await profileCredentials('other', await load(), undefined)()).toEqual({
      accessKeyId: 'AKP',
      secretAccessKey: 's',
      sessionToken: 't',
      expiration: new Date('2030-01-01T00:00:00Z'),
    })
  })

  it('says what a profile lacks', async () => {
    const profiles = await load()
    await expect(profileCredentials('nobody', profiles, undefined)()).rejects.toThrow(
      'there is no profile [nobody]; the files have: default, other',
    )
    await expect(profileCredentials('empty', profiles, undefined)()).rejects.toThrow('neither keys, nor role_arn')
    await expect(profileCredentials('a', profiles, undefined)()).rejects.toThrow('a → b → a name each other')
  })

  it('says where to get the keys of profiles that only the AWS command line can read', async () => {
    const sections: Record<string, Record<string, string>> = {
      sso: { sso_session: 'corp', sso_account_id: '1' },
      instance: { role_arn: 'r', credential_source: 'Ec2InstanceMetadata' },
      code: { role_arn: 'r', source_profile: 'keys', mfa_serial: 'm' },
      keys: { aws_access_key_id: 'k', aws_secret_access_key: 's' },
    }
    const profiles = { get: (name: string) => sections[name], names: Object.keys(sections) }
    for (const [name, why] of [
      ['sso', 'by sso_session'],
      ['instance', 'by credential_source'],
      ['code', 'asks for a code'],
    ] as const) {
      const refused = expect(profileCredentials(name, profiles, undefined)()).rejects
      await refused.toThrow(why)
      await refused.toThrow(`aws configure export-credentials --profile ${name}`)
    }
  })

  it('says what is wrong with a credential_process', async () => {
    const ask = (command: string) =>
      profileCredentials('p', { get: () => ({ credential_process: command }), names: ['p'] }, undefined)()
    await expect(ask('echo secret')).rejects.toThrow(/^the credential_process of profile \[p\] did not print JSON/)
    await expect(ask('echo null')).rejects.toThrow('printed no AccessKeyId')
    await expect(ask('exit 3')).rejects.toThrow('failed (3): run it by itself')
    for (const time of ['2020-01-01T00:00:00Z', 'soon'])
      await expect(ask(`echo '{"AccessKeyId":"a","SecretAccessKey":"s","Expiration":"${time}"}'`)).rejects.toThrow(
        `printed keys that have ended already (${time})`,
      )
  })

  it('reads INI as the AWS tools write it', () => {
    expect(parseIni('[ x ]\r\nA = b = c \n  nested = 1\n; no\n')).toEqual(new Map([['x', { a: 'b = c' }]]))
    expect(parseIni('\ufeff[x] # mine\nA = a#b # c\nb =# c\ncredential_process = get # it')).toEqual(
      new Map([['x', { a: 'a#b', b: '', credential_process: 'get # it' }]]),
    )
  })
})
