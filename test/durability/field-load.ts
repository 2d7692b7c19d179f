import type { DomainProcess } from '../../scripts/domain-process.ts'
import { ask } from './ask-domain.ts'
import { type Facts, ModelLoad, type Step } from './model-load.ts'

const FIELDS = 200
const DOCUMENTS = 200

/** Writes documents with ever new fields, and adds fields to the mapping; every document must be found by its field. */
export class FieldLoad extends ModelLoad {
  readonly #index = `fields${this.number}`

  protected step(): Step {
    if (this.facts['index'] === undefined)
      return {
        method: 'PUT',
        path: `/${this.#index}`,
        body: { settings: { 'index.translog.durability': this.number % 2 === 0 ? 'request' : 'async' } },
        facts: { index: true },
      }
    if (this.below(10) < 7) return this.#bulk()
    const field = `field ${this.below(FIELDS)}`
    return {
      method: 'PUT',
      path: `/${this.#index}/_mapping/_doc`,
      body: { properties: { [field.replace(' ', '')]: { type: 'long' } } },
      facts: { [field]: true },
    }
  }

  #bulk(): Step {
    const ids = this.some(10, DOCUMENTS)
    const facts: Facts = {}
    const lines = ids.map((id) => {
      const n = this.next()
      const field = this.below(FIELDS)
      facts[`document ${id}`] = `{"field${field}":${n}}`
      facts[`field ${field}`] = true
      return `{"index":{"_id":"${id}"}}\n{"field${field}":${n}}\n`
    })
    return this.bulk(`/${this.#index}/_doc/_bulk`, lines, facts)
  }

  protected async read(domain: DomainProcess): Promise<Facts> {
    const { status, json } = await ask(domain, 'GET', `/${this.#index}/_mapping`)
    if (status === 404) return {}
    const facts: Facts = { index: true }
    const properties = Object.keys(json[this.#index].mappings._doc?.properties ?? {})
    for (const name of properties) facts[`field ${name.slice('field'.length)}`] = true
    await ask(domain, 'POST', `/${this.#index}/_refresh`)
    const search = await ask(domain, 'POST', `/${this.#index}/_search`, { size: 10_000, query: { match_all: {} } })
    const documents = search.json.hits.hits as { _id: string; _source: Record<string, number> }[]
    const lines: object[] = []
    for (const { _id, _source } of documents) {
      facts[`document ${_id}`] = JSON.stringify(_source)
      lines.push({}, { size: 10, query: { term: _source } })
    }
    if (lines.length === 0) return facts
    const body = lines.map((line) => `${JSON.stringify(line)}\n`).join('')
    const { json: found } = await ask(domain, 'POST', `/${this.#index}/_msearch`, body)
    for (const [i, { _id, _source }] of documents.entries()) {
      const ids = (found.responses[i].hits.hits as { _id: string }[]).map((hit) => hit._id)
      if (!ids.includes(_id)) throw new Error(`${_id} is not found by ${JSON.stringify(_source)}`)
    }
    return facts
  }
}
