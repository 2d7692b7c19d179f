import type { DomainProcess } from '../../scripts/domain-process.ts'
import { ask } from './ask-domain.ts'
import { type Facts, ModelLoad, type Step } from './model-load.ts'

const DOCUMENTS = 400
const TARGETS = ['shrink', 'split'] as const

/** Makes copies of an index with other numbers of shards, which are whole or not there, and changes it by scripts and queries. */
export class CopyLoad extends ModelLoad {
  readonly #source = `copied${this.number}`

  protected step(): Step {
    const { source: isThere, blocked } = this.facts
    if (isThere === undefined)
      return {
        method: 'PUT',
        path: `/${this.#source}`,
        body: { settings: { number_of_shards: 2, number_of_routing_shards: 8, refresh_interval: '-1' } },
        facts: { source: true },
      }
    const kind = this.pick(TARGETS)
    if (this.facts[kind] !== undefined && this.below(3) === 0)
      return { method: 'DELETE', path: `/${this.#target(kind)}`, facts: { [kind]: undefined } }
    const dice = this.below(100)
    if (blocked === undefined) {
      if (dice < 20) return this.block(this.#source, true)
      if (dice < 70) return this.#bulk()
      return dice < 88 ? this.#increase() : this.#removal()
    }
    if (this.facts[kind] !== undefined || dice < 15) return this.block(this.#source, false)
    return {
      method: 'POST',
      path: `/${this.#source}/_${kind}/${this.#target(kind)}`,
      body: { settings: { 'index.number_of_shards': kind === 'shrink' ? 1 : 4, 'index.blocks.write': null } },
      facts: { [kind]: JSON.stringify(this.#documents()) },
    }
  }

  #bulk(): Step {
    const ids = this.some(80, DOCUMENTS)
    const writes = ids.map((id) => [id, this.next() * 1_000] as const)
    return this.bulk(
      `/${this.#source}/_doc/_bulk?refresh`,
      writes.map(([id, n]) => `{"index":{"_id":"${id}"}}\n${JSON.stringify({ n, text: textOf(n) })}\n`),
      Object.fromEntries(writes.map(([id, n]) => [`document ${id}`, n])),
    )
  }

  #increase(): Step {
    const matching = this.#matching()
    return {
      method: 'POST',
      path: `/${this.#source}/_update_by_query?refresh&scroll_size=20`,
      body: {
        query: { range: { n: { lt: matching.below } } },
        script: { source: "ctx._source.n += 1; ctx._source.text = 'document ' + ctx._source.n" },
      },
      facts: Object.fromEntries(matching.documents.map(([name, n]) => [name, n + 1])),
      inParts: true,
      check: ({ json }) => (json.updated === matching.documents.length ? undefined : 'it updates others'),
    }
  }

  #removal(): Step {
    const matching = this.#matching()
    return {
      method: 'POST',
      path: `/${this.#source}/_delete_by_query?refresh&scroll_size=20`,
      body: { query: { range: { n: { lt: matching.below } } } },
      facts: Object.fromEntries(matching.documents.map(([name]) => [name, undefined])),
      inParts: true,
      check: ({ json }) => (json.deleted === matching.documents.length ? undefined : 'it deletes others'),
    }
  }

  #matching(): { readonly below: number; readonly documents: [name: string, n: number][] } {
    const documents = this.#documents()
    const below = documents[this.below(documents.length)]?.[1] ?? 0
    return { below, documents: documents.filter(([, n]) => n < below) }
  }

  /** By name, in order. */
  #documents(facts = this.facts): [name: string, n: number][] {
    return (Object.entries(facts) as [string, number][])
      .filter(([name]) => name.startsWith('document '))
      .sort(([a], [b]) => (a < b ? -1 : 1))
  }

  protected async read(domain: DomainProcess): Promise<Facts> {
    const { status, json } = await ask(domain, 'GET', `/${this.#source}/_settings`)
    if (status === 404) return {}
    const facts = await this.#contents(domain, this.#source)
    facts['source'] = true
    if (json[this.#source].settings.index.blocks?.write === 'true') facts['blocked'] = true
    for (const kind of TARGETS) {
      const found = await ask(domain, 'GET', `/${this.#target(kind)}/_settings`)
      if (found.status === 200)
        facts[kind] = JSON.stringify(this.#documents(await this.#contents(domain, this.#target(kind))))
    }
    return facts
  }

  async #contents(domain: DomainProcess, index: string): Promise<Facts> {
    await ask(domain, 'POST', `/${index}/_refresh`)
    const { json } = await ask(domain, 'POST', `/${index}/_search`, { size: 10_000, query: { match_all: {} } })
    const facts: Facts = {}
    for (const { _id, _source } of json.hits.hits) {
      if (_source.text !== textOf(_source.n))
        throw new Error(`${index}/${_id} has the text of another: ${_source.text}`)
      facts[`document ${_id}`] = _source.n
    }
    return facts
  }

  #target(kind: string): string {
    return `${this.#source}-${kind}`
  }
}

const textOf = (n: number): string => `document ${n}`
