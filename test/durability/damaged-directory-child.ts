/**
 * Opens damaged copies of a data directory, reads, searches and writes, and says where an answer is wrong and nothing tells so: one copy after
 * the other, told of on stdout, since what goes wrong in LMDB ends the process.
 *
 *   node --import tsx test/durability/damaged-directory-child.ts <cases> <seed> [<first case>]
 */
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openEngine } from '../../src/engine/embedded-engine.ts'
import { createRestBackend } from '../../src/rest/rest-backend.ts'
import { askBackend } from '../ask-backend.ts'
import { copyAsCrashed } from './crashed-copy.ts'
import { damageFile, filesOf } from './damage-files.ts'
import { seededRandom } from './seeded-random.ts'

const [cases, seed, first = '0'] = process.argv.slice(2) as [string, string, string?]

const INDICES = ['a', 'b', 'c']
const WORDS = 7

/** By index, by id: the source as it is answered. */
type Contents = Record<string, Record<string, string>>

interface Domain {
  readonly log: string[]
  // biome-ignore lint/suspicious/noExplicitAny: the answers of many endpoints
  ask(method: string, path: string, body?: object | string): Promise<{ status: number; json: any }>
  close(): Promise<void>
}

async function open(dataDir: string): Promise<Domain> {
  const lines: string[] = []
  const log = (level: string, fields: object, message: string) => {
    if (level === 'warn' || level === 'error') lines.push(`${level} ${message} ${JSON.stringify(fields)}`)
  }
  const engine = await openEngine({ dataDir, engineVersion: 'Elasticsearch_6.8', log })
  const publishAddress = () => '127.0.0.1:9200'
  const backend = createRestBackend(engine, { log, publishAddress, clusterName: 'test', dataDir })
  return {
    log: lines,
    async ask(method, path, body = '') {
      const { status, body: answer } = await askBackend(backend, method, path, body)
      return { status, json: JSON.parse(String(answer)) }
    },
    close: () => backend.close(),
  }
}

const sourceOf = (n: number, words: number): string =>
  JSON.stringify({ n, word: `w${n % WORDS}`, text: `text ${n} `.repeat(words) })

/** Writes documents, some of them again and some away, so that segments, tables and log have something of each. */
async function fill(domain: Domain, truth: Contents, from: number, count: number, random: () => number): Promise<void> {
  for (const index of INDICES) {
    truth[index] ??= {}
    const documents = truth[index]
    let lines = ''
    for (let n = from; n < from + count; n++) {
      const id = String(Math.floor(random() * 250))
      const source = sourceOf(n, 1 + (n % 97 === 0 ? 900 : Math.floor(random() * 25)))
      if (random() < 0.1) {
        lines += `{"delete":{"_id":"${id}"}}\n`
        delete documents[id]
      } else {
        lines += `{"index":{"_id":"${id}"}}\n${source}\n`
        documents[id] = source
      }
    }
    const { json } = await domain.ask('POST', `/${index}/_doc/_bulk`, lines)
    if (json.errors && !JSON.stringify(json).includes('not_found')) throw new Error('the bulk is refused')
  }
}

/** What is wrong, where nothing of an answer or the log tells so. */
async function faultsOf(domain: Domain, truth: Contents): Promise<{ silent: string[]; told: Set<string> }> {
  const silent: string[] = []
  const told = new Set<string>()
  const { json: there } = await domain.ask('GET', '/_cat/indices?format=json&h=index,status')
  const found = new Set((there as { index: string }[]).map(({ index }) => index))
  for (const [index, documents] of Object.entries(truth)) {
    if (!found.has(index)) {
      silent.push(`${index} is gone`)
      continue
    }
    for (let id = 0; id < 250; id++) {
      const { status, json } = await domain.ask('GET', `/${index}/_doc/${id}`)
      if (json.error !== undefined) told.add(`get ${json.error.type}`)
      else if (status === 404 ? documents[id] !== undefined : JSON.stringify(json._source) !== documents[id])
        silent.push(`${index}/${id} is ${status === 404 ? 'missing' : JSON.stringify(json._source).slice(0, 60)}`)
    }
    const { json: refreshed } = await domain.ask('POST', `/${index}/_refresh`)
    if (refreshed.error !== undefined) told.add(`refresh ${refreshed.error.type}`)
    const ids = (word: number) =>
      Object.entries(documents)
        .filter(([, source]) => source.includes(`"w${word}"`))
        .map(([id]) => id)
    for (let word = 0; word < WORDS; word++) {
      const query = { term: { 'word.keyword': `w${word}` } }
      const { json } = await domain.ask('POST', `/${index}/_search`, { size: 1_000, query })
      if (json.error !== undefined) told.add(`search ${json.error.type} ${json.error.reason ?? ''}`)
      else if (json._shards.failed > 0) told.add('search has failures')
      else {
        const hits = json.hits.hits as { _id: string; _source: object }[]
        if (String(hits.map(({ _id }) => _id).sort()) !== String(ids(word).sort()))
          silent.push(`${index}: w${word} finds ${hits.length} of ${ids(word).length}`)
        for (const { _id, _source } of hits)
          if (JSON.stringify(_source) !== documents[_id]) silent.push(`${index}/${_id} is found otherwise`)
      }
    }
    const aggs = { words: { terms: { field: 'word.keyword' } }, sum: { sum: { field: 'n' } } }
    const { json } = await domain.ask('POST', `/${index}/_search`, { size: 0, aggs })
    if (json.error !== undefined) told.add(`aggregation ${json.error.type}`)
    else {
      const sum = Object.values(documents).reduce((total, source) => total + JSON.parse(source).n, 0)
      if (json.aggregations.sum.value !== sum)
        silent.push(`${index}: a sum is ${json.aggregations.sum.value}, not ${sum}`)
    }
  }
  return { silent, told }
}

