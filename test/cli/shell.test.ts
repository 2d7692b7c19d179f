import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type DomainProcess, mainPath, removeDataDir, startDomain } from '../../scripts/domain-process.ts'

interface Ended {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'chaja-shell-'))
  writeFileSync(join(folder, 'movie.json'), '{}')
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Runs the built command line without anything of this process' environment that it would read. */
function chaja(args: readonly string[], env: Readonly<Record<string, string>> = {}, stdin = ''): Promise<Ended> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [mainPath, ...args], {
      cwd: folder,
      env: { PATH: process.env['PATH'], HOME: folder, ...env },
    })
    let out = ''
    let err = ''
    child.stdout.on('data', (chunk: Buffer) => {
      out += chunk
    })
    child.stderr.on('data', (chunk: Buffer) => {
      err += chunk
    })
    child.on('close', (code) => resolve({ code, out, err }))
    child.stdin.end(stdin)
  })
}

/** Flags of a command that is to fail before it asks anybody. */
const NOWHERE = ['--unsigned', '--host', 'http://127.0.0.1:1']

const built = existsSync(mainPath)
if (!built) console.log('skipped: the command line is not built (npm run build)')

describe.skipIf(!built)('the shell', () => {
  it('says what there is, and exits 0', async () => {
    const help = await chaja(['--help'])
    expect(help.code).toBe(0)
    for (const command of ['serve', 'env', 'policy', 'search', 'transfer'])
      expect(help.out).toContain(`\n  ${command} `)
    expect(help.out).toContain('Exit codes: 0 done')
    expect((await chaja(['--version'])).out).toMatch(/^\d+\.\d+\.\d+\n$/)
    expect((await chaja(['policy', '--help'])).code).toBe(0)
    expect((await chaja([])).code).toBe(2)
  })

  it.each([
    [['transfer', '-', 'x.ndjson'], 'reads twice: name a file'],
    [['serv'], 'Did you mean serve?'],
    [['--host', 'x', 'health'], '(options of a command stand behind it: chaja health --host)'],
    [['polcy', 'lint'], 'Did you mean policy?'],
    [['policy', 'chek', 'x'], 'Did you mean check?'],
    [['help', 'serv'], 'Did you mean serve?'],
    [['serv', '--help'], 'Did you mean serve?'],
    [['policy', 'help', 'chek'], 'Did you mean check?'],
    [['policy', 'new', 'ip-based', '--source-ip', '1.2.3.4/40'], '[1.2.3.4/40] is no address or range'],
    [['policy', 'lint', 'x', '--domain', 'movies'], 'expected arn:aws:es:<region>:<account>:domain/<name>'],
    [['dictionary', 'build', '--from', '.'], 'there is no such file or folder'],
    [['serve', '--prot', '1'], 'Did you mean --port?'],
    [['user', 'add'], '(chaja user add --help says more)'],
    [['serve', '--health', 'maybe'], '--health must be true or false'],
    [['serve', '--trusted-proxies', '10.0.0.0/33'], '[10.0.0.0/33] is no address or range'],
    [['serve', '--policy', '.'], 'cannot read . (--policy): it is a folder'],
    [['serve', '--cluster-ca', 'nope.pem'], 'cannot read nope.pem (--cluster-ca): there is no such file or folder'],
    [
      ['serve', '--cluster', 'https://[::1]:1', '--cluster-ca', '/dev/null'],
      '/dev/null (--cluster-ca) holds no certificate',
    ],
    [
      ['serve', '--data', 'unready', '--tls-cert', '/dev/null', '--tls-key', '/dev/null'],
      'are no PEM certificate and its key',
    ],
    [['serve', '--path-repo', '/,/dev/null'], '--path-repo: /dev/null is no folder'],
    [['serve', '--path-repo', '/dev/null', '--path-repo', '/'], '--path-repo: /dev/null is no folder'],
    [['serve', '--config', ''], '--config has no value'],
    [['user', 'list', '--data', ''], '--data has no value'],
    [['get', 'movies', 'movie', '1', '--host', ''], '--host has no value'],
    [['key', 'add', 'reader', '--save'], '--save keeps the administrator'],
    [['role', 'assume', 'r', '--session', 'a b'], '[a b] cannot name a session'],
    [['put', 'movies', 'movie', '1', 'movie.json', ...NOWHERE], '; for what the file holds say @movie.json'],
    [['put', 'movies', 'movie', '1', 'no.json', ...NOWHERE], '; for what the file holds say @no.json'],
    [['put', 'movies', 'movie', '1', '[{}]', ...NOWHERE], 'a document is a JSON object'],
    [['get', 'movies', 'movie', '1', '--profile', 'x', '--unsigned'], "'--unsigned' cannot be used with option"],
    [['search', 'movies', ...NOWHERE], '; to search an index, say --index movies'],
    [['serve', '--endpoints', 'https://search.example/'], 'leave out scheme, port and path'],
    [['serve', '--engine-version', 'Elasticsearch_9'], 'Elasticsearch_6.8'],
  ])('%j is a mistake of usage, exits 2 and says the way', async (args, said) => {
    const { code, out, err } = await chaja(args)
    expect(err + out).toContain(said)
    expect(code).toBe(2)
  })

  it('shows examples with every command, and with those below it', async () => {
    const below = async (...path: string[]): Promise<string[]> => {
      const { out } = await chaja([...path, '--help'])
      const names = [...(out.split('Commands:')[1] ?? '').matchAll(/^ {2}([a-z-]+) /gm)].map((m) => m[1] as string)
      const lists = names.filter((n) => n !== 'help').map((name) => below(...path, name))
      const without = /^ {2}\$ .*chaja /m.test(out) || path.length === 0 ? [] : [path.join(' ')]
      return [...without, ...(await Promise.all(lists)).flat()]
    }
    for (const group of ['policy', 'user', 'role', 'key', 'pool', 'dictionary']) expect(await below(group)).toEqual([])
  })

  it('takes no configuration with an unknown key', async () => {
    writeFileSync(join(folder, 'domain.json'), '{"prot": 1}')
    const { code, err } = await chaja(['serve', '--config', 'domain.json'])
    expect(code).toBe(2)
    expect(err).toContain('prot')
  })

  it('starts with no policy that is not valid, and says where the mistake is', async () => {
    const statement = { Effect: 'Alow', Principal: '*', Action: 'es:*', Resource: '*' }
    writeFileSync(join(folder, 'typo.json'), JSON.stringify({ Version: '2012-10-17', Statement: [statement] }))
    const { code, err } = await chaja(['serve', '--http', '--port', '0', '--data', 'unused', '--policy', 'typo.json'])
    expect(code).toBe(2)
    expect(err).toContain('typo.json: Statement[0].Effect: must be "Allow" or "Deny"')
  })

  it('takes an empty variable for none', async () => {
    const keys = { AWS_ACCESS_KEY: 'a', AWS_SECRET_KEY: 'b', AWS_REGION: 'us-east-1' }
    const { code, err } = await chaja(['health'], { ...keys, AWS_ES_HOST: '', AWS_ENDPOINT_URL: 'http://127.0.0.1:1' })
    expect(err).toContain('cannot reach 127.0.0.1:1')
    expect(code).toBe(1)
  })

  it('exits 1 where there is no domain', async () => {
    const { code, err } = await chaja(['env', '--data', join(folder, 'nowhere')])
    expect(code).toBe(1)
    expect(err).toContain('start it once')
  })
})

