import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type SignedDomain, startSignedDomain } from './signed-domain.ts'

// Each command is a process of its own: seconds on a busy machine.
let domain: SignedDomain

beforeAll(async () => {
  domain = await startSignedDomain()
})

afterAll(() => domain.stop())

/** Forgets what `chaja env` said. */
const FORGET = 'unset AWS_ES_HOST AWS_ACCESS_KEY AWS_SECRET_KEY AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY AWS_REGION;'

const json = (text: string) => JSON.parse(text) as Record<string, never>
const lines = (text: string) =>
  text
    .trim()
    .split('\n')
    .map((line) => json(line))

describe('the commands, against a signed TLS domain', () => {
  it('create an index, store, read, search and delete a document', async () => {
    const created = await domain.sh(`chaja create-index movies '{"mappings":{"movie":{"date_detection":false}}}'`)
    expect(created).toMatchObject({ code: 0, stderr: '' })
    expect(json(created.stdout)).toEqual({ acknowledged: true, shards_acknowledged: true, index: 'movies' })

    const stored = await domain.sh(`chaja put movies movie 1 '{"title":"너의 이름은","year":2016}'`)
    expect(json(stored.stdout)).toMatchObject({ _id: '1', _type: 'movie', result: 'created' })

    const read = await domain.sh('chaja get movies movie 1')
    expect(json(read.stdout)).toMatchObject({ found: true, _source: { title: '너의 이름은', year: 2016 } })
    expect((await domain.sh('chaja get movies movie 1 --source')).stdout).toBe('{"title":"너의 이름은","year":2016}\n')

    await domain.sh('chaja request POST /movies/_refresh')
    const found = await domain.sh(`chaja search --index movies '{"query":{"match":{"title":"이름은"}}}'`)
    expect(json(found.stdout)).toMatchObject({ total: 1, hits: [{ _id: '1' }] })
    const raw = await domain.sh(`chaja search '{"query":{"wildcard":{"title":"*름*"}}}' --raw`)
    expect(json(raw.stdout)).toMatchObject({ timed_out: false, hits: { total: 1 } })

    const gone = await domain.sh('chaja delete movies movie 1')
    expect(json(gone.stdout)).toMatchObject({ result: 'deleted' })
    const again = await domain.sh('chaja delete movies movie 1')
    expect(again.code).toBe(1)
    expect(json(again.stdout)).toMatchObject({ result: 'not_found' })
  })

  it('takes a body from stdin and from a file, character for character', async () => {
    const document = '{"n":9007199254740993,"f":1.0,"한글":"값"}'
    expect(await domain.sh('chaja put movies movie big -', { stdin: document })).toMatchObject({ code: 0 })
    writeFileSync(join(domain.folder, 'movie.json'), document)
    expect(await domain.sh('chaja put movies movie file @movie.json')).toMatchObject({ code: 0 })
    for (const id of ['big', 'file']) {
      expect((await domain.sh(`chaja request GET /movies/movie/${id}/_source`)).stdout).toBe(`${document}\n`)
      expect((await domain.sh(`chaja get movies movie ${id} --source`)).stdout).toBe(`${document}\n`)
    }
  })

  it('stores many documents from a file, compressed or not, and from stdin', async () => {
    const items = Array.from({ length: 250 }, (_, i) => ({
      _index: 'reviews',
      _type: 'review',
      _id: `r${i}`,
      _source: { text: `좋아요 ${i}` },
    }))
    const ndjson = `${items.map((item) => JSON.stringify(item)).join('\n')}\n`
    writeFileSync(join(domain.folder, 'reviews.ndjson.gz'), gzipSync(ndjson))
    const loaded = await domain.sh('chaja bulk reviews.ndjson.gz --refresh')
    expect(loaded).toMatchObject({ code: 0, stderr: '' })
    expect(json(loaded.stdout)).toEqual({ total: 250, succeeded: 250, failed: 0, retries: 0 })

    const piped = await domain.sh('chaja bulk - --index reviews --type review --refresh', {
      stdin: '{"text":"one"}\n{"text":"two"}\n',
    })
    expect(json(piped.stdout)).toMatchObject({ succeeded: 2 })
    const counted = await domain.sh('chaja request GET /reviews/_count')
    expect(json(counted.stdout)).toMatchObject({ count: 252 })
  })

  it('names the documents that the domain refuses and exits 3', async () => {
    await domain.sh(`chaja create-index strict '{"mappings":{"t":{"properties":{"n":{"type":"integer"}}}}}'`)
    const ended = await domain.sh('chaja bulk - --index strict --type t', { stdin: '{"n":1}\n{"n":"one"}\n' })
    expect(ended.code).toBe(3)
    expect(ended.stderr).toMatch(/^line 2: 400 mapper_parsing_exception: failed to parse field \[n\]/)
    expect(json(ended.stdout)).toMatchObject({ succeeded: 1, failed: 1 })
  })

  it('shows tokens and health', async () => {
    const analyzed = await domain.sh(`chaja analyze 'Quick foxes' --analyzer standard`)
    expect(lines(analyzed.stdout).map((t) => t['token'])).toEqual(['quick', 'foxes'])
    const health = await domain.sh('chaja health')
    expect(health.code).toBe(0)
    expect(json(health.stdout)).toMatchObject({ timed_out: false, number_of_nodes: 1 })
  })

  it('says what a search has beside its hits, and that they are not all', async () => {
    await domain.sh(`chaja create-index words '{"mappings":{"t":{"properties":{"k":{"type":"keyword"}}}}}'`)
    await domain.sh(`chaja create-index texts '{"mappings":{"t":{"properties":{"k":{"type":"text"}}}}}'`)
    for (const index of ['words', 'texts']) await domain.sh(`chaja put ${index} t 1 '{"k":"a"}' --refresh`)
    const sum = '{"size":0,"aggs":{"k":{"terms":{"field":"k"}}}}'
    const counted = await domain.sh(`chaja search --index words '${sum}'`)
    expect(counted).toMatchObject({
      code: 0,
      stderr: 'these are the hits alone: --raw shows aggregations, too\n',
    })
    expect((await domain.sh(`chaja search --index words '${sum}' --quiet`)).stderr).toBe('')
    const partly = await domain.sh(`chaja search --index words,texts '{"sort":"k"}'`)
    expect(json(partly.stdout)).toMatchObject({ hits: [{ _index: 'words' }] })
    expect(partly.code).toBe(1)
    expect(partly.stderr).toMatch(/^not everything was searched: 5 of 10 shards failed: Fielddata is disabled/)
  })

  it('sends any method to any path', async () => {
    const counted = await domain.sh('chaja request GET "/_cat/indices?h=index&format=json"')
    expect(counted.code).toBe(0)
    expect(counted.stdout).toContain('"movies"')
    const bulk = await domain.sh('chaja request POST /_bulk - --content-type application/x-ndjson', {
      stdin: '{"index":{"_index":"movies","_type":"movie","_id":"b"}}\n{"a":1}\n',
    })
    expect(json(bulk.stdout)).toMatchObject({ errors: false })
    expect(await domain.sh('chaja request HEAD /movies')).toMatchObject({ code: 0, stdout: '', stderr: '200\n' })
    expect(await domain.sh('chaja request HEAD /movies --quiet')).toMatchObject({ code: 0, stdout: '', stderr: '' })
  })
})

