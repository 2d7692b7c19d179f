import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type DomainProcess, removeDataDir, startDomain } from '../../scripts/domain-process.ts'
import { Random } from '../../scripts/fuzz/random.ts'
import { checkSmallStore } from '../../src/engine/store/store-check.ts'

const INDICES = ['m1', 'm2', 'm3', 'm4', 'm5']
/** Written to by bulks of new ids alone: what was acknowledged of it stays. */
const KEPT = 'kept'
const IDS = 5_000
const MOST_UNDER_WAY = 40
const MINUTE_MS = 60_000

const WORDS = Array.from({ length: 3_000 }, (_, i) => `w${((i * 7_919) % 100_000).toString(36)}`)
const PROPERTIES = {
  title: { type: 'text', fields: { keyword: { type: 'keyword' } } },
  body: { type: 'text' },
  tags: { type: 'keyword' },
  year: { type: 'long' },
  price: { type: 'double' },
  at: { type: 'date' },
  place: { type: 'geo_point' },
  parts: { type: 'nested', properties: { a: { type: 'integer' }, b: { type: 'keyword' } } },
}

/** How a domain is loaded. */
export interface MixedLoadOptions {
  readonly durationMs: number
  /** Requests a second. */
  readonly rate: number
  readonly seed: number
  /**
   * Clients write large bulks of new ids without a pause, while a slow snapshot keeps pages from being used again and indices are removed,
   * which all ids that wait are written with: commits are large.
   */
  readonly isDense?: boolean
  /** Nothing is written that stays, so that what the domain holds does not grow, and nor may its memory. */
  readonly isSteady?: boolean
  /** Called every minute. */
  readonly onMinute?: (minute: number, load: MixedLoad) => void
}

/** What is read of answers; of others nothing is there. */
interface Answer {
  readonly items?: readonly { readonly index: { readonly status: number; readonly _id: string } }[]
  readonly docs?: readonly { readonly found?: boolean }[]
  readonly result?: string
  readonly _scroll_id?: string
  readonly count?: number
  readonly nodes?: Readonly<Record<string, { readonly jvm: { readonly mem: { readonly heap_used_in_bytes: number } } }>>
}

/**
 * A domain as it lives: writes over and over, bulks of ids in no order, searches and aggregations of many kinds, scrolls that are
 * left, requests that are given up, indices that come and go, snapshots, merges, closing and opening, all at once.
 *
 * A fault is an answer of the server's own fault (5xx), a line of its log that is an error, or, after a kill -9 and a start, a document
 * of those that were acknowledged and stay that is not there.
 */
export class MixedLoad {
  readonly faults: string[] = []
  /** Requests so far. */
  asked = 0
  /** Documents that were acknowledged and stay. */
  kept = 0
  /** Milliseconds that each get and search since the last minute took. */
  readonly waits: { readonly gets: number[]; readonly searches: number[] } = { gets: [], searches: [] }
  /** Bytes of the heap, as it tells itself; looked at every minute. */
  heapBytes = 0
  readonly #o: MixedLoadOptions
  readonly #random: Random
  readonly #repositories = mkdtempSync(join(tmpdir(), 'chaja-load-'))
  #domain: DomainProcess | undefined
  #made = 0
  /** Settles with the work of the last minute. */
  #minute = Promise.resolve()
  /** Ids of some that were acknowledged and stay. */
  readonly #someKept: string[] = []

  constructor(options: MixedLoadOptions) {
    this.#o = options
    this.#random = new Random(options.seed)
  }

  /** Of the domain's process. */
  get pid(): number {
    return this.#domain?.pid as number
  }