/** Opens a damaged copy twice, with writes in between. */
async function look(folder: string, truth: Contents, note: string): Promise<string> {
  const outcomes = new Set<string>()
  let isTold = false
  for (let start = 0; start < 2; start++) {
    let domain: Domain
    try {
      domain = await open(folder)
    } catch (error) {
      const { message } = error as Error
      if (!message.includes(folder)) console.log(`fault: ${note}: it does not start, and names no file: ${message}`)
      return [...outcomes, 'refused'].join('+')
    }
    const { silent, told } = await faultsOf(domain, truth)
    // Once is enough.
    isTold ||= told.size > 0 || domain.log.some((line) => !line.includes('building it again'))
    for (const one of told) outcomes.add(one)
    if (silent.length > 0) outcomes.add(isTold ? 'lost and told' : 'lost')
    if (silent.length > 0 && (!isTold || process.env['CHAJA_SHOW']))
      console.log(
        `${isTold ? 'told' : 'fault'}: ${note}: ${silent.length} ${silent.slice(0, 3)} ${[...told]} ${domain.log.slice(0, 2)}`,
      )
    if (domain.log.length > 0) outcomes.add('logged')
    if (process.env['CHAJA_SHOW'] && told.size > 0) console.log(`told: ${note}: ${[...told]} ${domain.log.slice(0, 2)}`)
    for (const index of INDICES) {
      const { status, json } = await domain.ask('PUT', `/${index}/_doc/new${start}`, { n: 0, word: 'new' })
      if (status < 300) (truth[index] as Record<string, string>)[`new${start}`] = '{"n":0,"word":"new"}'
      else if (!/cluster_block|closed|corrupt|index_not_found/.test(json.error?.type))
        outcomes.add(`write ${json.error?.type}`)
    }
    await domain.close()
  }
  return [...outcomes].sort().join('+') || 'well'
}

const random = seededRandom(Number(seed))
const root = mkdtempSync(join(tmpdir(), 'chaja-damage-'))
try {
  const made = join(root, 'made')
  const intact = join(root, 'intact')
  const older = join(root, 'older')
  const truth: Contents = {}
  const domain = await open(made)
  for (const index of INDICES) await domain.ask('PUT', `/${index}`, { settings: { refresh_interval: '-1' } })
  await fill(domain, truth, 0, 200, random)
  await domain.ask('POST', '/_flush')
  await fill(domain, truth, 200, 150, random)
  copyAsCrashed(made, older)
  await domain.ask('POST', '/_flush')
  await fill(domain, truth, 350, 200, random)
  await domain.ask('POST', '/_flush')
  await fill(domain, truth, 550, 60, random)
  copyAsCrashed(made, intact)
  await domain.close()
  const files = filesOf(intact).filter((file) => !file.endsWith('-lock'))
  const outcomes: Record<string, number> = {}
  for (let n = 0; n < Number(cases); n++) {
    const chance = seededRandom(Number(seed) * 1_000 + n)
    if (n < Number(first)) continue
    const folder = join(root, String(n))
    cpSync(intact, folder, { recursive: true })
    const note = `case ${n}, ${damageFile(folder, files, older, chance)}`
    console.log(note)
    const outcome = await look(folder, structuredClone(truth), note)
    outcomes[outcome] = (outcomes[outcome] ?? 0) + 1
    rmSync(folder, { recursive: true, force: true })
  }
  console.log(`outcomes ${JSON.stringify(outcomes)}`)
} finally {
  rmSync(root, { recursive: true, force: true })
}
