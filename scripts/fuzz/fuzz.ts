/**
 * What does a real server answer differently? Makes up mappings, documents and calls by a seed, asks both, and prints
 * the share that differs by kind of call and the causes, each with its smallest call.
 *
 *   npm run build && npm run fuzz                         every area, 5 seeds each, against Elasticsearch 6.8.23
 *   npm run fuzz -- search aggregations --seed 100 --seeds 20 --calls 200
 *   npm run fuzz -- search --only highlight               only calls whose body speaks of it
 *   npm run fuzz -- search --misspell 0.5             half of the calls have a mistake in their body: a name misspelt, …
 *                                                     (ask a server of your own: one that others use may hang over it)
 *   npm run fuzz -- search --type flat_object         every other field is of that type
 *   npm run fuzz -- search --seed 7 --seeds 1 --keep      leaves the index `fuzz` of the last seed
 *   npm run fuzz -- --opensearch                          against OpenSearch 2.19.3 without its modules
 *   npm run fuzz -- --opensearch --modules --peer URL     against one that has its modules (scripts/peer-modules.ts)
 *   npm run fuzz -- --version 7.10 --peer URL             against Elasticsearch 7.10.2 (`npx tsx scripts/other-peers.ts
 *                                                         elasticsearch-7.10`)
 *   npm run fuzz -- --peer http://127.0.0.1:9200 --domain http://127.0.0.1:9201     servers that run already
 */
import { parseArgs } from 'node:util'
import { startDomain } from '../domain-process.ts'
import { type PeerName, startPeer } from '../peers.ts'
import { administrationCall, resizable, stored } from './administration.ts'
import { aggregated, aggregatedDocument, aggregatedOtherwise, aggregating, otherDocument } from './aggregations.ts'
import { type Answer, ask, cause, compare, type Difference, places } from './answer.ts'
import { DAILY, dailyCall, logged, product } from './daily.ts'
import { callInSix, indexInSix, TYPES } from './daily-in-six.ts'
import { json } from './exact-json.ts'
import { type Context, type Json, make, some } from './grammar.ts'
import { administered, indicesCall } from './indices.ts'
import { analysis, fieldsOf, indexBody, mapping } from './mappings.ts'
import { misspelt } from './misspell.ts'
import { piped, pipelineCall, STORED_PIPELINES } from './pipelines.ts'
import { Random } from './random.ts'
import { reduce } from './reduce.ts'
import { type Call, type Paging, paging, read } from './searches.ts'
import { aliasActions, neighbours, severalCall } from './several.ts'
import { documentOf } from './values.ts'
import { byQueryCall, documentCall, putLines, written } from './writes.ts'

const { values: options, positionals: wanted } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string', default: '1' },
    seeds: { type: 'string', default: '5' },
    calls: { type: 'string', default: '100' },
    wrong: { type: 'string', default: '0.03' },
    misspell: { type: 'string', default: '0' },
    only: { type: 'string' },
    type: { type: 'string' },
    opensearch: { type: 'boolean', default: false },
    version: { type: 'string' },
    peer: { type: 'string' },
    domain: { type: 'string' },
    show: { type: 'string', default: '40' },
    modules: { type: 'boolean', default: false },
    keep: { type: 'boolean', default: false },
    name: { type: 'string', default: 'fuzz' },
  },
})
interface Version {
  readonly engineVersion: string
  /** What is started unless `--peer` names a server. */
  readonly peer?: PeerName
  readonly typeless: boolean
  readonly lacking: readonly string[]
  /** Words of calls that are not asked. */
  readonly unasked: readonly string[]
}
const VERSIONS: Readonly<Record<string, Version>> = {
  '6.8': { engineVersion: 'Elasticsearch_6.8', peer: 'elasticsearch', typeless: false, lacking: [], unasked: [] },
  '7.10': {
    engineVersion: 'Elasticsearch_7.10',
    typeless: true,
    lacking: ['flat_object', 'geo_shape', 'match_only_text', 'unsigned_long', 'wildcard'],
    unasked: ['multi_terms', 'missing_order'],
  },
  '2.19': { engineVersion: 'OpenSearch_2.19', peer: 'opensearch', typeless: true, lacking: [], unasked: [] },
}
const version = VERSIONS[options.version ?? (options.opensearch ? '2.19' : '6.8')]
if (version === undefined) throw new Error(`--version is none of ${Object.keys(VERSIONS).join(', ')}`)
const { engineVersion, typeless, unasked, peer } = version
/** Elasticsearch 6.8 always comes with its modules, the others' smallest distributions without. */
const bare = typeless && !options.modules
/** Types of the modules parent-join and mapper-extras. */
const MODULES = 'join percolator rank_feature rank_features scaled_float search_as_you_type token_count'.split(' ')
const lacking = [...version.lacking, ...(bare ? MODULES : [])]
if (peer === undefined && options.peer === undefined) throw new Error(`${engineVersion} needs --peer`)
const index = options.name
const started = peer !== undefined && options.peer === undefined ? await startPeer(peer, { port: 19200 }) : undefined
const domain =
  options.domain === undefined ? await startDomain({ args: ['--engine-version', engineVersion] }) : undefined
