import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type DomainProcess, startDomain } from '../../scripts/domain-process.ts'
import { IndexClient } from './index-client.ts'
import { seededRandom } from './seeded-random.ts'

/** What a document must look like: its last acknowledged write. */
interface DocumentState {
  readonly version: number
  readonly seqNo: number | undefined
  /** Undefined: deleted. */
  readonly source: Source | undefined
}

interface Source {
  readonly client: number
  readonly write: number
  /** As long as `write` says: half a document would show. */
  readonly text: string
  readonly updated?: number
}

/** A document as a client sees it: what was acknowledged, and what may have come on top of it. */
interface Tracked {
  acknowledged: DocumentState
  /** Outcomes of the request that was under way, if any of it was applied. */
  pending: { readonly source: Source | undefined }[]
}

/** What a soak found. */
export interface SoakReport {
  readonly rounds: number
  readonly acknowledged: number
  /** Of those that made, changed or removed indices and what goes with them, or wrote to many documents. */
  readonly operations: number
  /** Requests that were under way when the process was killed, and how many of their writes turned out to be applied. */
  readonly cutOff: number
  readonly cutOffApplied: number
  readonly compared: number
  readonly faults: readonly string[]
  readonly slowestStartMs: number
  readonly log: readonly string[]
}

const INDEX = 'soak'
const DOCUMENTS_PER_CLIENT = 120

/**
 * Lets several clients write to a real server, kills it with SIGKILL at a random moment, starts it again and compares
 * everything with what was acknowledged; as often as asked.
 */
