import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readClientEnvironment } from './client-environment.ts'
import { parseEndpoint, regionOfHost } from './endpoint.ts'

const NO_FILES = { HOME: '/nowhere' }
const KEYS = { AWS_ACCESS_KEY: 'k', AWS_SECRET_KEY: 's' }

describe('readClientEnvironment', () => {
  it('reads the names of the interface, then those of the AWS tools', async () => {
    const own = await readClientEnvironment(
      {},
      { ...NO_FILES, ...KEYS, AWS_ES_HOST: 'localhost:9443', AWS_REGION: 'r' },
    )
    expect(own).toMatchObject({ endpoint: { host: 'localhost:9443', secure: true }, region: 'r' })
    expect(await own.credentials?.()).toEqual({ accessKeyId: 'k', secretAccessKey: 's', sessionToken: undefined })
    const tools = await readClientEnvironment(
      {},
      {
        ...NO_FILES,
        AWS_ENDPOINT_URL_ES: 'https://es.example/base/',
        AWS_ACCESS_KEY_ID: 'K',
        AWS_SECRET_ACCESS_KEY: 'S',
        AWS_SESSION_TOKEN: 'T',
        AWS_DEFAULT_REGION: 'd',
      },
    )
    expect(tools).toMatchObject({ endpoint: { host: 'es.example', basePath: '/base' }, region: 'd' })
    expect(await tools.credentials?.()).toEqual({ accessKeyId: 'K', secretAccessKey: 'S', sessionToken: 'T' })
  })

  it("takes the region from an AWS host's name, unless one is asked for", async () => {
    const env = {
      ...NO_FILES,
      ...KEYS,
      AWS_ES_HOST: 'search-x-abc.eu-west-1.es.amazonaws.com',
      AWS_REGION: 'us-east-1',
    }
    expect((await readClientEnvironment({}, env)).region).toBe('eu-west-1')
    expect((await readClientEnvironment({ region: 'ap-northeast-2' }, env)).region).toBe('ap-northeast-2')
    expect(regionOfHost('vpc-x.cn-north-1.es.amazonaws.com.cn')).toBe('cn-north-1')
    expect(regionOfHost('es.amazonaws.com.evil.example')).toBeUndefined()
  })

  it('names everything that is missing in one error', async () => {
    await expect(readClientEnvironment({}, NO_FILES)).rejects.toThrow(
      'the environment lacks the host (AWS_ES_HOST), the access key (AWS_ACCESS_KEY), the secret key (AWS_SECRET_KEY), the region (AWS_REGION)',
    )
    await expect(readClientEnvironment({}, { ...NO_FILES, ...KEYS, AWS_ES_HOST: 'h' })).rejects.toThrow(
      /lacks the region \(AWS_REGION\)/,
    )
    // Empty ones say nothing, as for the AWS tools.
    const empty = { AWS_ES_HOST: '', AWS_ACCESS_KEY: '', AWS_SECRET_KEY: '', AWS_REGION: '', AWS_PROFILE: '' }
    await expect(readClientEnvironment({}, { ...NO_FILES, ...empty })).rejects.toThrow(
      'the environment lacks the host (AWS_ES_HOST), the access key (AWS_ACCESS_KEY), the secret key (AWS_SECRET_KEY), the region',
    )
    await expect(readClientEnvironment({ region: '' }, { ...NO_FILES, ...KEYS, AWS_ES_HOST: 'h' })).rejects.toThrow(
      'lacks the region',
    )
  })

  it('needs no files that it may not read where the environment has all', async () => {
    const env = { HOME: '/dev/null', AWS_CONFIG_FILE: tmpdir(), AWS_ES_HOST: 'h', AWS_REGION: 'r' }
    expect(await readClientEnvironment({}, { ...env, ...KEYS })).toMatchObject({ region: 'r' })
    await expect(readClientEnvironment({}, env)).rejects.toThrow(
      `lacks the access key (AWS_ACCESS_KEY), the secret key (AWS_SECRET_KEY); cannot read ${tmpdir()}: it is a folder`,
    )
  })

  it('needs no keys where the host carries a name and password', async () => {
    const found = await readClientEnvironment({}, { ...NO_FILES, AWS_ES_HOST: 'https://elastic:secret@h' })
    expect(found).toMatchObject({ endpoint: { host: 'h' }, credentials: undefined })
  })

  it('takes no half of one pair of keys with half of another', async () => {
    const env = { ...NO_FILES, AWS_ES_HOST: 'h', AWS_REGION: 'r', AWS_ACCESS_KEY: 'stale' }
    const pair = { AWS_ACCESS_KEY_ID: 'K', AWS_SECRET_ACCESS_KEY: 'S' }
    expect(await (await readClientEnvironment({}, { ...env, ...pair })).credentials?.()).toMatchObject({
      accessKeyId: 'K',
      secretAccessKey: 'S',
    })
  })

  it('names an authority file that holds none', async () => {
    const env = { ...NO_FILES, ...KEYS, AWS_ES_HOST: 'h', AWS_REGION: 'r' }
    for (const [file, message] of [
      ['/nowhere.pem', 'cannot read /nowhere.pem (AWS_CA_BUNDLE): there is no such file'],
      ['/etc/passwd', '/etc/passwd (AWS_CA_BUNDLE) holds no certificate'],
    ] as const)
      await expect(readClientEnvironment({}, { ...env, AWS_CA_BUNDLE: file })).rejects.toThrow(message)
  })

  it('reads keys anew that a tool has written into the files meanwhile', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'chaja-profile-'))
    const file = join(folder, 'credentials')
    const write = (name: string) =>
      writeFileSync(file, `[default]\naws_access_key_id=${name}\naws_secret_access_key=s\naws_session_token=${name}\n`)
    write('old')
    const env = { ...NO_FILES, AWS_SHARED_CREDENTIALS_FILE: file, AWS_ES_HOST: 'h', AWS_REGION: 'r' }
    const { credentials } = await readClientEnvironment({}, env)
    const old = await credentials?.()
    write('new')
    expect((await credentials?.())?.sessionToken).toBe('old')
    expect((await credentials?.(old))?.sessionToken).toBe('new')
    rmSync(folder, { recursive: true })
  })
})