describe('how commands end', () => {
  it('1: the domain refused, in its own words', async () => {
    const ended = await domain.sh('chaja get nowhere t 1')
    expect(ended).toMatchObject({ code: 1, stdout: '' })
    expect(ended.stderr).toMatch(/^chaja: 404 index_not_found_exception: no such index/)
  })

  it('1: the result cannot be written; 0: whoever read it has seen enough', async () => {
    const full = await domain.sh('chaja health > /dev/full')
    expect(full).toMatchObject({ code: 1, stderr: 'chaja: cannot write the result: the disk is full\n' })
    const many = Array.from({ length: 2_000 }, (_, n) => JSON.stringify({ n, text: 'x'.repeat(500) })).join('\n')
    await domain.sh('chaja bulk - --index long --type t --refresh', { stdin: many })
    const head = await domain.sh(`chaja search --index long '{"size":2000}' | head -c 5; echo " \${PIPESTATUS[0]}"`)
    expect(head).toMatchObject({ stdout: '{"tot 0\n', stderr: '' })
  })

  it('1: nothing listens there', async () => {
    const ended = await domain.sh('chaja health --host 127.0.0.1:1')
    expect(ended.code).toBe(1)
    expect(ended.stderr).toMatch(/ECONNREFUSED: cannot reach 127\.0\.0\.1:1/)
  })

  it('1: the certificate is not one to trust', async () => {
    const ended = await domain.sh('chaja health', { env: { NODE_EXTRA_CA_CERTS: '', AWS_CA_BUNDLE: '' } })
    expect(ended.code).toBe(1)
    expect(ended.stderr).toMatch(/certificate/)
  })

  it('2: a wrong command line, body or environment, naming everything that is missing', async () => {
    const typo = await domain.sh('chaja serch')
    expect(typo.code).toBe(2)
    expect(typo.stderr).toContain('(Did you mean search?)')
    expect(await domain.sh('chaja get movies')).toMatchObject({ code: 2, stdout: '' })
    expect(await domain.sh('chaja get movies movie 1 --colour')).toMatchObject({ code: 2 })
    const body = await domain.sh(`chaja put movies movie 1 '{title}'`)
    expect(body.code).toBe(2)
    expect(body.stderr).toContain('the body is not JSON')
    const environment = await domain.sh(`${FORGET} chaja health`)
    expect(environment.code).toBe(2)
    expect(environment.stderr).toBe(
      'chaja: the environment lacks the host (AWS_ES_HOST), the access key (AWS_ACCESS_KEY), the secret key (AWS_SECRET_KEY), the region (AWS_REGION), which only an AWS host name tells by itself\n(for a domain of your own, eval "$(chaja env)" sets them; --help tells of profiles and of requests without a signature)\n',
    )
  })

  it('2: files and settings that cannot be used, saying why', async () => {
    for (const [line, why] of [
      ['chaja put movies movie 1 @nope.json', 'cannot read nope.json: there is no such file'],
      ['chaja put movies movie 1 @.', 'cannot read .: it is a folder'],
      ['chaja put movies movie 1 -', 'the body on stdin is not JSON: it is empty'],
      ['chaja bulk nope.ndjson', 'cannot read nope.ndjson: there is no such file'],
      ['chaja health --ca nope.pem', 'cannot read nope.pem (--ca): there is no such file'],
      ['chaja health --ca /etc/passwd', '/etc/passwd (--ca) holds no certificate'],
      ['chaja policy check nope.json', 'cannot read nope.json'],
      [`chaja create-index m2 '{"mapings":{}}'`, 'settings, mappings, aliases, not from [mapings]'],
      ['chaja request GET movies', 'must begin with /'],
      ['chaja get movies movie ""', 'must not be empty'],
      ['chaja transfer a.ndjson b.ndjson --documents-only --mappings-only', 'cannot be used with option'],
      ['chaja serve --port none', '--port must be a whole number from 0 to 65535'],
    ] as const) {
      const ended = await domain.sh(line)
      expect(ended, line).toMatchObject({ code: 2, stdout: '' })
      expect(ended.stderr).toContain(why)
    }
  })

  it('1: a domain that cannot start says why and what to do, in one line', async () => {
    const { port } = new URL(domain.url)
    for (const [line, why] of [
      [`chaja serve --data other --port ${port}`, `port ${port} of 127.0.0.1 is taken`],
      ['chaja serve --data other --port 0 --host 192.0.2.1', '192.0.2.1 is no address of this machine'],
      ['touch occupied; chaja serve --data occupied --port 0', 'cannot use occupied: a file is there already'],
    ] as const) {
      const ended = await domain.sh(line)
      expect(ended.code, ended.stderr).toBe(1)
      const lines = ended.stderr
        .trim()
        .split('\n')
        .filter((l) => !l.includes('"level":30'))
      expect(lines).toEqual([expect.stringContaining(why)])
    }
  })

  it('5: the keys are not known, or may not do this', async () => {
    const wrong = await domain.sh('chaja health', { env: { AWS_SECRET_KEY: 'wrong' } })
    expect(wrong.code).toBe(5)
    expect(wrong.stderr).toMatch(/^chaja: 403/)
    expect(await domain.sh('chaja request GET / --unsigned')).toMatchObject({ code: 5 })
  })
})

