import type { DomainProcess } from '../../scripts/domain-process.ts'
import { ask } from './ask-domain.ts'
import { type Facts, ModelLoad, type Step } from './model-load.ts'

const INDICES = 500

/** Makes and removes indices, many at a time, until there are some five hundred, and writes to all of them. */
export class ManyIndicesLoad extends ModelLoad {
  readonly #prefix = `many${this.number}`

  protected step(): Step {
    const dice = this.below(100)
    if (dice < 3) return this.#removal()
    if (dice < 10) return this.#settings() ?? this.#bulk()
    return this.#bulk()
  }

  /** Each to one document of an index, which is made where there is none. */
  #bulk(): Step {
    const indices = this.some(30, INDICES)
    const writes = indices.map((index) => [index, this.next()] as const)
    return this.bulk(
      '/_bulk',
      writes.map(([index, n]) => `{"index":{"_index":"${this.#name(index)}","_type":"_doc","_id":"1"}}\n{"n":${n}}\n`),
      Object.fromEntries(writes.map(([index, n]) => [this.#name(index), n])),
    )
  }

  #removal(): Step {
    const names = Object.keys(this.facts).filter((name) => name.startsWith(`${this.#prefix}-`))
    const digit = `${this.#prefix}-${this.below(10)}`
    const gone = names.filter((name) => name.startsWith(digit)).flatMap((name) => [name, `replicas of ${name}`])
    return {
      method: 'DELETE',
      path: `/${digit}*`,
      facts: Object.fromEntries(gone.map((name) => [name, undefined])),
      inParts: true,
    }
  }

  #settings(): Step | undefined {
    const name = this.#name(this.below(INDICES))
    if (this.facts[name] === undefined) return undefined
    const replicas = String(2 + this.below(4))
    return {
      method: 'PUT',
      path: `/${name}/_settings`,
      body: { number_of_replicas: replicas },
      facts: { [`replicas of ${name}`]: replicas },
    }
  }

  protected async read(domain: DomainProcess): Promise<Facts> {
    const pattern = `${this.#prefix}-*`
    const facts: Facts = {}
    await ask(domain, 'POST', `/${pattern}/_refresh`)
    const { json } = await ask(domain, 'POST', `/${pattern}/_search`, { size: 10_000, query: { match_all: {} } })
    for (const { _index, _source } of json.hits.hits) facts[_index] = _source.n
    const settings = await ask(domain, 'GET', `/${pattern}/_settings`)
    for (const [name, found] of Object.entries<{ settings: { index: { number_of_replicas: string } } }>(
      settings.json,
    )) {
      const { number_of_replicas: replicas } = found.settings.index
      if (replicas !== '1') facts[`replicas of ${name}`] = replicas
      // Made, and cut off before its document was.
      if (facts[name] === undefined) await ask(domain, 'DELETE', `/${name}`)
    }
    return facts
  }

  #name(index: number): string {
    return `${this.#prefix}-${index}`
  }
}
