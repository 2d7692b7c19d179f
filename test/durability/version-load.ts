import type { DomainProcess } from '../../scripts/domain-process.ts'
import { ask } from './ask-domain.ts'
import { type Facts, ModelLoad, type Step } from './model-load.ts'

const DOCUMENTS = 60

/** A document: what it says, how often it was written (or its outer version), where to and its number. */
type Fact = readonly [n: number, version: number, routing: string, seqNo: number]

/**
 * Writes with versions of its own, under conditions that hold and that do not, with routing, in bulks of which some fail, and
 * makes documents again that were deleted. One client has its index to itself, so that it knows every sequence number.
 */
export class VersionLoad extends ModelLoad {
  readonly #index = `versions${this.number}`

  protected step(): Step {
    const seqNo = this.facts['seq_no'] as number | undefined
    if (seqNo === undefined)
      return {
        method: 'PUT',
        path: `/${this.#index}`,
        body: { settings: { 'index.translog.durability': this.number % 2 === 0 ? 'request' : 'async' } },
        facts: { seq_no: -1 },
      }
    const id = String(this.below(DOCUMENTS))
    const isExternal = Number(id) % 3 === 0
    const known = this.facts[id] as Fact | undefined
    const path = `/${this.#index}/_doc/${id}?routing=${routingOf(id)}`
    const n = this.next()
    const after = seqNo + 1
    if (this.below(4) === 0) return this.#bulk(after)
    if (isExternal) {
      // Greater than any before, deleted or not.
      const version = n * 10
      const written = { method: 'PUT', path: `${path}&version_type=external&version=${version}`, body: { n } }
      if (known !== undefined && this.below(5) === 0)
        return { ...written, path: `${path}&version_type=external&version=${known[1]}`, facts: {}, status: 409 }
      return { ...written, facts: { [id]: [n, version, routingOf(id), after], seq_no: after } }
    }
    if (known === undefined)
      return {
        method: 'PUT',
        path: `${path}&op_type=create`,
        body: { n },
        facts: {
          [id]: [n, this.#versionOf(id) + 1, routingOf(id), after],
          [`written ${id}`]: this.#versionOf(id) + 1,
          seq_no: after,
        },
      }
    const dice = this.below(10)
    if (dice < 2) return { method: 'PUT', path: `${path}&op_type=create`, body: { n }, facts: {}, status: 409 }
    if (dice < 4) {
      const facts = { [id]: undefined, [`written ${id}`]: known[1] + 1, seq_no: after }
      return { method: 'DELETE', path, facts }
    }
    const condition = `&if_primary_term=1&if_seq_no=${known[3]}`
    const wrong = `&if_primary_term=1&if_seq_no=${known[3] + 1}`
    if (dice < 6) return { method: 'PUT', path: path + wrong, body: { n }, facts: {}, status: 409 }
    return {
      method: 'PUT',
      path: path + condition,
      body: { n },
      facts: { [id]: [n, known[1] + 1, routingOf(id), after], [`written ${id}`]: known[1] + 1, seq_no: after },
    }
  }

  /** Of which some items fail: a create of what is there, a text that is no object. */
  #bulk(from: number): Step {
    const ids = [...new Set(Array.from({ length: 2 + this.below(12) }, () => String(this.below(DOCUMENTS))))]
    const facts: Facts = {}
    let seqNo = from - 1
    const statuses: number[] = []
    const lines = ids
      .filter((id) => Number(id) % 3 !== 0)
      .map((id) => {
        const n = this.next()
        const known = this.facts[id] as Fact | undefined
        const head = { _id: id, routing: routingOf(id) }
        if (this.below(4) === 0) {
          statuses.push(400)
          return `${JSON.stringify({ index: head })}\n{"n":"no number ${n}"}\n`
        }
        if (known !== undefined && this.below(4) === 0) {
          statuses.push(409)
          return `${JSON.stringify({ create: head })}\n{"n":${n}}\n`
        }
        const version = (known?.[1] ?? this.#versionOf(id)) + 1
        facts[id] = [n, version, routingOf(id), ++seqNo]
        facts[`written ${id}`] = version
        statuses.push(known === undefined ? 201 : 200)
        return `${JSON.stringify({ index: head })}\n{"n":${n}}\n`
      })
    // The first value of the field says what it is.
    if (lines.length === 0 || this.facts['seq_no'] === -1) return { method: 'GET', path: `/${this.#index}`, facts: {} }
    facts['seq_no'] = seqNo
    return {
      method: 'POST',
      path: `/${this.#index}/_doc/_bulk`,
      body: lines.join(''),
      facts,
      inParts: true,
      check: ({ json }) => {
        const found = json.items.map((item: Record<string, { status: number }>) => Object.values(item)[0]?.status)
        return String(found) === String(statuses) ? undefined : `items are not answered with ${statuses}`
      },
    }
  }

  /** Of one that was deleted, too: its deletion is remembered for longer than a soak is. */
  #versionOf(id: string): number {
    return (this.facts[`written ${id}`] as number | undefined) ?? 0
  }

  protected override isInBetween(name: string, found: unknown, before: unknown, after: unknown): boolean {
    return name === 'seq_no' && Number(found) > Number(before) && Number(found) < Number(after)
  }

  protected async read(domain: DomainProcess): Promise<Facts> {
    const { status, json } = await ask(domain, 'GET', `/${this.#index}/_stats?level=shards`)
    if (status === 404) return {}
    const { shards } = json.indices[this.#index]
    const numbers = Object.values<{ seq_no: { max_seq_no: number } }[]>(shards).map(
      (copies) => copies[0]?.seq_no.max_seq_no,
    )
    const facts: Facts = { seq_no: Math.max(...(numbers as number[])) }
    for (let id = 0; id < DOCUMENTS; id++) {
      const { json: found } = await ask(domain, 'GET', `/${this.#index}/_doc/${id}?routing=${routingOf(String(id))}`)
      if (found.found) facts[id] = [found._source.n, found._version, found._routing, found._seq_no]
      if (id % 3 === 0) continue
      const known = this.facts[id] as Fact | undefined
      // What is gone was deleted just now, or long ago.
      const deleted = known === undefined ? this.facts[`written ${id}`] : known[1] + 1
      const written = found.found ? found._version : deleted
      if (written !== undefined) facts[`written ${id}`] = written
    }
    return facts
  }
}

const routingOf = (id: string): string => `r${Number(id) % 7}`
