import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type SignedDomain, startSignedDomain } from './signed-domain.ts'

// Each command is a process of its own: seconds on a busy machine.
/*
 * The package as `npm pack` makes it, in an empty project. By default it is unpacked by hand, without any of its
 * dependencies: the client needs none. With CHAJA_NPM_INSTALL=1 npm installs it, dependencies and all (a minute, and a
 * registry).
 */
const root = resolve(import.meta.dirname, '..', '..')
const install = process.env['CHAJA_NPM_INSTALL'] === '1'

let domain: SignedDomain

beforeAll(async () => {
  domain = await startSignedDomain()
  const { folder } = domain
  const packed = mkdtempSync(join(tmpdir(), 'chaja-pack-'))
  // Built already: prepack would build again under a running domain.
  execFileSync('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', packed], { cwd: root })
  const tarball = join(packed, readdirSync(packed)[0] as string)
  writeFileSync(join(folder, 'package.json'), '{"type":"module","private":true}')
  if (install) execFileSync('npm', ['install', '--no-audit', '--no-fund', '--silent', tarball], { cwd: folder })
  else {
    mkdirSync(join(folder, 'node_modules/chaja'), { recursive: true })
    execFileSync('tar', ['xzf', tarball, '--strip-components=1', '-C', join(folder, 'node_modules/chaja')])
  }
  mkdirSync(join(folder, 'node_modules/@types'), { recursive: true })
  symlinkSync(join(root, 'node_modules/@types/node'), join(folder, 'node_modules/@types/node'))
  rmSync(packed, { recursive: true })
})

afterAll(() => domain.stop())

/** Type-checks a module of the empty project and runs it. */
async function run(name: string, code: string, options: { readonly types?: string[]; readonly lib?: string[] } = {}) {
  writeFileSync(join(domain.folder, `${name}.ts`), code)
  const compilerOptions = {
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: false,
    module: 'NodeNext',
    target: 'ES2023',
    lib: options.lib ?? ['ES2023'],
    types: options.types ?? ['node'],
    outDir: '.',
  }
  writeFileSync(join(domain.folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: [`${name}.ts`] }))
  execFileSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', domain.folder], {
    stdio: 'inherit',
  })
  return domain.sh(`"${process.execPath}" ${name}.js`)
}

describe('the packed client, in an empty project', () => {
  it('type-checks and runs from Node', async () => {
    const ended = await run(
      'node-client',
      `import { Client, ClientError, totalHits } from 'chaja'
interface Movie { title: string; year: number }
const client = await Client.fromEnv<Movie>()
await client.createIndex('packed', { mappings: { movie: { date_detection: false } } })
await client.put('packed', 'movie', 'a/b 한글', { title: 'Your Name', year: 2016 })
async function* movies() {
  for (let i = 0; i < 50; i++) yield { _index: 'packed', _type: 'movie', _id: String(i), _source: { title: \`Part \${i}\`, year: 1900 + i } }
}
const summary = await client.bulk(movies(), { refresh: true, maxBytes: 1000 })
const { _source } = await client.get('packed', 'movie', 'a/b 한글')
const year: number = _source.year
let walked = 0
for await (const hit of client.scroll({ query: { match_all: {} }, size: 7 }, { index: 'packed' })) walked += hit._source.year > 0 ? 1 : 0
interface Query { query: object; version: boolean }
const query: Query = { query: { wildcard: { title: '*nam*' } }, version: true }
const found = await client.search(query, { index: 'packed', type: 'movie' })
let refused = ''
try { await client.get('packed', 'movie', 'none') } catch (error) { if (error instanceof ClientError) refused = error.kind + error.status }
const gone = await client.delete('packed', 'movie', '0')
const raw = await client.request<{ count: number }>('GET', '/packed/_count')
client.close()
export async function checked() {
  interface Review { stars: number }
  const [review, untyped] = [{ stars: 1 } as Review, await Client.fromEnv()]
  await untyped.put('any', 'review', '1', review)
  await untyped.bulk([{ _index: 'any', _source: review }, { delete: { _index: 'any', _id: '1' } }])
  await client.put<Review>('packed', 'review', '1', review)
  // @ts-expect-error a misspelt member
  await client.put('packed', 'movie', '1', { titel: 'Your Name', year: 2016 })
  // @ts-expect-error another document
  await client.bulk([{ _index: 'packed', _source: review }])
}
console.log(JSON.stringify({ year, walked, requests: summary.requests > 3, total: totalHits(found), version: found.hits.hits[0]?._version, refused, gone: gone.result, count: raw.body.count }))
`,
    )
    expect(ended).toMatchObject({ code: 0, stderr: '' })
    expect(JSON.parse(ended.stdout)).toEqual({
      year: 2016,
      walked: 51,
      requests: true,
      total: 1,
      version: 1,
      refused: 'response404',
      gone: 'deleted',
      count: 51,
    })
  })

  it('signs through WebCrypto and fetch alone, with nothing of Node in its types', async () => {
    const { AWS_ES_HOST, AWS_ACCESS_KEY, AWS_SECRET_KEY, AWS_REGION } = domain.env
    const ended = await run(
      'browser-client',
      `import { Client } from 'chaja/browser'
const credentials = async () => ({ accessKeyId: '${AWS_ACCESS_KEY}', secretAccessKey: '${AWS_SECRET_KEY}' })
const client = Client.connect<{ title: string }>({ host: 'https://${AWS_ES_HOST}', region: '${AWS_REGION}', credentials })
await client.put('pages', 'page', '쪽 1', { title: '이름' })
const { _source } = await client.get('pages', 'page', '쪽 1')
console.log(_source.title)
`,
      { types: [], lib: ['ES2023', 'DOM', 'DOM.Iterable'] },
    )
    expect(ended).toMatchObject({ code: 0, stderr: '' })
    expect(ended.stdout).toBe('이름\n')
  })

  it.runIf(install)('brings the command', async () => {
    const ended = await domain.sh('npx --no-install chaja request GET /')
    expect(ended.code).toBe(0)
    expect(ended.stdout).toContain('You Know, for Search')
  })
})
