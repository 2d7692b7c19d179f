import type { DomainProcess } from '../../scripts/domain-process.ts'
import { ask } from './ask-domain.ts'
import type { SoakLoad } from './soak-load.ts'

const INDEX = 'contended'
const DOCUMENTS = 3

/** What each client has added to a document. */
type Shares = Record<string, number>

/**
 * Adds to documents that others add to at the same time, by `if_seq_no` of what was read before, by scripts or by whoever creates
 * one first. Each client counts its own share of a document, so that no other's write may undo it.
 */
export class ContendedLoad implements SoakLoad {
  readonly #client: string
  readonly #random: () => number
  /** Of each document: how often it was acknowledged that this client added to it. */
  readonly #shares = new Map<string, number>()
  #underWay: string | undefined
  readonly faults: string[] = []
  acknowledged = 0
  cutOff = 0

  constructor(number: number, random: () => number) {
    this.#client = `c${number}`
    this.#random = random
  }

  async work(domain: DomainProcess, killing: { readonly now: boolean }): Promise<void> {
    while (!killing.now) {
      const id = String(Math.floor(this.#random() * DOCUMENTS))
      try {
        if (this.#random() < 0.3) await this.#addByScript(domain, id)
        else await this.#addByNumber(domain, id)
      } catch (error) {
        await new Promise((resolve) => setTimeout(resolve, 5))
        if (!killing.now) this.faults.push(`${this.#client} of ${id}: ${(error as Error).message}`)
        return
      }
    }
  }

  /** Where another was quicker nothing may have changed. */
  async #addByNumber(domain: DomainProcess, id: string): Promise<void> {
    const { json } = await ask(domain, 'GET', `/${INDEX}/_doc/${id}`)
    const shares: Shares = json._source ?? {}
    const own = shares[this.#client] ?? 0
    if (own !== this.#shareOf(id)) throw new Error(`${own} are read where ${this.#shareOf(id)} were acknowledged`)
    const condition = json.found ? `if_seq_no=${json._seq_no}&if_primary_term=${json._primary_term}` : 'op_type=create'
    await this.#add(domain, id, 'PUT', `/${INDEX}/_doc/${id}?${condition}`, { ...shares, [this.#client]: own + 1 })
  }

  #addByScript(domain: DomainProcess, id: string): Promise<void> {
    const source = `ctx._source['${this.#client}'] = (ctx._source['${this.#client}'] ?: 0) + 1`
    const body = { script: source, upsert: { [this.#client]: 1 } }
    return this.#add(domain, id, 'POST', `/${INDEX}/_doc/${id}/_update?retry_on_conflict=3`, body)
  }

  async #add(domain: DomainProcess, id: string, method: string, path: string, body: object): Promise<void> {
    this.#underWay = id
    const { status } = await ask(domain, method, path, body)
    this.#underWay = undefined
    if (status === 409) return
    if (status >= 300) throw new Error(`it is answered with ${status}`)
    this.#shares.set(id, this.#shareOf(id) + 1)
    this.acknowledged++
  }

  async compare(domain: DomainProcess): Promise<number> {
    if (this.#underWay !== undefined) this.cutOff++
    for (let n = 0; n < DOCUMENTS; n++) {
      const id = String(n)
      const { json } = await ask(domain, 'GET', `/${INDEX}/_doc/${id}`)
      const found = (json._source as Shares | undefined)?.[this.#client] ?? 0
      const known = this.#shareOf(id)
      const mayBeMore = this.#underWay === id && found === known + 1
      if (found !== known && !mayBeMore)
        this.faults.push(`${this.#client} of ${id}: ${found} are there where ${known} were acknowledged`)
      const shares = Object.values((json._source as Shares | undefined) ?? {})
      const sum = shares.reduce((total, share) => total + share, 0)
      // Each addition is one version.
      if (json.found && json._version !== sum) this.faults.push(`${id}: version ${json._version} of ${sum} additions`)
      this.#shares.set(id, found)
    }
    this.#underWay = undefined
    return DOCUMENTS
  }

  #shareOf(id: string): number {
    return this.#shares.get(id) ?? 0
  }
}