describe.skipIf(!built)('policies on the shell', () => {
  const user = 'arn:aws:iam::111122223333:user/admin'
  const role = 'arn:aws:iam::111122223333:role/people'
  const session = 'arn:aws:sts::111122223333:assumed-role/people/mina'
  const domain = ['--domain', 'arn:aws:es:us-east-1:111122223333:domain/books']
  const OPEN = {
    Version: '2012-10-17',
    Statement: [{ Effect: 'Allow', Principal: '*', Action: 'es:*', Resource: '*' }],
  }

  it.each([
    ['full-access', ['--role', role], [0, 0, 0]],
    ['read-only', ['--role', role], [0, 0, 5]],
    ['ip-based', ['--source-ip', '203.0.113.0/24'], [5, 5, 5]],
  ] as const)('%s is written, is valid, and decides as its name says', async (name, flags, codes) => {
    const made = await chaja(['policy', 'new', name, '--user', user, ...flags, ...domain])
    // The cloud's read-only role may POST, and so write: whoever makes the policy is told.
    expect(made.err).toMatch(name === 'read-only' ? /^note: .*es:ESHttpPost writes/ : /^$/)
    expect(made.code).toBe(0)
    const file = `${name}.json`
    writeFileSync(join(folder, file), made.out)
    expect((await chaja(['policy', 'check', file])).code).toBe(0)
    const methods = ['GET', 'POST', 'DELETE']
    for (const [i, method] of methods.entries()) {
      const asked = await chaja([
        'policy',
        'check',
        file,
        '--caller',
        session,
        '--method',
        method,
        '--path',
        '/books/_doc/1',
        ...domain,
      ])
      expect(asked.code, `${method}: ${asked.out}${asked.err}`).toBe(codes[i])
      expect(asked.out).toMatch(asked.code === 0 ? /^allowed: / : /^denied: /)
    }
    const admin = await chaja([
      'policy',
      'check',
      file,
      '--caller',
      user,
      '--method',
      'DELETE',
      '--path',
      '/books',
      ...domain,
    ])
    expect(admin.code).toBe(0)
  })

  it('takes the password of a person from a pipe, however late it comes, and from a file with a mark first', async () => {
    const data = join(folder, 'people')
    const domain = await startDomain({ dataDir: data })
    await domain.stop()
    const late = spawn(process.execPath, [mainPath, 'pool', 'add', 'anna', '--data', data])
    setTimeout(() => late.stdin.end('correct horse\n'), 1_000)
    expect(await new Promise((resolve) => late.once('close', resolve))).toBe(0)
    const marked = await chaja(['pool', 'add', 'bora', '--data', data], {}, '\ufeffcorrect horse\r\n')
    expect(marked).toMatchObject({ code: 0, err: '' })
    const none = await chaja(['pool', 'password', 'anna', '--data', data])
    expect(none).toMatchObject({ code: 1, err: 'chaja: Password must be 8 to 256 characters long\n' })
    for (const name of ['a b', 'a']) expect((await chaja(['pool', 'add', name, '--data', data])).code).toBe(2)
    const again = await chaja(['pool', 'add', 'anna', '--data', data])
    expect(again).toMatchObject({ code: 1, err: 'chaja: [anna] is in the pool already\n' })
    expect((await chaja(['pool', 'list', '--data', data])).out.match(/"name":"\w+"/g)).toEqual([
      '"name":"anna"',
      '"name":"bora"',
    ])
  })

  it.runIf(process.platform === 'linux')('says that no folder can be made there', async () => {
    for (const data of ['/proc/chaja', '/proc/self/chaja/data'])
      expect(await chaja(['serve', '--data', data])).toMatchObject({
        code: 1,
        err: expect.stringMatching(/^chaja serve: cannot use \/proc\/.*: there is no such file or folder\n$/) as string,
      })
  })

  it('reads policies and configurations with the mark that some editors put first', async () => {
    const policy = join(folder, 'marked.json')
    const statement = '{"Effect":"Deny","Principal":"*","Action":"es:*","Resource":"*"}'
    writeFileSync(policy, `\ufeff{"Version":"2012-10-17","Statement":[${statement}]}`)
    expect((await chaja(['policy', 'check', policy])).out).toBe('valid, 1 statement\n')
    writeFileSync(join(folder, 'marked-config.json'), '\ufeff{"prot": 1}')
    expect((await chaja(['serve', '--config', 'marked-config.json'])).err).toContain('prot')
  })

  it('sends no document that is not UTF-8: other characters would be stored in its place', async () => {
    writeFileSync(join(folder, 'latin1.json'), Buffer.from('{"title":"caf\xe9"}', 'latin1'))
    const put = await chaja(['put', 'movies', 'movie', '1', '@latin1.json', ...NOWHERE])
    expect(put).toMatchObject({ code: 2, err: 'chaja: latin1.json is not UTF-8\n' })
    const bulk = await chaja(['bulk', 'latin1.json', '--index', 'movies', ...NOWHERE])
    expect(bulk).toMatchObject({ code: 2, err: 'chaja: line 1 of latin1.json is not UTF-8\n' })
  })

  it('says that a file is compressed which is not called so', async () => {
    writeFileSync(join(folder, 'zipped.ndjson'), gzipSync('{"a":1}\n'))
    const { code, err } = await chaja(['bulk', 'zipped.ndjson', '--index', 'movies', ...NOWHERE])
    expect(err).toBe('chaja: line 1 of zipped.ndjson is not UTF-8: it is compressed by gzip (call it .gz)\n')
    expect(code).toBe(2)
  })

  it('takes a policy from stdin, however late it comes', async () => {
    // A socket, which a read at once finds empty.
    const server = createServer({ pauseOnConnect: true }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const writer = connect((server.address() as AddressInfo).port, '127.0.0.1')
    const [stdin] = (await once(server, 'connection')) as [Socket]
    const late = spawn(process.execPath, [mainPath, 'policy', 'check', '-'], { stdio: [stdin, 'ignore', 'ignore'] })
    setTimeout(() => writer.end(JSON.stringify(OPEN)), 1_000)
    expect(await new Promise((resolve) => late.once('close', resolve))).toBe(0)
    stdin.destroy()
    server.close()
  })

  it('takes a policy from stdin whole', async () => {
    const started = await startDomain()
    const data = ['--data', started.dataDir]
    try {
      const made = await chaja(['policy', 'new', 'full-access', '--role', role, ...data])
      expect(await chaja(['policy', 'set', '-', ...data], {}, made.out)).toEqual({ code: 0, out: '', err: '' })
      expect((await chaja(['policy', 'show', ...data])).out).toBe(made.out)
    } finally {
      await started.stop()
      removeDataDir(started.dataDir)
    }
  })

  it('writes a policy for a domain that is named, whatever is in the data directory', async () => {
    mkdirSync(join(folder, 'empty', 'access'), { recursive: true })
    writeFileSync(join(folder, 'empty', 'access', 'identities.mdb'), 'none')
    const made = await chaja([
      'policy',
      'new',
      'full-access',
      '--role',
      role,
      '--user',
      user,
      ...domain,
      '--data',
      'empty',
    ])
    expect(made).toMatchObject({ code: 0, err: '' })
  })

  it.each([
    [
      ['policy', 'new', 'full-access', '--role', '*', '--user', user, ...domain],
      'is the ARN of no user, role or session',
    ],
    [['policy', 'new', 'ip-based', '--role', role, '--source-ip', '::1'], 'ip-based takes no --role'],
    [['policy', 'check', '-', '--method', 'PUT'], 'say --caller'],
    [['policy', 'check', '-', '--source-ip', '::1'], 'say --caller'],
    [['policy', 'check', '-', '--caller', user, '--path', 'books'], 'it begins with /'],
    [['policy', 'check', '-', '--caller', user, '--path', '/%zz'], 'invalid escape sequence'],
    [['policy', 'check', '-', '--caller', user, ...domain, '--source-ip', 'home'], '[home] is no address'],
    [['policy', 'check', '-', '--caller', user, ...domain, '--compat', 'asw'], 'Allowed choices are chaja, aws'],
    [['role', 'assume', 'r', '--seconds', '0'], 'from 1 to 43200'],
  ])('%j is a mistake of usage', async (args, said) => {
    const { code, out, err } = await chaja(args, {}, JSON.stringify(OPEN))
    expect(err).toContain(said)
    expect({ code, out }).toEqual({ code: 2, out: '' })
  })

  it('says why, and the smallest change that would allow it', async () => {
    const file = 'star.json'
    const policy = {
      Version: '2012-10-17',
      Statement: [{ Effect: 'Allow', Principal: { AWS: user }, Action: 'es:*', Resource: domain[1] }],
    }
    writeFileSync(join(folder, file), JSON.stringify(policy))
    const { code, out } = await chaja([
      'policy',
      'check',
      file,
      '--caller',
      user,
      '--path',
      '/books/_search',
      ...domain,
    ])
    expect(code).toBe(5)
    expect(out).toContain('Statement[0]')
    expect(out).toContain('Resource')
    expect(out).toContain('to allow it: ')
    const lint = await chaja(['policy', 'lint', file, ...domain])
    expect(lint.code).toBe(3)
    expect(lint.out).toContain('missing-star')
  })

  it('finds nothing in a clean policy, and names the place of a mistake', async () => {
    const statement = { Effect: 'Allow', Principal: { AWS: user }, Action: 'es:*', Resource: `${domain[1]}/*` }
    writeFileSync(join(folder, 'clean.json'), JSON.stringify({ Version: '2012-10-17', Statement: [statement] }))
    expect(await chaja(['policy', 'lint', 'clean.json', ...domain])).toMatchObject({ code: 0, out: '' })
    writeFileSync(
      join(folder, 'bad.json'),
      JSON.stringify({ Version: '2012-10-17', Statement: [{ ...statement, Efect: 1 }] }),
    )
    const bad = await chaja(['policy', 'lint', 'bad.json', ...domain])
    expect(bad.code).toBe(2)
    expect(bad.err).toContain('Statement[0].Efect')
  })
})

it.skipIf(!built)('the access log tells of a request soon, however few there are', async () => {
  const domain = await startDomain({ args: ['--access-log'] })
  let log = ''
  domain.child.stderr?.on('data', (chunk: Buffer) => {
    log += chunk
  })
  await fetch(`${domain.url}/_cat/health`)
  await expect.poll(() => log).toContain('"path":"/_cat/health"')
  await domain.stop()
  removeDataDir(domain.dataDir)
})

describe.skipIf(!built)('a domain and its commands, over TLS', () => {
  let domain: DomainProcess
  let data: string[]
  beforeAll(async () => {
    domain = await startDomain({ secure: true, dataDir: join(folder, 'data') })
    data = ['--data', domain.dataDir]
  })
  afterAll(async () => {
    if (domain !== undefined) expect(await domain.stop()).toBe(0)
  })

  /** What `eval "$(chaja env)"` would set. */
  async function adminEnvironment(): Promise<Record<string, string>> {
    const { out } = await chaja(['env', ...data])
    const environment: Record<string, string> = {}
    for (const [, name, value] of out.matchAll(/^export (\w+)='?([^'\n]*)'?$/gm))
      environment[name as string] = value as string
    return environment
  }

  it('are met by whoever loads what chaja env prints', async () => {
    const env = await adminEnvironment()
    expect(Object.keys(env)).toEqual(
      expect.arrayContaining(['AWS_ACCESS_KEY', 'AWS_SECRET_KEY', 'AWS_ES_HOST', 'NODE_EXTRA_CA_CERTS']),
    )
    expect((await chaja(['ca', ...data])).out.trim()).toBe(env['NODE_EXTRA_CA_CERTS'])
    const put = await chaja(['put', 'books', 'book', '1', '{"title":"너의 이름은"}'], env)
    expect(put.code, put.err).toBe(0)
    const get = await chaja(['get', 'books', 'book', '1'], env)
    expect(get.code, get.err).toBe(0)
    expect(get.out).toContain('너의 이름은')
  })

  it('fail with the certificate error of the client where it does not trust the authority', async () => {
    const { NODE_EXTRA_CA_CERTS: _, AWS_CA_BUNDLE: __, ...env } = await adminEnvironment()
    const { code, err } = await chaja(['get', 'books', 'book', '1'], env)
    expect(code).toBe(1)
    expect(err).toMatch(/certificate/i)
  })

  it('exit 5 where the caller may not, and stop working when a key is rotated', async () => {
    const env = await adminEnvironment()
    expect((await chaja(['user', 'add', 'a b', ...data])).code).toBe(2)
    expect((await chaja(['user', 'add', 'alice', ...data])).out).toContain('user/alice')
    const key = await chaja(['key', 'add', 'alice', '--json', ...data])
    expect(await chaja(['key', 'list', 'alise', ...data])).toMatchObject({ code: 1, err: 'chaja: no user [alise]\n' })
    const [id, secret] = keyIn(key.out)
    const alice = {
      ...env,
      AWS_ACCESS_KEY: id,
      AWS_SECRET_KEY: secret,
      AWS_ACCESS_KEY_ID: id,
      AWS_SECRET_ACCESS_KEY: secret,
    }
    const gets = () => chaja(['get', 'books', 'book', '1'], alice)
    // A running domain notices within a moment what a command changed.
    const noticed = { timeout: 20_000, interval: 250 }
    await expect.poll(gets, noticed).toMatchObject({ code: 5, err: expect.stringContaining('not authorized') })
    writeFileSync(
      join(folder, 'reader.json'),
      '{"Version":"2012-10-17","Statement":{"Effect":"Allow","Action":"es:ESHttpGet","Resource":"*"}}',
    )
    expect((await chaja(['user', 'attach', 'alice', 'reader', 'reader.json', ...data])).code).toBe(0)
    await expect.poll(gets, noticed).toMatchObject({ code: 0 })
    expect((await chaja(['put', 'books', 'book', '2', '{}'], alice)).code).toBe(5)
    const listed = await chaja(['key', 'list', 'alice', ...data])
    expect(listed.out).toContain(id)
    expect(listed.out).not.toContain(secret)
    expect((await chaja(['key', 'rotate', id, '--json', ...data])).code).toBe(0)
    await expect.poll(gets, noticed).toMatchObject({ code: 5 })
  })

  it('give the administrator a new key when the old one is lost', async () => {
    const file = join(domain.dataDir, 'access', 'admin.json')
    const before = readFileSync(file, 'utf8')
    rmSync(file)
    const lost = await chaja(['env', ...data])
    expect(lost.code).toBe(1)
    expect(lost.err).toContain('chaja key add')
    expect((await chaja(['key', 'add', '--save', ...data])).code).toBe(0)
    expect(readFileSync(file, 'utf8')).not.toBe(before)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    const gets = async () => (await chaja(['get', 'books', 'book', '1'], await adminEnvironment())).code
    await expect.poll(gets, { timeout: 20_000, interval: 250 }).toBe(0)
    const { AWS_ACCESS_KEY: id = '' } = await adminEnvironment()
    const rotated = keyIn((await chaja(['key', 'rotate', id, ...data])).out)
    expect(await adminEnvironment()).toMatchObject({ AWS_ACCESS_KEY: rotated[0], AWS_SECRET_KEY: rotated[1] })
  })

  it('says how to have an administrator again', async () => {
    expect((await chaja(['user', 'remove', 'admin', ...data])).code).toBe(0)
    const gone = await chaja(['env', ...data])
    expect(gone.err).toContain(`chaja user add admin --data ${domain.dataDir}, then chaja key add admin --save`)
    expect((await chaja(['user', 'add', 'admin', ...data])).code).toBe(0)
    expect((await chaja(['env', ...data])).err).toContain('was removed: chaja key add admin --save')
    expect((await chaja(['key', 'add', '--save', ...data])).code).toBe(0)
    expect((await chaja(['env', ...data])).code).toBe(0)
  })
})

function keyIn(text: string): [string, string] {
  const { accessKeyId, secretAccessKey } = JSON.parse(text) as { accessKeyId: string; secretAccessKey: string }
  return [accessKeyId, secretAccessKey]
}
