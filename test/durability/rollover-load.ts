import type { DomainProcess } from '../../scripts/domain-process.ts'
import { ask } from './ask-domain.ts'
import { type Facts, ModelLoad, type Step } from './model-load.ts'

/** Writes through an alias that goes over to a new index again and again, and removes the oldest. */
export class RolloverLoad extends ModelLoad {
  readonly #alias = `roll${this.number}`

  protected step(): Step {
    const last = this.facts['write index'] as number | undefined
    if (last === undefined)
      return {
        method: 'PUT',
        path: `/${this.#index(1)}`,
        body: { aliases: { [this.#alias]: { is_write_index: true } } },
        facts: { [`index ${1}`]: true, 'write index': 1 },
      }
    const dice = this.below(100)
    if (dice < 25) return this.#rollover(last)
    if (dice < 32) return this.#removal(last) ?? this.#bulk(last)
    return this.#bulk(last)
  }

  #rollover(last: number): Step {
    return {
      method: 'POST',
      path: `/${this.#alias}/_rollover`,
      body: { aliases: { [`${this.#alias}-all`]: {} } },
      facts: { [`index ${last + 1}`]: true, 'write index': last + 1 },
    }
  }

  #removal(last: number): Step | undefined {
    const oldest = Math.min(...this.#indices())
    if (oldest === last) return undefined
    const documents = Object.keys(this.facts).filter((name) => name.startsWith(`document ${oldest}/`))
    const gone = Object.fromEntries([...documents, `index ${oldest}`].map((name) => [name, undefined]))
    return { method: 'DELETE', path: `/${this.#index(oldest)}`, facts: gone }
  }

  #bulk(last: number): Step {
    const numbers = Array.from({ length: 1 + this.below(40) }, () => this.next())
    return this.bulk(
      `/${this.#alias}/_doc/_bulk`,
      numbers.map((n) => `{"index":{"_id":"${n}"}}\n{"n":${n}}\n`),
      Object.fromEntries(numbers.map((n) => [`document ${last}/${n}`, n])),
    )
  }

  protected async read(domain: DomainProcess): Promise<Facts> {
    const facts: Facts = {}
    const pattern = `${this.#alias}-*`
    const { json: indices } = await ask(domain, 'GET', `/${pattern}/_alias`)
    for (const [name, { aliases }] of Object.entries<{ aliases: Record<string, { is_write_index?: boolean }> }>(
      indices,
    )) {
      facts[`index ${numberOf(name)}`] = true
      if (aliases[this.#alias]?.is_write_index) {
        if (facts['write index'] !== undefined) throw new Error('there are two indices to write to')
        facts['write index'] = numberOf(name)
      }
    }
    await ask(domain, 'POST', `/${pattern}/_refresh`)
    const { json } = await ask(domain, 'POST', `/${pattern}/_search`, { size: 10_000, query: { match_all: {} } })
    for (const { _index, _id, _source } of json.hits.hits) facts[`document ${numberOf(_index)}/${_id}`] = _source.n
    return facts
  }

  #index(n: number): string {
    return `${this.#alias}-${String(n).padStart(6, '0')}`
  }

  #indices(): number[] {
    return Object.keys(this.facts)
      .filter((name) => name.startsWith('index '))
      .map((name) => Number(name.slice('index '.length)))
  }
}

const numberOf = (index: string): number => Number(index.slice(index.lastIndexOf('-') + 1))