const real = started?.url ?? (options.peer as string)
const ours = domain?.url ?? (options.domain as string)

type Asked = Omit<Call, 'kind'>
interface Cause {
  count: number
  difference: Difference
  call: Asked
  readonly seed: number
}
const causes = new Map<string, Cause>()
const shares = new Map<string, { asked: number; differ: number }>()
const kinds = new Map<string, number>()

const CREATED = '_new'
/** Where callers make mistakes; apart from what they ask, which is the same with and without. */
let slips = new Random(0)
const both = (call: Asked): Promise<[Answer, Answer]> => Promise.all([ask(real, call), ask(ours, call)])
const differing = async (call: Asked): Promise<Difference | undefined> => {
  // What an earlier one of its kind created is in its way.
  if (call.method === 'PUT' && call.path.startsWith(`/${index}${CREATED}`)) {
    await both({ method: 'DELETE', path: `/${index}${CREATED}` })
  }
  return compare(...(await both(call)))
}

/** Counts a call; one that differs is made smaller (unless it changes something) and shown with others of its cause. */
async function check(seed: number, asked: Call): Promise<Difference | undefined> {
  const hurried = asked.kind !== 'held' && slips.chance(Number(options.misspell))
  const { kind, ...call } = hurried ? misspelt(slips, asked) : asked
  let difference = await differing(call)
  // Whatever depends on the moment of asking.
  if (difference !== undefined && json(call.body ?? '').includes('now')) difference = await differing(call)
  const first = note(seed, kind, call, difference)
  if (first !== undefined && difference !== undefined && READING.has(kind.replace('several ', ''))) {
    Object.assign(first, await smallest(call, difference))
  }
  return difference
}
const READING = new Set(
  'search scripted search_after count validate explain termvectors artificial mget msearch aggregations composite simulate analyze create page discover daily_count daily_validate daily_explain'.split(
    ' ',
  ),
)

/** The smallest call that differs at the same place in the same way, and how it does. */
async function smallest(call: Asked, shown: Difference): Promise<Pick<Cause, 'call' | 'difference'>> {
  // A type of error is a word; other values change as the call grows smaller.
  const place = (d: Difference): string =>
    d.kind === 'error type' ? cause(d) : cause(d).split(' | ').slice(0, 2).join().slice(0, 60)
  let difference = shown
  const differs =
    (like: Difference, written: (smaller: Json) => Json) =>
    async (smaller: Json): Promise<boolean> => {
      const found = await differing({ ...call, body: written(smaller) })
      if (found === undefined || place(found) !== place(like)) return false
      difference = found
      return true
    }
  if (typeof call.body !== 'string')
    return {
      call: {
        ...call,
        body: await reduce(
          call.body,
          differs(shown, (body) => body),
        ),
      },
      difference,
    }
  for (const [head, search] of searchesOf(call.body)) {
    const lines = (body: Json): string => `${head}\n${json(body)}\n`
    const found = await differing({ ...call, body: lines(search) })
    if (found === undefined) continue
    difference = found
    return { call: { ...call, body: lines(await reduce(search, differs(found, lines))) }, difference }
  }
  return { call, difference }
}

