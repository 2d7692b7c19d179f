import { createHash } from 'node:crypto'
import type { DomainProcess } from '../../scripts/domain-process.ts'
import { ask } from './ask-domain.ts'
import { type Facts, ModelLoad, type Step } from './model-load.ts'

const DOCUMENTS = 30
/** From 512 KiB on a document is taken apart in a thread of its own. */
const LARGE_BYTES = 600_000

/**
 * Writes documents so large that a thread takes them apart, among small ones, many enough that a dictionary is learned and another
 * thread compresses, to an index that is made anew now and then.
 */
export class LargeLoad extends ModelLoad {
  readonly #index = `large${this.number}`

  protected step(): Step {
    if (this.facts['index'] === undefined) {
      const properties = { text: { type: 'keyword', ignore_above: 10 }, n: { type: 'long' } }
      return {
        method: 'PUT',
        path: `/${this.#index}`,
        body: { mappings: { _doc: { properties } } },
        facts: { index: true },
      }
    }
    const dice = this.below(100)
    if (dice < 3) {
      const gone = Object.keys(this.facts).map((name) => [name, undefined])
      return { method: 'DELETE', path: `/${this.#index}`, facts: Object.fromEntries(gone) }
    }
    if (dice < 15) return { method: 'POST', path: `/${this.#index}/_forcemerge?max_num_segments=1`, facts: {} }
    const id = String(this.below(DOCUMENTS))
    const path = `/${this.#index}/_doc/${id}`
    if (dice < 20 && this.facts[id] !== undefined) return { method: 'DELETE', path, facts: { [id]: undefined } }
    if (dice < 45) {
      const source = sourceOf(this.next(), LARGE_BYTES)
      return { method: 'PUT', path, body: source, facts: { [id]: sumOf(source) } }
    }
    if (dice < 55 && this.facts[id] !== undefined) {
      const { doc, facts } = this.#whole(id, LARGE_BYTES)
      return { method: 'POST', path: `${path}/_update`, body: { doc }, facts }
    }
    return this.#bulk()
  }

  /** Of which every tenth is large. */
  #bulk(): Step {
    const ids = [...new Set(Array.from({ length: 2 + this.below(20) }, () => String(this.below(DOCUMENTS))))]
    const writes = ids.map((id) => ({ id, ...this.#whole(id, this.below(10) === 0 ? LARGE_BYTES : this.below(3_000)) }))
    return this.bulk(
      `/${this.#index}/_doc/_bulk`,
      writes.map(({ id, doc }) => `{"index":{"_id":"${id}"}}\n${JSON.stringify(doc)}\n`),
      Object.assign({}, ...writes.map(({ facts }) => facts)),
    )
  }

  #whole(id: string, bytes: number): { readonly doc: object; readonly facts: Facts } {
    const doc = sourceOf(this.next(), bytes)
    return { doc, facts: { [id]: sumOf(doc) } }
  }

  protected async read(domain: DomainProcess): Promise<Facts> {
    const { status } = await ask(domain, 'POST', `/${this.#index}/_refresh`)
    if (status === 404) return {}
    const facts: Facts = { index: true }
    const { json } = await ask(domain, 'POST', `/${this.#index}/_search`, { size: 100, query: { match_all: {} } })
    for (const { _id, _source } of json.hits.hits) facts[_id] = sumOf(_source)
    for (let id = 0; id < DOCUMENTS; id++) {
      const { json: one } = await ask(domain, 'GET', `/${this.#index}/_doc/${id}`)
      const sum = one.found ? sumOf(one._source) : undefined
      if (sum !== facts[id]) throw new Error(`${id} is found by its id and otherwise by a search`)
    }
    return facts
  }
}

const sourceOf = (n: number, bytes: number): object => ({ n, text: `text ${n} and more `.repeat(1 + bytes / 16) })

const sumOf = (source: object): string => createHash('sha256').update(JSON.stringify(source)).digest('base64')
