import { type DomainProcess, removeDataDir, startDomain } from '../../scripts/domain-process.ts'
import { seededRandom } from './seeded-random.ts'

/** What a document said when it was read or written; undefined: it was not there. */
type Content = { readonly n: number; readonly by: string } | undefined

/** A call on one document as its client saw it: when it began and ended, in ms. */
interface Step {
  readonly id: string
  readonly call: string
  readonly start: number
  end: number
}

/** A change that was carried out. */
interface Change extends Step {
  readonly seqNo: number
  readonly version: number
  /** What it must have found: anything, something, nothing, or what one number of sequence had written. */
  readonly found: 'any' | 'something' | 'nothing' | number
  /** What it makes of that. */
  readonly makes: (before: Content) => Content
}

/** A read, with the number of sequence of what it saw. */
interface Read extends Step {
  readonly content: Content
  readonly seqNo: number | undefined
}

/** A search, begun after a refresh that began at `refreshed`; hits by id. */
interface Search {
  readonly refreshed: number
  readonly start: number
  readonly end: number
  readonly hits: ReadonlyMap<string, Read>
}

/** What several clients did to the same documents. */
export interface History {
  readonly changes: Change[]
  readonly reads: Read[]
  readonly searches: Search[]
  /** What no order of calls explains, found at once. */
  readonly faults: string[]
}

const INDEX = 'shared'

/** Lets clients change and read the same few documents, all at once, and notes what each of them saw. */
export async function recordHistory(options: {
  readonly seed: number
  readonly ms: number
  readonly clients: number
  readonly documents: number
}): Promise<History> {
  const domain = await startDomain({ args: ['--engine-version', 'OpenSearch_2.19'] })
  const history: History = { changes: [], reads: [], searches: [], faults: [] }
  try {
    const settings = { number_of_shards: 1, refresh_interval: '20ms' }
    await ask(domain, 'PUT', `/${INDEX}`, { settings })
    const until = performance.now() + options.ms
    const clients = Array.from(
      { length: options.clients },
      (_, i) => new Client(domain, history, `c${i}`, seededRandom(options.seed * 100 + i), options.documents),
    )
    await Promise.all(clients.map((client) => client.work(until)))
  } finally {
    await domain.stop()
    removeDataDir(domain.dataDir)
  }
  return history
}

class Client {
  readonly #domain: DomainProcess
  readonly #history: History
  readonly #name: string
  readonly #random: () => number
  readonly #documents: number
  #writes = 0

  constructor(domain: DomainProcess, history: History, name: string, random: () => number, documents: number) {
    this.#domain = domain
    this.#history = history
    this.#name = name
    this.#random = random
    this.#documents = documents
  }

  async work(until: number): Promise<void> {
    while (performance.now() < until) {
      const dice = this.#below(100)
      if (dice < 60) await this.#single(await this.#order(this.#id()))
      else if (dice < 75) await this.#bulk()
      else if (dice < 92) await this.#get(this.#id())
      else await this.#search(dice < 96)
    }
  }

  #below(n: number): number {
    return Math.floor(this.#random() * n)
  }

  #id(): string {
    return String(this.#below(this.#documents))
  }

  /** A change to make: how it is asked for, and what it would make of the document. */
  async #order(id: string): Promise<Order> {
    const by = `${this.#name}-${++this.#writes}`
    const source = { n: this.#below(1_000), by }
    const dice = this.#below(100)
    if (dice < 30) return { id, op: 'index', source, found: 'any', makes: () => source }
    if (dice < 45) return { id, op: 'create', source, found: 'nothing', makes: () => source }
    if (dice < 60) return { id, op: 'delete', found: 'any', makes: () => undefined }
    if (dice < 85)
      return { id, op: 'update', source: { by }, found: 'something', makes: (c) => ({ n: (c?.n ?? 0) + 1, by }) }
    const seen = await this.#get(id)
    if (seen === undefined) return { id, op: 'index', source, found: 'any', makes: () => source }
    return { id, op: 'index', source, ifSeqNo: seen, found: seen, makes: () => source }
  }

