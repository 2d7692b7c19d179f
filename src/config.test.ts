import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { ConfigError, readConfig } from './config.ts'

const folder = mkdtempSync(join(tmpdir(), 'chaja-config-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('readConfig', () => {
  it('takes flags before the environment before the file before the defaults', () => {
    const config = join(folder, 'config.json')
    writeFileSync(config, '{"port": 1, "host": "::1", "region": "eu-west-1", "pathRepo": ["/a,b"]}')
    const env = { CHAJA_CONFIG: config, CHAJA_PORT: '2', CHAJA_HOST: 'localhost', CHAJA_REGION: '', CHAJA_HTTP: 'true' }
    expect(readConfig({ port: '3' }, env)).toMatchObject({
      port: 3,
      host: 'localhost',
      region: 'eu-west-1',
      http: true,
      pathRepo: ['/a,b'],
      maxInFlight: 201_326_592,
    })
    expect(readConfig({ cluster: 'http://a', searchThreads: 'auto' }, {}).cluster).toEqual(['http://a'])
    expect(readConfig({ endpoints: 'a, b' }, { CHAJA_CONFIG: '' })).toMatchObject({ endpoints: ['a', 'b'], port: 9443 })
  })

  it.each<[Record<string, string>, string]>([
    ...['', ' ', 'abc', '1.5', '-1', '65536', '0x10', '1e3'].map((port): [{ port: string }, string] => [
      { port },
      '--port must be a whole number from 0 to 65535',
    ]),
    [{ clusterTimeout: '0' }, '--cluster-timeout must be a whole number from 1 to 86400'],
    [{ maxContentLength: '5' }, '--max-content-length must be a whole number from 1024 to 1073741824'],
    [{ maxInFlight: 'x' }, '--max-in-flight must be a whole number from 1024 to 1099511627776'],
    [{ poolSession: '43201' }, '--pool-session must be a whole number from 1 to 43200'],
    [{ searchThreads: 'many' }, '--search-threads must be auto, or a whole number from 0 to 32'],
    [{ searchThreads: '33' }, '--search-threads must be auto, or a whole number from 0 to 32'],
    [{ poolRole: 'a/b' }, '--pool-role must be 1 to 64 letters, digits and + = , . @ _ -'],
    [{ region: 'EU' }, '--region must be of a-z, 0-9 and -'],
    [{ logLevel: 'loud' }, '--log-level must be debug, info, warn, error or silent'],
    [{ host: '' }, '--host has no value'],
    [{ pathRepo: 'a,,b' }, '--path-repo has no value'],
    [{ tlsKey: '/dev/null' }, '--tls-key goes with --tls-cert, which is missing'],
    [{ cluster: 'http://a', searchThreads: '2' }, '--search-threads is for the embedded engine, not for a cluster'],
    [{ clusterTimeout: '5' }, '--cluster-timeout is for a cluster, and --cluster names none'],
    [{ endpoints: 'a..b' }, '--endpoints: [a..b] is no host name: leave out scheme, port and path'],
  ])('says in one sentence what is wrong with %j', (flags, said) => {
    expect(() => readConfig(flags, {})).toThrow(new ConfigError(said))
  })

  it('takes the port of a service of Kubernetes for none', () => {
    expect(readConfig({}, { CHAJA_PORT: 'tcp://10.0.0.1:80' }).port).toBe(9443)
    expect(() => readConfig({}, { CHAJA_PORT: '10.0.0.1:80' })).toThrow('CHAJA_PORT must be a whole number')
  })

  it('says where it was given', () => {
    expect(() => readConfig({}, { CHAJA_POOL_SESSION: 'x' })).toThrow('CHAJA_POOL_SESSION must be a whole number')
    const config = join(folder, 'faults.json')
    writeFileSync(config, '{"port": 1.5, "host": null, "cluster": 5, "prot": 1}')
    expect(() => readConfig({ config }, {})).toThrow(
      [
        `host in ${config} must be text`,
        `port in ${config} must be a whole number from 0 to 65535`,
        `cluster in ${config} must be text, or a list of texts`,
        `unknown option prot in ${config}`,
      ].join('; '),
    )
  })

  it.each(['policy', 'tlsCert', 'tlsKey', 'clusterCa'])('takes no %s that cannot be read', (name) => {
    const others = {
      tlsCert: { tlsKey: '/dev/null' },
      tlsKey: { tlsCert: '/dev/null' },
      clusterCa: { cluster: 'http://a' },
    }
    const other = others[name as keyof typeof others]
    expect(() => readConfig({ ...other, [name]: folder }, {})).toThrow(/^cannot read .* \(--.*\): it is a folder$/)
    expect(() => readConfig({ ...other, [name]: join(folder, 'none') }, {})).toThrow('there is no such file or folder')
  })
})