describe('how commands print', () => {
  it('lists users, roles, keys and people as JSON lines, and searches character for character', async () => {
    await domain.sh(`chaja put exact t 1 '{"n":9007199254740993,"f":1.0}' --refresh`)
    const raw = await domain.sh('chaja search --index exact')
    expect(raw.stdout).toContain('{"n":9007199254740993,"f":1.0}')
    for (const what of ['user', 'role', 'key', 'pool']) {
      const listed = await domain.sh(`chaja ${what} list --json --data "${domain.dataDir}"`)
      expect(listed, what).toMatchObject({ code: 0, stderr: '' })
      if (what !== 'pool') expect(lines(listed.stdout)[0]).toHaveProperty('createdAt')
    }
  })

  it('writes JSON lines to pipes, and colours only where asked', async () => {
    const search = await domain.sh(`chaja search --index reviews '{"size":1}' | cat`)
    expect(search.stdout.trim().split('\n')).toHaveLength(1)
    const refused = 'chaja bulk - --index strict --type t'
    const plain = await domain.sh(refused, { stdin: '{"n":"x"}\n' })
    expect(plain.stderr).not.toContain('\u001b')
    const coloured = await domain.sh(refused, { stdin: '{"n":"x"}\n', env: { FORCE_COLOR: '1' } })
    expect(coloured.stderr).toContain('\u001b[31m')
    const never = await domain.sh(refused, { stdin: '{"n":"x"}\n', env: { FORCE_COLOR: '1', NO_COLOR: '1' } })
    expect(never.stderr).not.toContain('\u001b')
  })

  it('signs with a profile of the AWS files', async () => {
    const { AWS_ACCESS_KEY, AWS_SECRET_KEY, AWS_REGION } = domain.env
    writeFileSync(
      join(domain.folder, 'credentials'),
      `[mine]\naws_access_key_id = ${AWS_ACCESS_KEY}\naws_secret_access_key = ${AWS_SECRET_KEY}\n`,
    )
    writeFileSync(join(domain.folder, 'config'), `[profile mine]\nregion = ${AWS_REGION}\n`)
    const env = { AWS_SHARED_CREDENTIALS_FILE: 'credentials', AWS_CONFIG_FILE: 'config' }
    const host = `host=$AWS_ES_HOST; ${FORGET}`
    const ended = await domain.sh(`${host} chaja request GET / --profile mine --host $host`, { env })
    expect(ended).toMatchObject({ code: 0, stderr: '' })
    const missing = await domain.sh(`${host} chaja request GET / --profile yours --host $host`, { env })
    expect(missing.code).toBe(2)
    expect(missing.stderr).toContain('the profile [yours]')
  })

  it('explains each command with examples', async () => {
    const help = await domain.sh('chaja --help')
    expect(help.code).toBe(0)
    const names = [...help.stdout.matchAll(/^ {2}([a-z][a-z-]+) /gm)].map((m) => m[1] as string)
    expect(names).toEqual(expect.arrayContaining(['serve', 'env', 'get', 'transfer', 'completion', 'dictionary']))
    const outputs = await domain.sh(
      names
        .filter((n) => n !== 'help')
        .map((n) => `chaja ${n} --help`)
        .join('; '),
    )
    const commands = [
      'get',
      'put',
      'delete',
      'search',
      'create-index',
      'bulk',
      'request',
      'transfer',
      'analyze',
      'health',
    ]
    for (const name of commands) expect(outputs.stdout).toContain(`  $ chaja ${name} `.trimEnd())
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }
    expect((await domain.sh('chaja --version')).stdout).toBe(`${version}\n`)
  })

  it('completes commands, options and choices in bash', async () => {
    const complete = (...words: string[]) =>
      domain.sh(
        `eval "$(chaja completion bash)"; COMP_WORDS=(chaja ${words.map((w) => `'${w}'`).join(' ')}); COMP_CWORD=${words.length}; _chaja; printf '%s\\n' "\${COMPREPLY[@]}"`,
      )
    expect((await complete('tra')).stdout).toBe('transfer\n')
    expect((await complete('transfer', '--types', '')).stdout).toBe('split\nfield\n')
    expect((await complete('transfer', '--dry')).stdout).toBe('--dry-run\n')
    expect((await complete('policy', '')).stdout).toContain('check\n')
    expect((await complete('policy', 'new', 'f')).stdout).toBe('full-access\n')
    expect((await complete('completion', 'z')).stdout).toBe('zsh\n')
    expect((await complete('put', 'movies', 'movie', '1', 'cred')).stdout).toBe('credentials\n')
    writeFileSync(join(domain.folder, 'two words.json'), '{}')
    expect((await complete('put', 'movies', 'movie', '1', '@two')).stdout).toBe('@two words.json\n')
    expect((await complete('serve', '--config', 'two')).stdout).toBe('two words.json\n')
  })
})