/** The searches of an `_msearch`: the line before each, and what is asked. */
function searchesOf(body: string): (readonly [string, Json])[] {
  const lines = body.trimEnd().split('\n')
  return lines.flatMap((line, i) => {
    try {
      return i % 2 === 0 ? [[line, JSON.parse(lines[i + 1] ?? '')] as const] : []
    } catch {
      return []
    }
  })
}

/** Counts an answer; the cause when it is the first of its kind. */
function note(seed: number, kind: string, call: Asked, difference: Difference | undefined): Cause | undefined {
  const share = shares.get(kind) ?? { asked: 0, differ: 0 }
  shares.set(kind, { asked: share.asked + 1, differ: share.differ + (difference === undefined ? 0 : 1) })
  if (difference === undefined) return undefined
  kinds.set(difference.kind, (kinds.get(difference.kind) ?? 0) + 1)
  const group = `${kind} ${cause(difference)}`
  const known = causes.get(group)
  if (known !== undefined) {
    known.count++
    return undefined
  }
  const found = { count: 1, difference, seed, call }
  causes.set(group, found)
  return found
}

const context = (seed: number, more: Partial<Context> = {}): Context => ({
  random: new Random(seed),
  typeless,
  bare,
  lacking,
  index,
  fields: [],
  documents: [],
  ...(options.type === undefined ? {} : { type: options.type }),
  wrong: Number(options.wrong),
  depth: 0,
  ...more,
})
const create = (body: Json, name = index): Promise<[Answer, Answer]> => both({ method: 'PUT', path: `/${name}`, body })
const remove = (name = `${index}*`): Promise<unknown> =>
  both({ method: 'DELETE', path: `/${name}?ignore_unavailable=true` })
const type = typeless ? '' : '/_doc'

/** Puts documents in and answers those that both took; undefined: the real server failed over them. */
async function fill(seed: number, documents: readonly Json[], name = index, of = type): Promise<Json[] | undefined> {
  const answers = await both({
    method: 'POST',
    path: `/${name}${of}/_bulk?refresh=true`,
    body: putLines(documents),
  })
  const [there, here] = answers.map((answer) => answer.body.items as Json[])
  // 7.10 loses its shard over some mappings of its own and does everything again: from there on nothing compares.
  if (there?.some((item) => item.index._primary_term !== undefined && item.index._primary_term !== '#1'))
    return undefined
  if (there === undefined || here === undefined) return undefined
  return documents.filter((document, i) => {
    const [a, b] = [there?.[i]?.index, here?.[i]?.index]
    const said = (item: Json): Answer => ({ status: Number(item.status.slice(1)), body: { error: item.error } })
    note(seed, 'document', { method: 'POST', path: `/${index}/_doc`, body: document }, compare(said(a), said(b)))
    return a.error === undefined && b.error === undefined
  })
}

/** Makes an index of a mapping both take, field by field if need be, and fills it with documents both take. @param name  of another than the first */
async function prepare(seed: number, c: Context, name?: string): Promise<Context | undefined> {
  let mappings = make(c, mapping)
  await remove(name)
  const call = { method: 'PUT', path: `/${name ?? index}`, body: indexBody(c, mappings) }
  const [there, here] = await both(call)
  note(seed, 'create', { ...call, body: mappings }, compare(there, here))
  if (there.status !== 200 || here.status !== 200) {
    const properties: Json = {}
    for (const [field, definition] of Object.entries<Json>(mappings.properties)) {
      await remove(name)
      const alone = await create(indexBody(c, { properties: { [field]: definition } }), name)
      if (alone.every((answer) => answer.status === 200)) properties[field] = definition
    }
    mappings = { properties }
  }
  const documents = Array.from({ length: c.random.whole(15, 40) }, () => make(c, documentOf(mappings.properties)))
  let kept: Json[] = documents
  for (let pass = 0; pass < 3; pass++) {
    await remove(name)
    await create(indexBody(c, mappings), name)
    if (pass === 0) await check(seed, { kind: 'mapping', method: 'GET', path: `/${name ?? index}/_mapping` })
    const taken = await fill(seed, kept, name)
    if (taken === undefined) return undefined
    if (pass === 0) await check(seed, { kind: 'mapping', method: 'GET', path: `/${name ?? index}/_mapping` })
    if (taken.length === kept.length) return { ...c, fields: fieldsOf(mappings.properties), documents: kept }
    kept = taken
  }
  return undefined
}