  async #single({ id, op, source, ifSeqNo, found, makes }: Order): Promise<void> {
    const condition = ifSeqNo === undefined ? '' : `?if_seq_no=${ifSeqNo}&if_primary_term=1`
    const [method, path, body] = {
      index: ['PUT', `_doc/${id}${condition}`, source] as const,
      create: ['PUT', `_create/${id}`, source] as const,
      delete: ['DELETE', `_doc/${id}`, undefined] as const,
      update: ['POST', `_update/${id}`, updateBody(source?.by)] as const,
    }[op]
    const start = performance.now()
    const { status, json } = await ask(this.#domain, method, `/${INDEX}/${path}`, body)
    this.#note({ id, op, found, makes, source, ifSeqNo }, start, performance.now(), status, json)
  }

  async #bulk(): Promise<void> {
    const ids = new Set(Array.from({ length: 1 + this.#below(8) }, () => this.#id()))
    const orders: Order[] = []
    for (const id of ids) orders.push(await this.#order(id))
    const lines = orders.flatMap(({ id, op, source, ifSeqNo }) => [
      { [op]: { _id: id, ...(ifSeqNo === undefined ? {} : { if_seq_no: ifSeqNo, if_primary_term: 1 }) } },
      ...(op === 'delete' ? [] : [op === 'update' ? updateBody(source?.by) : source]),
    ])
    const start = performance.now()
    const body = lines.map((line) => `${JSON.stringify(line)}\n`).join('')
    const { json } = await ask(this.#domain, 'POST', `/${INDEX}/_bulk`, body)
    const end = performance.now()
    for (const [i, order] of orders.entries()) {
      const answer = json.items[i][order.op]
      this.#note(order, start, end, answer.status, answer)
    }
  }

  // biome-ignore lint/suspicious/noExplicitAny: an answer
  #note({ id, op, found, makes }: Order, start: number, end: number, status: number, json: any): void {
    if (status === 409 || (status === 404 && op === 'update')) return
    if (status > 201 && !(status === 404 && op === 'delete')) {
      this.#history.faults.push(`${op} ${id} is answered with ${status}: ${JSON.stringify(json)}`)
      return
    }
    const was = op === 'delete' ? (json.result === 'deleted' ? 'something' : 'nothing') : wasThere(json.result, found)
    this.#history.changes.push({
      id,
      call: `${op} by ${this.#name}`,
      start,
      end,
      seqNo: json._seq_no,
      version: json._version,
      found: was,
      makes,
    })
  }

  /** Reads a document; answers the number of sequence it has. */
  async #get(id: string): Promise<number | undefined> {
    const start = performance.now()
    const { json } = await ask(this.#domain, 'GET', `/${INDEX}/_doc/${id}`)
    const seqNo = json._seq_no as number | undefined
    const end = performance.now()
    this.#history.reads.push({ id, call: `get by ${this.#name}`, start, end, content: json._source, seqNo })
    return seqNo
  }

  /** Searches behind a refresh, at once or page by page while others write on. */
  async #search(scrolls: boolean): Promise<void> {
    const refreshed = performance.now()
    await ask(this.#domain, 'POST', `/${INDEX}/_refresh`)
    const start = performance.now()
    const query = { size: scrolls ? 2 : 1_000, seq_no_primary_term: true, sort: ['_doc'] }
    const first = await ask(this.#domain, 'POST', `/${INDEX}/_search${scrolls ? '?scroll=1m' : ''}`, query)
    const end = performance.now()
    const hits = new Map<string, Read>()
    let page = first.json
    let count = 0
    for (;;) {
      for (const { _id: id, _source: content, _seq_no: seqNo } of page.hits.hits) {
        count++
        hits.set(id, { id, call: `search by ${this.#name}`, start, end, content, seqNo })
      }
      if (!scrolls || page.hits.hits.length === 0) break
      page = (await ask(this.#domain, 'POST', '/_search/scroll', { scroll: '1m', scroll_id: page._scroll_id })).json
    }
    if (scrolls) await ask(this.#domain, 'DELETE', '/_search/scroll', { scroll_id: page._scroll_id })
    if (count !== hits.size) this.#history.faults.push(`a search finds ${count} hits of ${hits.size} documents`)
    if (count !== first.json.hits.total.value)
      this.#history.faults.push(`a search counts ${first.json.hits.total.value} documents and shows ${count}`)
    this.#history.searches.push({ refreshed, start, end, hits })
  }
}

interface Order {
  readonly id: string
  readonly op: 'index' | 'create' | 'delete' | 'update'
  readonly source?: { readonly n?: number; readonly by: string } | undefined
  readonly ifSeqNo?: number | undefined
  readonly found: Change['found']
  readonly makes: Change['makes']
}

const wasThere = (result: string, found: Change['found']): Change['found'] =>
  found === 'any' ? (result === 'created' ? 'nothing' : 'something') : found

const updateBody = (by: string | undefined) => ({
  script: { source: 'ctx._source.n += 1; ctx._source.by = params.by', params: { by } },
})

/**
 * Looks whether one order of the changes, that of their numbers of sequence, explains all that was seen: what each
 * change found, what each read and search saw, and that what had been answered was seen by what was asked afterwards.
 */
export function faultsOf({ changes, reads, searches, faults }: History): string[] {
  const found = [...faults]
  const seen = new Set<number>()
  for (const { seqNo, call } of changes) {
    if (seen.has(seqNo)) found.push(`${call} has the number of sequence ${seqNo}, which another has, too`)
    seen.add(seqNo)
  }
  const byId = new Map<string, Change[]>()
  for (const change of changes) byId.set(change.id, [...(byId.get(change.id) ?? []), change])
  const contents = new Map<number, Content>()
  for (const [id, steps] of byId) {
    steps.sort((a, b) => a.seqNo - b.seqNo)
    let content: Content
    let before: Change | undefined
    let latestStart = 0
    for (const step of steps) {
      const what = `${step.call} of ${id} (${step.seqNo})`
      const version = (before?.version ?? 0) + 1
      if (step.version !== version) found.push(`${what} has the version ${step.version}, where ${version} is next`)
      if (step.end < latestStart) found.push(`${what} was answered before one began that comes before it`)
      if (typeof step.found === 'number' ? step.found !== before?.seqNo : isThere(step.found, content) === false)
        found.push(`${what} found ${step.found}, where there was ${JSON.stringify(content)} of ${before?.seqNo}`)
      content = step.makes(content)
      contents.set(step.seqNo, content)
      latestStart = Math.max(latestStart, step.start)
      before = step
    }
  }
  const check = (read: Read, mustSee: number): void => {
    const steps = byId.get(read.id) ?? []
    const least = steps.findLastIndex((step) => step.end < mustSee)
    const most = steps.findLastIndex((step) => step.start < read.end)
    const what = `${read.call} of ${read.id} (${read.seqNo})`
    if (read.seqNo === undefined) {
      // Before the first change there was nothing.
      const possible = steps.slice(Math.max(least, 0), most + 1)
      if (least >= 0 && possible.every((step) => contents.get(step.seqNo) !== undefined))
        found.push(`${what} sees nothing, where it must see ${steps[least]?.seqNo} or what came after`)
      return
    }
    const at = steps.findIndex((step) => step.seqNo === read.seqNo)
    if (at < least || at > most || at < 0)
      found.push(`${what} is none of those it may see, ${steps[least]?.seqNo} to ${steps[most]?.seqNo}`)
    const content = contents.get(read.seqNo)
    if (JSON.stringify(sorted(content)) !== JSON.stringify(sorted(read.content)))
      found.push(`${what} reads ${JSON.stringify(read.content)}, where ${JSON.stringify(content)} was written`)
  }
  for (const read of reads) check(read, read.start)
  for (const { refreshed, start, end, hits } of searches) {
    for (const id of byId.keys())
      check(hits.get(id) ?? { id, call: 'search', start, end, content: undefined, seqNo: undefined }, refreshed)
  }
  return found
}

const isThere = (found: Change['found'], content: Content): boolean =>
  found === 'any' || (found === 'something') === (content !== undefined)

const sorted = (content: Content) => (content === undefined ? undefined : { n: content.n, by: content.by })

async function ask(
  domain: DomainProcess,
  method: string,
  path: string,
  body?: unknown,
  // biome-ignore lint/suspicious/noExplicitAny: the answers of many endpoints
): Promise<{ readonly status: number; readonly json: any }> {
  const response = await fetch(`${domain.url}${path}`, {
    method,
    headers: { 'content-type': typeof body === 'string' ? 'application/x-ndjson' : 'application/json' },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  return { status: response.status, json: await response.json() }
}