export async function runKillSoak(options: {
  readonly rounds: number
  readonly seed: number
  /** That write to one index. */
  readonly clients?: number
  /** That make and remove indices. */
  readonly indexClients?: number
  readonly onRound?: (round: number, faults: number) => void
}): Promise<SoakReport> {
  const random = seededRandom(options.seed)
  const dataDir = mkdtempSync(join(tmpdir(), 'chaja-soak-'))
  const clients = Array.from({ length: options.clients ?? 6 }, (_, i) => new SoakClient(i, random))
  const indexClients = Array.from({ length: options.indexClients ?? 3 }, (_, i) => new IndexClient(i, random))
  const faults: string[] = []
  const log: string[] = []
  let slowestStartMs = 0
  let compared = 0
  const start = async () => {
    const started = await startDomain({ dataDir })
    started.child.stderr?.on('data', (chunk: Buffer) => log.push(...interesting(String(chunk))))
    return started
  }
  let domain = await start()
  try {
    await call(domain, 'PUT', `/${INDEX}`, { settings: { refresh_interval: '100ms' } })
    for (let round = 0; round < options.rounds; round++) {
      const killing = { now: false }
      const working = [...clients, ...indexClients].map((client) => client.work(domain, killing))
      await new Promise((resolve) => setTimeout(resolve, 30 + random() * 700))
      killing.now = true
      await domain.stop('SIGKILL')
      await Promise.all(working)
      domain = await start()
      slowestStartMs = Math.max(slowestStartMs, domain.readyMs)
      for (const client of clients) compared += await client.compare(domain, faults)
      await compareSearch(domain, clients, faults).catch((error: Error) => faults.push(error.message))
      for (const client of indexClients) compared += await client.compare(domain)
      for (const client of [...clients, ...indexClients]) faults.push(...client.faults.splice(0))
      options.onRound?.(round + 1, faults.length)
      if (faults.length > 20) break
    }
  } finally {
    await domain.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
  const sum = (of: (client: SoakClient) => number) => clients.reduce((total, client) => total + of(client), 0)
  return {
    rounds: options.rounds,
    acknowledged: sum((c) => c.acknowledged),
    operations: indexClients.reduce((total, client) => total + client.acknowledged, 0),
    cutOff: sum((c) => c.cutOff) + indexClients.reduce((total, client) => total + client.cutOff, 0),
    cutOffApplied: sum((c) => c.cutOffApplied),
    compared,
    faults,
    slowestStartMs,
    log,
  }
}

/** One client: one request at a time, on documents of its own, so that it knows what each must be. */
class SoakClient {
  readonly #number: number
  readonly #random: () => number
  readonly #documents = new Map<string, Tracked>()
  readonly faults: string[] = []
  acknowledged = 0
  cutOff = 0
  cutOffApplied = 0
  #writes = 0

  constructor(number: number, random: () => number) {
    this.#number = number
    this.#random = random
  }

  /** Live documents by id. */
  live(): [id: string, state: DocumentState][] {
    return [...this.#documents]
      .map(([id, { acknowledged }]): [string, DocumentState] => [id, acknowledged])
      .filter(([, state]) => state.source !== undefined)
  }

  /** Writes until the server is gone. */
  async work(domain: DomainProcess, killing: { now: boolean }): Promise<void> {
    while (!killing.now) {
      try {
        const dice = this.#random()
        if (dice < 0.4) await this.#single(domain)
        else if (dice < 0.96) await this.#bulk(domain)
        else if (dice < 0.98) await call(domain, 'POST', `/${INDEX}/_flush`)
        else await call(domain, 'POST', `/${INDEX}/_forcemerge?max_num_segments=${1 + Math.floor(this.#random() * 3)}`)
      } catch (error) {
        // The connection broke: what was under way may be there or not.
        if (!killing.now) {
          await new Promise((resolve) => setTimeout(resolve, 5))
          if (!killing.now) this.faults.push(`client ${this.#number}: ${(error as Error).message}`)
        }
        return
      }
    }
  }

  async #single(domain: DomainProcess): Promise<void> {
    const [id, tracked] = this.#pick()
    const exists = tracked.acknowledged.source !== undefined
    const dice = this.#random()
    if (dice < 0.25 && exists) {
      tracked.pending.push({ source: undefined })
      this.#settle(tracked, undefined, await this.#send(domain, 'DELETE', `/${INDEX}/_doc/${id}`))
    } else if (dice < 0.5 && exists) {
      const source = { ...(tracked.acknowledged.source as Source), updated: ++this.#writes }
      tracked.pending.push({ source })
      const body = { doc: { updated: source.updated } }
      this.#settle(tracked, source, await this.#send(domain, 'POST', `/${INDEX}/_doc/${id}/_update`, body))
    } else {
      const source = this.#source()
      tracked.pending.push({ source })
      this.#settle(tracked, source, await this.#send(domain, 'PUT', `/${INDEX}/_doc/${id}`, source))
    }
  }

  async #bulk(domain: DomainProcess): Promise<void> {
    const lines: string[] = []
    const items: { tracked: Tracked; source: Source | undefined }[] = []
    const used = new Set<string>()
    const count = 1 + Math.floor(this.#random() * 40)
    for (let i = 0; i < count; i++) {
      const [id, tracked] = this.#pick()
      if (used.has(id)) continue
      used.add(id)
      const exists = tracked.acknowledged.source !== undefined
      const dice = this.#random()
      let source: Source | undefined
      if (dice < 0.2 && exists) lines.push(JSON.stringify({ delete: { _type: '_doc', _id: id } }))
      else if (dice < 0.4 && exists) {
        source = { ...(tracked.acknowledged.source as Source), updated: ++this.#writes }
        lines.push(
          JSON.stringify({ update: { _type: '_doc', _id: id } }),
          JSON.stringify({ doc: { updated: source.updated } }),
        )
      } else {
        source = this.#source()
        lines.push(JSON.stringify({ index: { _type: '_doc', _id: id } }), JSON.stringify(source))
      }
      tracked.pending.push({ source })
      items.push({ tracked, source })
    }
    const response = await this.#send(domain, 'POST', `/${INDEX}/_bulk`, `${lines.join('\n')}\n`)
    const answers = response['items'] as Record<string, WriteAnswer>[]
    for (const [i, { tracked, source }] of items.entries()) {
      const answer = Object.values(answers[i] ?? {})[0] as WriteAnswer
      if (answer.error !== undefined) this.faults.push(`bulk item refused: ${JSON.stringify(answer)}`)
      this.#settle(tracked, source, answer)
    }
  }

  async #send(domain: DomainProcess, method: string, path: string, body?: unknown): Promise<WriteAnswer> {
    this.cutOff++
    const answer = await call(domain, method, path, body)
    this.cutOff--
    return answer
  }

  #settle(tracked: Tracked, source: Source | undefined, answer: WriteAnswer): void {
    tracked.pending = []
    tracked.acknowledged = { version: answer._version, seqNo: answer._seq_no, source }
    this.acknowledged++
  }

  #source(): Source {
    const write = ++this.#writes
    return { client: this.#number, write, text: textOf(write) }
  }

  #pick(): [string, Tracked] {
    const id = `c${this.#number}-${Math.floor(this.#random() * DOCUMENTS_PER_CLIENT)}`
    let tracked = this.#documents.get(id)
    if (tracked === undefined) {
      tracked = { acknowledged: { version: 0, seqNo: undefined, source: undefined }, pending: [] }
      this.#documents.set(id, tracked)
    }
    return [id, tracked]
  }

  /** Gets every document and compares; what a cut-off request did or did not do is known afterwards. */
  async compare(domain: DomainProcess, faults: string[]): Promise<number> {
    const ids = [...this.#documents.keys()]
    if (ids.length === 0) return 0
    const response = await call(domain, 'POST', `/${INDEX}/_mget`, { docs: ids.map((_id) => ({ _type: '_doc', _id })) })
    for (const found of response['docs'] as FoundDocument[]) {
      const tracked = this.#documents.get(found._id) as Tracked
      const { acknowledged, pending } = tracked
      const source = found.found ? found._source : undefined
      const same = isSame(source, acknowledged.source)
      const matches =
        same &&
        (source === undefined ||
          (found._version === acknowledged.version &&
            (acknowledged.seqNo === undefined || found._seq_no === acknowledged.seqNo)))
      const applied =
        pending.some((p) => isSame(source, p.source)) && !(same && found._version === acknowledged.version)
      if (applied) this.cutOffApplied++
      if (!matches && !applied) {
        faults.push(
          `${found._id}: acknowledged ${JSON.stringify(acknowledged)}, found ${JSON.stringify(found)}, under way ${JSON.stringify(pending)}`,
        )
      }
      if (source !== undefined && source.text !== textOf(source.write)) faults.push(`${found._id}: half a document`)
      tracked.pending = []
      tracked.acknowledged = { version: found._version ?? 0, seqNo: found._seq_no, source }
    }
    return ids.length
  }
}

/** A search after a refresh finds the live documents, each once, as they were acknowledged. */
async function compareSearch(domain: DomainProcess, clients: readonly SoakClient[], faults: string[]): Promise<void> {
  await call(domain, 'POST', `/${INDEX}/_refresh`)
  const expected = new Map(clients.flatMap((client) => client.live()))
  const response = await call(domain, 'POST', `/${INDEX}/_search`, { size: 10_000, query: { match_all: {} } })
  const { hits, total } = response['hits'] as { hits: FoundDocument[]; total: number }
  const seen = new Set<string>()
  for (const { _id, _source } of hits) {
    if (seen.has(_id)) faults.push(`${_id} is found twice`)
    seen.add(_id)
    if (!isSame(_source, expected.get(_id)?.source)) faults.push(`${_id} is found as ${JSON.stringify(_source)}`)
  }
  if (total !== expected.size || seen.size !== expected.size) {
    faults.push(`a search finds ${total} (${seen.size}) documents of ${expected.size}`)
  }
  const term = await call(domain, 'POST', `/${INDEX}/_search`, { size: 0, query: { term: { text: 'w0' } } })
  const found = (term['hits'] as { total: number }).total
  if (found !== expected.size) faults.push(`a term query finds ${found} documents of ${expected.size}`)
}

interface WriteAnswer {
  readonly [name: string]: unknown
  readonly _version: number
  readonly _seq_no: number
}

interface FoundDocument {
  readonly _id: string
  readonly found: boolean
  readonly _version?: number
  readonly _seq_no?: number
  readonly _source: Source
}

const textOf = (write: number): string => Array.from({ length: 1 + (write % 40) }, (_, i) => `w${i}`).join(' ')

const isSame = (a: Source | undefined, b: Source | undefined): boolean =>
  a?.client === b?.client && a?.write === b?.write && a?.updated === b?.updated && a?.text === b?.text

/** Lines of the log worth keeping: warnings and errors but the one about open domains. */
function interesting(chunk: string): string[] {
  return chunk.split('\n').filter((line) => /"level":(40|50|60)/.test(line) && !line.includes('unsigned requests'))
}

/** A request with a JSON answer. @throws {Error} when the connection breaks or the status is not 2xx or a 404 of a document */
async function call(domain: DomainProcess, method: string, path: string, body?: unknown): Promise<WriteAnswer> {
  const response = await fetch(`${domain.url}${path}`, {
    method,
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    headers: { 'content-type': typeof body === 'string' ? 'application/x-ndjson' : 'application/json' },
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path} is answered with ${response.status}: ${text.slice(0, 300)}`)
  return JSON.parse(text) as WriteAnswer
}