const speaksOf = (call: Call): boolean =>
  (options.only === undefined || json(call).includes(options.only)) &&
  !unasked.some((word) => json(call).includes(word)) &&
  !(bare && /script|template|rank_eval|collate/.test(json(call)))

async function searches(seed: number): Promise<void> {
  const c = await prepare(seed, context(seed))
  if (c === undefined || c.fields.length === 0) return
  for (let n = 0; n < 5; n++)
    await check(seed, { kind: 'analyze', method: 'POST', path: `/${index}/_analyze`, body: make(c, analysis) })
  for (let n = Number(options.calls); n > 0; n--) {
    const call = read(c)
    if (speaksOf(call)) await check(seed, call)
  }
}

/** Calls to indices that map the same names otherwise, to aliases, patterns and what is not there. */
async function several(seed: number): Promise<void> {
  const first = await prepare(seed, context(seed))
  if (first === undefined) return
  const { other, empty, closed } = neighbours(index)
  const second = await prepare(seed, { ...first, fields: [], documents: [] }, other)
  if (second === undefined) return
  for (const name of [empty, closed]) await create({ settings: { number_of_shards: 1, number_of_replicas: 0 } }, name)
  await both({ method: 'POST', path: `/${closed}/_close` })
  const c = {
    ...first,
    fields: [...first.fields, ...second.fields],
    documents: [...first.documents, ...second.documents],
  }
  await check(seed, { kind: 'aliases', method: 'POST', path: '/_aliases', body: aliasActions(c) })
  for (let n = Number(options.calls); n > 0; n--) {
    const call = severalCall(c)
    if (speaksOf(call)) await check(seed, call)
  }
}

/** Searches asked page by page, each server with what it answered before. */
async function pages(seed: number): Promise<void> {
  const c = await prepare(seed, context(seed))
  if (c === undefined || c.fields.length === 0) return
  for (let n = Math.ceil(Number(options.calls) / 5); n > 0; n--) {
    const asked = paging(c)
    if (speaksOf({ kind: asked.way, method: 'POST', path: '', body: asked.body })) await page(seed, asked)
  }
}

async function page(seed: number, { way, body }: Paging): Promise<void> {
  let calls: [Asked, Asked] = [first(way, body), first(way, body)]
  let point: string[] = []
  for (let pass = 0; pass < 8; pass++) {
    const [there, here] = await Promise.all([ask(real, calls[0]), ask(ours, calls[1])])
    note(seed, way, { ...calls[0], body: { ...body, pass, asked: calls[0].body } }, compare(there, here))
    if (there.status !== 200 || compare(there, here) !== undefined) break
    const answers = [there, here].map(({ text = '' }) => text)
    if (way === 'point_in_time' && pass === 0) point = answers.map((text) => JSON.parse(text).pit_id)
    const hits = JSON.parse(answers[0] ?? '').hits?.hits
    if (hits?.length === 0) break
    calls = answers.map((text, i) => next(way, body, text, point[i])) as [Asked, Asked]
  }
  if (point.length > 0)
    await Promise.all(
      [real, ours].map((url, i) =>
        ask(url, { method: 'DELETE', path: '/_search/point_in_time', body: { pit_id: [point[i]] } }),
      ),
    )
}