  /** Loads a domain, kills it and looks at what it has. Once. */
  async run(): Promise<void> {
    this.#domain = await this.#start()
    try {
      for (const name of INDICES)
        await this.#call('PUT', `/${name}`, { mappings: { _doc: { properties: PROPERTIES } } })
      await this.#call('PUT', `/${KEPT}`, { settings: { number_of_shards: 1 } })
      await this.#call('PUT', '/_snapshot/r', { type: 'fs', settings: { location: join(this.#repositories, 'r') } })
      await this.#load()
      await this.#domain.stop('SIGKILL')
      this.#checkPages(join(this.#domain.dataDir, 'store.mdb'))
      this.#domain = await this.#start(this.#domain.dataDir)
      await this.#call('POST', `/${KEPT}/_refresh`)
      const { count = 0 } = await this.#call('GET', `/${KEPT}/_count`)
      if (count < this.kept) this.faults.push(`${this.kept} documents were acknowledged, ${count} are there`)
      const { docs = [] } = await this.#call('POST', `/${KEPT}/_doc/_mget`, { ids: this.#someKept })
      const found = docs.filter((document) => document.found).length
      if (found < this.#someKept.length)
        this.faults.push(`${found} of ${this.#someKept.length} documents are got by their ids`)
      const { result } = await this.#call('PUT', `/${KEPT}/_doc/last`, {})
      if (result !== 'created') this.faults.push('no write is taken')
    } finally {
      await this.#domain.stop()
      removeDataDir(this.#domain.dataDir)
      rmSync(this.#repositories, { recursive: true, force: true })
    }
  }

  /** A start would look at some pages only while it is asked already. */
  #checkPages(path: string): void {
    try {
      checkSmallStore(path)
    } catch (error) {
      this.faults.push((error as Error).message)
    }
  }

  /** Starts it; lines of its log that are errors are faults. */
  async #start(dataDir?: string): Promise<DomainProcess> {
    const args = ['--engine-version', 'Elasticsearch_6.8', '--path-repo', this.#repositories]
    const started = await startDomain({ args, ...(dataDir === undefined ? {} : { dataDir }) })
    for (const stream of [started.child.stdout, started.child.stderr])
      stream?.on('data', (chunk: Buffer) => {
        for (const line of String(chunk).split('\n'))
          if (/"level":[56]0|^Error|internal error/.test(line)) this.faults.push(line)
      })
    return started
  }

  async #load(): Promise<void> {
    const { durationMs, rate, isDense, onMinute = () => {} } = this.#o
    const underWay = new Set<Promise<unknown>>()
    const begin = (work: Promise<unknown>): void => {
      const begun: Promise<unknown> = work.finally(() => underWay.delete(begun))
      underWay.add(begun)
    }
    const end = performance.now() + durationMs
    const keepOn = async () => {
      while (performance.now() < end) await this.#keepMany(5_000)
    }
    const removeNowAndThen = async () => {
      for (; performance.now() < end; await sleep(3_000)) await this.#comeAndGo()
    }
    if (isDense) {
      const settings = { location: join(this.#repositories, 'slow'), max_snapshot_bytes_per_sec: '10kb' }
      await this.#call('PUT', '/_snapshot/slow', { type: 'fs', settings })
      begin(keepOn())
      begin(keepOn())
      begin(removeNowAndThen())
      begin(sleep(durationMs / 8).then(() => this.#call('PUT', '/_snapshot/slow/s', { indices: KEPT })))
    }
    let minute = 0
    let nextMinute = performance.now() + MINUTE_MS
    while (performance.now() < end) {
      await sleep(1000 / rate)
      if (underWay.size < MOST_UNDER_WAY) begin(this.#next())
      if (performance.now() < nextMinute) continue
      nextMinute += MINUTE_MS
      minute++
      const current = minute
      const report = () => {
        onMinute(current, this)
        for (const waits of Object.values(this.waits)) waits.length = 0
      }
      begin(this.#eachMinute(current).then(report))
    }
    await Promise.all(underWay)
  }

  async #call(method: string, path: string, body?: object | readonly object[], giveUpMs?: number): Promise<Answer> {
    const isList = Array.isArray(body)
    const text = isList ? body.map((line) => `${JSON.stringify(line)}\n`).join('') : JSON.stringify(body)
    this.asked++
    try {
      const response = await fetch(`${this.#domain?.url}${path}`, {
        method,
        body: text ?? null,
        headers: { 'content-type': isList ? 'application/x-ndjson' : 'application/json' },
        signal: giveUpMs === undefined ? null : AbortSignal.timeout(giveUpMs),
      })
      const answer = await response.text()
      if (response.status >= 500) this.faults.push(`${method} ${path}: ${response.status} ${answer}`)
      return response.headers.get('content-type')?.startsWith('application/json') === true ? JSON.parse(answer) : {}
    } catch (error) {
      if (giveUpMs === undefined) this.faults.push(`${method} ${path}: ${error}`)
      return {}
    }
  }

  /** What is asked, by how often of a hundred. */
  readonly #kinds: readonly (readonly [number, (index: string) => Promise<unknown>])[] = [
    [18, (index) => this.#call('PUT', `/${index}/_doc/${this.#below(IDS)}`, this.#madeUp())],
    [4, (index) => this.#call('POST', `/${index}/_doc/_bulk`, this.#some(200, () => this.#overwritten()).flat())],
    [1, (index) => (this.#o.isSteady ? this.#scroll(index) : this.#keepMany())],
    [15, (index) => this.#timed('gets', this.#call('GET', `/${index}/_doc/${this.#below(IDS)}`))],
    [28, (index) => this.#timed('searches', this.#call('POST', `/${this.#manyOr(index)}/_search`, this.#search()))],
    [14, (index) => this.#call('POST', `/${index}/_search`, this.#aggregation())],
    [3, (index) => this.#call('POST', `/${index}/_search`, this.#aggregation(), 1 + this.#below(5))],
    [2, (index) => this.#scroll(index)],
    [
      2,
      (index) => this.#call('POST', `/${index}/_doc/${this.#below(IDS)}/_update`, { script: 'ctx._source.year += 1' }),
    ],
    [
      1,
      (index) =>
        this.#call('POST', `/${index}/_update_by_query?conflicts=proceed`, { query: { term: { year: this.#year() } } }),
    ],
    [
      1,
      (index) =>
        this.#call('POST', `/${index}/_delete_by_query?conflicts=proceed`, { query: { term: { tags: this.#word() } } }),
    ],
    [2, () => (this.#o.isDense ? this.#scroll(KEPT) : this.#comeAndGo())],
    [3, (index) => this.#call('POST', '/_msearch', this.#some(5, () => [{ index }, this.#search()]).flat())],
    [2, (index) => this.#call('POST', `/${index}/_doc/_mget`, { ids: this.#some(20, () => String(this.#below(IDS))) })],
    [
      2,
      () =>
        this.#call(
          'GET',
          this.#random.pick(['/_cat/indices', '/_nodes/stats', '/_cluster/health', '/_stats', '/_cat/segments']),
        ),
    ],
    [2, (index) => this.#call('POST', `/${index}/_refresh`)],
  ]

  async #timed(what: 'gets' | 'searches', call: Promise<unknown>): Promise<void> {
    const begun = performance.now()
    await call
    this.waits[what].push(performance.now() - begun)
  }

  #manyOr(index: string): string {
    return this.#below(4) === 0 ? 'm*' : index
  }

  #next(): Promise<unknown> {
    let at = this.#below(100)
    const index = this.#random.pick(INDICES)
    for (const [share, ask] of this.#kinds) {
      if (at < share) return ask(index)
      at -= share
    }
    return this.#keepMany()
  }

  async #keepMany(count = 2_000): Promise<void> {
    const lines = this.#some(count, () => [{ index: { _id: randomUUID() } }, {}]).flat()
    const { items = [] } = await this.#call('POST', `/${KEPT}/_doc/_bulk`, lines)
    const written = items.filter(({ index }) => index.status === 201)
    this.kept += written.length
    for (let i = 0; i < written.length; i += 500) this.#someKept.push(written[i]?.index._id as string)
  }

  async #scroll(index: string): Promise<void> {
    const { _scroll_id } = await this.#call('POST', `/${index}/_search?scroll=1m`, { size: 50 })
    // Many are left where they are.
    if (this.#below(2) === 0) await this.#call('POST', '/_search/scroll', { scroll: '1m', scroll_id: _scroll_id })
  }

  async #comeAndGo(): Promise<void> {
    const name = `brief-${this.#made++}`
    await this.#call('PUT', `/${name}`, { mappings: { _doc: { properties: PROPERTIES } } })
    for (let id = 0; id < 3; id++) await this.#call('PUT', `/${name}/_doc/${id}?refresh=true`, this.#madeUp())
    await this.#call('POST', `/${name}/_search`, this.#aggregation())
    await this.#call('DELETE', `/${name}`)
  }

  async #eachMinute(minute: number): Promise<void> {
    // On a slow machine a minute's work takes longer than that.
    const before = this.#minute
    this.#minute = before.then(() => this.#workOfMinute(minute))
    await this.#minute
  }

  async #workOfMinute(minute: number): Promise<void> {
    await this.#call('PUT', `/_snapshot/r/s${minute}?wait_for_completion=true`, { indices: `m1,m2,${KEPT}` })
    if (minute > 3) await this.#call('DELETE', `/_snapshot/r/s${minute - 3}`)
    if (minute % 3 === 0) await this.#call('POST', '/m3/_forcemerge?max_num_segments=1')
    if (minute % 4 === 0) {
      await this.#call('POST', '/m4/_close')
      await this.#call('POST', '/m4/_open')
    }
    const { nodes = {} } = await this.#call('GET', '/_nodes/stats/jvm')
    this.heapBytes = Object.values(nodes).reduce((sum, { jvm }) => sum + jvm.mem.heap_used_in_bytes, 0)
  }

  #below(end: number): number {
    return this.#random.whole(0, end - 1)
  }

  #some<T>(count: number, make: () => T): T[] {
    return Array.from({ length: count }, make)
  }

  #year(): number {
    return 1900 + this.#below(125)
  }

  /** Some words are far more frequent than others. */
  #word(): string {
    return WORDS[Math.floor((this.#below(3_000) * this.#below(3_000)) / 3_000)] as string
  }

  #words(least: number, most: number): string {
    return this.#some(least + this.#below(most - least), () => this.#word()).join(' ')
  }

  #madeUp(): object {
    return {
      title: this.#words(3, 13),
      body: this.#words(20, 100),
      year: this.#year(),
      price: this.#below(100_000) / 100,
      tags: [this.#word(), this.#word()],
      at: new Date(1.6e12 + this.#below(1e7) * 1e4).toISOString(),
      on: this.#below(2) === 0,
      place: { lat: this.#below(180) - 90, lon: this.#below(360) - 180 },
      parts: [1, 2].map(() => ({ a: this.#below(10), b: this.#word() })),
    }
  }

  #overwritten(): object[] {
    const id = { _id: String(this.#below(IDS)) }
    return this.#below(10) === 0 ? [{ delete: id }] : [{ index: id }, this.#madeUp()]
  }

  #search(): object {
    const below = (end: number) => this.#below(end)
    const word = () => this.#word()
    const words = () => this.#words(2, 3)
    const searches: readonly (() => object)[] = [
      () => ({ query: { match: { body: words() } }, highlight: { fields: { body: {} } } }),
      () => ({ query: { term: { tags: word() } } }),
      () => ({
        query: {
          bool: { must: { match: { title: word() } }, filter: { range: { year: { gte: 1900 + below(100) } } } },
        },
      }),
      () => ({ query: { wildcard: { body: `*${word().slice(1, 3)}*` } } }),
      () => ({ query: { fuzzy: { title: word() } } }),
      () => ({ query: { range: { price: { lte: below(1_000) } } }, sort: [{ price: 'desc' }], size: 20 }),
      () => ({ sort: [{ 'title.keyword': 'asc' }], from: below(200) }),
      () => ({ query: { match_phrase: { body: words() } } }),
      () => ({ query: { nested: { path: 'parts', query: { term: { 'parts.a': below(10) } }, inner_hits: {} } } }),
      () => ({ query: { geo_distance: { distance: '1000km', place: { lat: below(90), lon: below(180) } } } }),
      () => ({
        query: {
          function_score: { query: { match: { title: word() } }, script_score: { script: "doc['price'].value * 2" } },
        },
      }),
      () => ({ query: { terms: { tags: this.#some(30, word) } }, collapse: { field: 'year' } }),
      () => ({ suggest: { s: { text: `${word()}x`, term: { field: 'body' } } } }),
    ]
    return this.#random.pick(searches)()
  }

  #aggregation(): object {
    const aggregations: readonly object[] = [
      { terms: { field: 'tags', size: 20 }, aggs: { p: { avg: { field: 'price' } } } },
      { date_histogram: { field: 'at', interval: 'month' }, aggs: { c: { cardinality: { field: 'tags' } } } },
      { percentiles: { field: 'price' } },
      { geohash_grid: { field: 'place', precision: 2 } },
      { nested: { path: 'parts' }, aggs: { b: { terms: { field: 'parts.b' } } } },
      { composite: { sources: [{ t: { terms: { field: 'tags' } } }, { y: { terms: { field: 'year' } } }] } },
      { significant_terms: { field: 'tags' } },
    ]
    const query = { range: { year: { gte: 1900 + this.#below(100) } } }
    return { size: 0, query, aggs: { a: this.#random.pick(aggregations) } }
  }
}
