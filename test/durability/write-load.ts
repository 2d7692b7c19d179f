import type { DomainProcess } from '../../scripts/domain-process.ts'
import type { SoakLoad } from './soak-load.ts'

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

const INDEX = 'soak'
const DOCUMENTS_PER_CLIENT = 120

/** Writes documents of its own to an index it shares with others, so that it knows what each must be. */
export class WriteLoad implements SoakLoad {
  readonly #number: number
  readonly #random: () => number
  readonly #documents = new Map<string, Tracked>()
  readonly faults: string[] = []
  acknowledged = 0
  cutOff = 0
  #writes = 0

  constructor(number: number, random: () => number) {
    this.#number = number
    this.#random = random
  }

  async prepare(domain: DomainProcess): Promise<void> {
    if (this.#number !== 0) return
    const sort =
      this.#random() < 0.5 ? {} : { 'index.sort.field': ['client', 'write'], 'index.sort.order': ['desc', 'asc'] }
    const properties = { client: { type: 'integer' }, write: { type: 'long' } }
    const body = { settings: { refresh_interval: '100ms', ...sort }, mappings: { _doc: { properties } } }
    await call(domain, 'PUT', `/${INDEX}`, body)
  }

  /** Live documents by id. */
  #live(): [id: string, state: DocumentState][] {
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
  async compare(domain: DomainProcess): Promise<number> {
    const compared = await this.#compareById(domain)
    await this.#compareSearch(domain)
    return compared
  }

  async #compareById(domain: DomainProcess): Promise<number> {
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
      if (!matches && !applied) {
        this.faults.push(
          `${found._id}: acknowledged ${JSON.stringify(acknowledged)}, found ${JSON.stringify(found)}, under way ${JSON.stringify(pending)}`,
        )
      }
      if (source !== undefined && source.text !== textOf(source.write))
        this.faults.push(`${found._id}: half a document`)
      tracked.pending = []
      tracked.acknowledged = { version: found._version ?? 0, seqNo: found._seq_no, source }
    }
    return ids.length
  }

  /** A search after a refresh finds the live documents, each once, as they were acknowledged. */
  async #compareSearch(domain: DomainProcess): Promise<void> {
    await call(domain, 'POST', `/${INDEX}/_refresh`)
    const expected = new Map(this.#live())
    const mine = { term: { client: this.#number } }
    const response = await call(domain, 'POST', `/${INDEX}/_search`, { size: 10_000, query: mine })
    const { hits, total } = response['hits'] as { hits: FoundDocument[]; total: number }
    const seen = new Set<string>()
    for (const { _id, _source } of hits) {
      if (seen.has(_id)) this.faults.push(`${_id} is found twice`)
      seen.add(_id)
      if (!isSame(_source, expected.get(_id)?.source)) this.faults.push(`${_id} is found as ${JSON.stringify(_source)}`)
    }
    if (total !== expected.size || seen.size !== expected.size)
      this.faults.push(`a search finds ${total} (${seen.size}) documents of ${expected.size}`)
    const filter = [mine, { term: { text: 'w0' } }]
    const term = await call(domain, 'POST', `/${INDEX}/_search`, { size: 0, query: { bool: { filter } } })
    const found = (term['hits'] as { total: number }).total
    if (found !== expected.size) this.faults.push(`a term query finds ${found} documents of ${expected.size}`)
  }
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