function first(way: Paging['way'], body: Json): Asked {
  if (way === 'point_in_time') return { method: 'POST', path: `/${index}/_search/point_in_time?keep_alive=1m` }
  return { method: 'POST', path: `/${index}/_search${way === 'scroll' ? '?scroll=1m' : ''}`, body }
}

function next(way: Paging['way'], body: Json, text: string, point?: string): Asked {
  if (way === 'scroll')
    return {
      method: 'POST',
      path: '/_search/scroll',
      body: { scroll: '1m', scroll_id: JSON.parse(text)._scroll_id },
    }
  // As it was written: a double knows fewer numbers.
  const sorts = [...text.matchAll(/"sort":(\[(?:[^\]"]|"(?:[^"\\]|\\.)*")*\])/g)]
  const after = sorts.at(-1)?.[1]
  const members = json({ ...body, ...(point === undefined ? {} : { pit: { id: point, keep_alive: '1m' } }) })
  return {
    method: 'POST',
    path: point === undefined ? `/${index}/_search` : '/_search',
    body: after === undefined ? members : `${members.slice(0, -1)},"search_after":${after}}`,
  }
}

async function aggregate(seed: number): Promise<void> {
  const mappings = aggregated(context(seed))
  const c = context(seed, { fields: fieldsOf(mappings.properties).filter(({ path }) => path !== 'big') })
  await remove()
  await create(indexBody(c, mappings))
  const documents = Array.from({ length: 300 }, () => make(c, aggregatedDocument))
  await fill(seed, documents)
  const others = [`/${index}_2`, `/${index}_3`]
  await both({ method: 'PUT', path: others[0] as string, body: indexBody(c, aggregatedOtherwise) })
  await both({ method: 'PUT', path: others[1] as string, body: indexBody(c, mappings) })
  const lines = Array.from({ length: 60 }, (_, i) => `{"index":{"_id":"${i}"}}\n${json(make(c, otherDocument))}\n`)
  await both({ method: 'POST', path: `${others[0]}${type}/_bulk?refresh=true`, body: lines.join('') })
  const actions = [
    { add: { index, alias: `${index}_al`, filter: { range: { l: { gte: 3 } } } } },
    { add: { index: `${index}_2`, alias: `${index}_al` } },
  ]
  await both({ method: 'POST', path: '/_aliases', body: { actions } })
  for (let n = Number(options.calls); n > 0; n--) {
    if (n % 40 === 0) await change(c, documents.length)
    const where = c.random.chance(0.7)
      ? index
      : c.random.pick([`${index}*`, `${index}_al`, `${index}_3`, `${index}_2,${index}_3`])
    const call = {
      kind: 'aggregations',
      method: 'POST',
      path: `/${where}/_search${c.random.chance(0.1) ? '?typed_keys=true' : ''}`,
      body: make(c, aggregating),
    }
    if (!speaksOf(call)) continue
    await check(seed, call)
    await furtherBuckets(seed, call)
  }
}

/** What shops and viewers of logs send, to what they hold. */
async function daily(seed: number): Promise<void> {
  const c = context(seed)
  await remove()
  const typed = (name: keyof typeof TYPES): string => (typeless ? '' : `/${TYPES[name]}`)
  for (const [path, made] of DAILY(c)) {
    const body = typeless ? made : indexInSix(made, TYPES[path === `/${index}` ? 'product' : 'logged'])
    await check(seed, { kind: 'daily_create', method: 'PUT', path, body })
  }
  await fill(seed, make(c, some(120, 120, product)), index, typed('product'))
  for (const month of [1, 2])
    await fill(seed, make(c, some(150, 150, logged(month))), `${index}_logs-2026.0${month}`, typed('logged'))
  // OpenSearch asks newer segments of logs first; of one there is only one order.
  await both({ method: 'POST', path: `/${index}_logs*/_forcemerge?max_num_segments=1` })
  for (let n = Number(options.calls); n > 0; n--) {
    const made = dailyCall(c)
    const call = typeless ? made : callInSix(c, made)
    if (!speaksOf(call)) continue
    await check(seed, call)
    if (call.kind === 'page') await furtherBuckets(seed, call)
  }
}

/** Deletes some documents and writes others anew. */
async function change(c: Context, count: number): Promise<void> {
  const lines = Array.from({ length: 8 }, () => {
    const line = { _id: String(c.random.whole(0, count - 1)) }
    const made = make(c, aggregatedDocument)
    const to = made.jn === undefined ? line : { ...line, routing: '1' }
    return c.random.chance(0.5) ? `${json({ delete: to })}\n` : `${json({ index: to })}\n${json(made)}\n`
  })
  await both({ method: 'POST', path: `/${index}${type}/_bulk?refresh=true`, body: lines.join('') })
}

/** Asks on for the buckets of composites behind those answered. */
async function furtherBuckets(seed: number, call: Call): Promise<void> {
  for (const [name, { composite }] of Object.entries<Json>(call.body.aggs ?? {})) {
    if (composite === undefined) continue
    let after: Json
    for (let pass = 0; pass < 4; pass++) {
      const aggs = { [name]: { composite: { ...composite, ...(after === undefined ? {} : { after }) } } }
      const page = { ...call, kind: 'composite', body: { size: 0, aggs } }
      if ((await check(seed, page)) !== undefined) break
      const { text = '{}' } = await ask(real, page)
      after = JSON.parse(text).aggregations?.[name]?.after_key
      if (after === undefined) break
    }
  }
}

/** Calls one after the other; once the answers part, so may what is held, and both start anew. */
const changing =
  (made: (c: Context) => Call): ((seed: number) => Promise<void>) =>
  async (seed) => {
    const c = context(seed)
    const anew = async (): Promise<void> => {
      await remove()
      await create(written(c))
      // Five shards hold five documents of one id, by their routing; here there is always one.
      if (!typeless) await both({ method: 'PUT', path: `/${index}_to`, body: { settings: { number_of_shards: 1 } } })
      await fill(
        seed,
        Array.from({ length: 12 }, (_, n) => ({ n, k: n % 3 === 0 ? 'a' : 'b' })),
      )
    }
    await anew()
    for (let n = Number(options.calls); n > 0; n--) {
      const call = made(c)
      await check(seed, call)
      await both({ method: 'POST', path: `/${index}*/_refresh` })
      const body = { size: 100, version: true, sort: ['_index', '_id'], stored_fields: ['_source', '_routing'] }
      const held = await differing({ method: 'POST', path: `/${index}*/_search`, body })
      note(seed, 'held', call, held)
      if (held !== undefined || n % 20 === 0) await anew()
    }
  }

/** Calls about indices; after those that may change one, all that is held of them is asked for. */
const administer =
  (made: (c: Context) => Call) =>
  async (seed: number): Promise<void> => {
    const c = context(seed)
    const anew = async (): Promise<void> => {
      await both({ method: 'DELETE', path: `/${index}*?expand_wildcards=all` })
      for (const path of stored(c)) await both({ method: 'DELETE', path })
      for (const [path, body] of [...administered(c), resizable(c)]) await both({ method: 'PUT', path, body })
      await both({
        method: 'PUT',
        path: `/${index}_1${type || '/_doc'}/1?refresh=true`,
        body: { k: 'a', t: 'quick fox', n: 1 },
      })
    }
    await anew()
    for (let n = Number(options.calls); n > 0; n--) {
      const { kind, ...call } = made(c)
      if (!speaksOf({ kind, ...call })) continue
      const changes = !/^(?:GET|HEAD)$/.test(call.method)
      const difference = await check(seed, { kind, ...call })
      let parted = difference !== undefined
      if (changes && !parted) {
        for (const held of [`/${index}*?expand_wildcards=all`, ...stored(c)]) {
          const found = await differing({ method: 'GET', path: held })
          if (found === undefined) continue
          note(seed, `${kind} held`, call, found)
          parted = true
          break
        }
      }
      if (call.path.startsWith(`/${index}${CREATED}`)) await both({ method: 'DELETE', path: `/${index}${CREATED}` })
      if ((changes && parted) || n % 20 === 0) await anew()
    }
    for (const path of stored(c)) await both({ method: 'DELETE', path })
  }

async function pipelines(seed: number): Promise<void> {
  const c = context(seed)
  const anew = async (): Promise<void> => {
    await remove()
    await both({ method: 'DELETE', path: '/_ingest/pipeline/fuzz_*' })
    for (const [name, body] of Object.entries(STORED_PIPELINES))
      await both({ method: 'PUT', path: `/_ingest/pipeline/${name}`, body })
    const settings = { number_of_shards: 1, number_of_replicas: 0 }
    const final = typeless ? { final_pipeline: 'fuzz_final' } : {}
    await create({ settings }, `${index}_1`)
    await create({ settings: { ...settings, default_pipeline: 'fuzz_x' } }, `${index}_piped`)
    await create({ settings: { ...settings, default_pipeline: 'fuzz_y', ...final } }, `${index}_final`)
  }
  await anew()
  for (let n = Number(options.calls); n > 0; n--) {
    const call = pipelineCall(c)
    if (!speaksOf(call)) continue
    const difference = await check(seed, call)
    if (call.kind === 'simulate') continue
    let parted = difference !== undefined
    for (const path of parted ? [] : piped(c)) {
      const held = await differing({ method: 'GET', path })
      if (held === undefined) continue
      note(seed, `${call.kind} held`, call, held)
      parted = true
      break
    }
    if (parted || n % 30 === 0) await anew()
  }
  await both({ method: 'DELETE', path: '/_ingest/pipeline/fuzz_*' })
}

const AREAS: Readonly<Record<string, (seed: number) => Promise<void>>> = {
  search: searches,
  several,
  paging: pages,
  aggregations: aggregate,
  ...(bare ? {} : { daily }),
  documents: changing(documentCall),
  'by-query': changing(byQueryCall),
  indices: administer(indicesCall),
  administration: administer(administrationCall),
  ...(bare ? {} : { pipelines }),
}

try {
  for (const [name, area] of Object.entries(AREAS)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue
    for (let seed = Number(options.seed); seed < Number(options.seed) + Number(options.seeds); seed++) {
      slips = new Random(-seed)
      await area(seed)
    }
  }
  if (!options.keep) await remove()
} catch (error) {
  // What was found until then is told all the same.
  console.error(error)
} finally {
  await domain?.stop()
  await started?.stop()
}

for (const { count, difference, call, seed } of [...causes.values()]
  .sort((a, b) => b.count - a.count)
  .slice(0, Number(options.show))) {
  console.log(
    `\n${count} × ${difference.kind} at ${difference.at}, seed ${seed}\n  real ${json(difference.real ?? null).slice(0, 300)}\n  ours ${json(difference.ours ?? null).slice(0, 300)}`,
  )
  for (const reason of difference.reasons ?? []) console.log(`    ${reason}`.slice(0, 300))
  console.log(
    `  ${call.method} ${call.path} ${typeof call.body === 'string' ? call.body : json(call.body ?? '')}`.slice(0, 700),
  )
}
const [asked, differ] = [...shares.values()].reduce(([n, d], share) => [n + share.asked, d + share.differ], [0, 0])
console.log(`\n${[...shares].map(([kind, share]) => `${kind} ${share.differ}/${share.asked}`).join('  ')}`)
console.log(`${places.told} of ${places.all} places of faults told; most left out:`)
const untold = new Map<string, number>()
for (const text of places.untold) {
  const kind = text.replace(/\d+/g, '#').slice(0, 70)
  untold.set(kind, (untold.get(kind) ?? 0) + 1)
}
for (const [kind, count] of [...untold].sort(([, a], [, b]) => b - a).slice(0, 30)) console.log(`  ${count} × ${kind}`)
console.log(`${differ} of ${asked} differ: ${[...kinds].map(([kind, count]) => `${kind} ${count}`).join(', ')}`)
process.exit(differ === 0 ? 0 : 1)