describe('parseEndpoint', () => {
  it.each([
    ['search.example', 'search.example', 443, true],
    ['search.example:443', 'search.example', 443, true],
    ['https://search.example:9443/', 'search.example:9443', 9443, true],
    ['http://127.0.0.1:9200', '127.0.0.1:9200', 9200, false],
    ['http://search.example', 'search.example', 80, false],
    ['https://[::1]:9443', '[::1]:9443', 9443, true],
  ])('reads %s', (text, host, port, secure) => {
    expect(parseEndpoint(text)).toMatchObject({ host, port, secure })
  })

  it.each([
    ['search-x.ap-northeast-2.es.amazonaws.com', 'ap-northeast-2'],
    ['vpc-x.us-gov-west-1.es.amazonaws.com.', 'us-gov-west-1'],
    ['search-x.cn-north-1.es.amazonaws.com.cn', 'cn-north-1'],
    ['vpc-x.us-iso-east-1.es.c2s.ic.gov', 'us-iso-east-1'],
    ['vpc-x.us-isob-east-1.es.sc2s.sgov.gov', 'us-isob-east-1'],
    ['vpc-x.eusc-de-east-1.es.amazonaws.eu', 'eusc-de-east-1'],
    ['search-x.aos.eu-west-1.on.aws', 'eu-west-1'],
    ['https://SEARCH-X.EU-WEST-1.ES.AMAZONAWS.COM:443/', 'eu-west-1'],
    ['search.eu-west-1.es.amazonaws.com.evil.example', undefined],
    ['es.amazonaws.com', undefined],
  ])('reads the region of %s', (host, region) => {
    expect(parseEndpoint(host).region).toBe(region)
  })

  it('refuses what is no host', () => {
    for (const host of ['https://u:secret@h:x', 'u:s@secret@h/?q', 'ftp://u:secret@h'])
      expect(() => parseEndpoint(host)).toThrow(/^(?!.*secret)/)
    expect(() => parseEndpoint('ftp://search.example')).toThrow('must begin with https:// or http://')
    expect(() => parseEndpoint('not a host')).toThrow('is not a host')
    expect(() => parseEndpoint('https://search.example/?pretty')).toThrow('leave out ?pretty')
  })

  it('reads a name and a password', () => {
    expect(parseEndpoint('https://elastic:p%ss@search.example').basic).toBe(`Basic ${btoa('elastic:p%ss')}`)
    expect(parseEndpoint('https://elastic:p%40ss@search.example:9200')).toMatchObject({
      host: 'search.example:9200',
      basic: `Basic ${btoa('elastic:p@ss')}`,
    })
  })
})
