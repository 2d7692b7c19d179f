import type { DomainProcess } from '../../scripts/domain-process.ts'
import { ask } from './ask-domain.ts'
import { type Facts, ModelLoad, type Step } from './model-load.ts'

/** Makes a data stream, adds to it, turns it over, removes its oldest index and all of it, and makes it again. */
export class StreamLoad extends ModelLoad {
  readonly #stream = `stream${this.number}`

  async prepare(domain: DomainProcess): Promise<void> {
    const body = { index_patterns: [`${this.#stream}*`], data_stream: {} }
    await ask(domain, 'PUT', `/_index_template/${this.#stream}`, body)
  }

  protected step(): Step {
    const generation = this.facts['generation'] as number | undefined
    const dice = this.below(100)
    if (generation === undefined) return dice < 50 ? this.#creation() : this.#bulk(1)
    if (dice < 25) return this.#rollover(generation)
    if (dice < 32) return this.#removal(generation) ?? this.#bulk(generation)
    if (dice < 37) return this.#deletion()
    return this.#bulk(generation)
  }

  #creation(): Step {
    return { method: 'PUT', path: `/_data_stream/${this.#stream}`, facts: { 'index 1': true, generation: 1 } }
  }

  #rollover(last: number): Step {
    const next = last + 1
    return {
      method: 'POST',
      path: `/${this.#stream}/_rollover`,
      facts: { [`index ${next}`]: true, generation: next },
      check: ({ json }) => (json.new_index === this.#index(next) ? undefined : `it goes over to ${json.new_index}`),
    }
  }

  #removal(last: number): Step | undefined {
    const oldest = Math.min(...this.#generations())
    if (oldest === last) return undefined
    const documents = Object.keys(this.facts).filter((name) => name.startsWith(`document ${oldest}/`))
    const gone = Object.fromEntries([...documents, `index ${oldest}`].map((name) => [name, undefined]))
    return { method: 'DELETE', path: `/${this.#index(oldest)}`, facts: gone }
  }

  #deletion(): Step {
    const gone = Object.fromEntries(Object.keys(this.facts).map((name) => [name, undefined]))
    return { method: 'DELETE', path: `/_data_stream/${this.#stream}`, facts: gone }
  }

  #bulk(last: number): Step {
    const numbers = Array.from({ length: 1 + this.below(40) }, () => this.next())
    return this.bulk(
      `/${this.#stream}/_bulk`,
      numbers.map((n) => `{"create":{"_id":"${n}"}}\n{"@timestamp":${n}}\n`),
      {
        [`index ${last}`]: true,
        generation: last,
        ...Object.fromEntries(numbers.map((n) => [`document ${last}/${n}`, n])),
      },
    )
  }

  protected async read(domain: DomainProcess): Promise<Facts> {
    const { json: behind } = await ask(domain, 'GET', `/.ds-${this.#stream}-*`)
    const { json: named } = await ask(domain, 'GET', `/_data_stream/${this.#stream}*`)
    const [stream] = named.data_streams
    if (stream === undefined) {
      if (Object.keys(behind).length > 0) throw new Error('there are indices without their data stream')
      return {}
    }
    const indices = stream.indices.map((index: { index_name: string }) => index.index_name)
    if (indices.join() !== Object.keys(behind).sort().join())
      throw new Error('not all indices belong to the data stream')
    const facts: Facts = { generation: stream.generation }
    for (const name of indices) facts[`index ${generationOf(name)}`] = true
    await ask(domain, 'POST', `/${this.#stream}/_refresh`)
    const { json } = await ask(domain, 'POST', `/${this.#stream}/_search`, { size: 10_000, query: { match_all: {} } })
    for (const { _index, _id, _source } of json.hits.hits)
      facts[`document ${generationOf(_index)}/${_id}`] = _source['@timestamp']
    return facts
  }

  #index(generation: number): string {
    return `.ds-${this.#stream}-${String(generation).padStart(6, '0')}`
  }

  #generations(): number[] {
    return Object.keys(this.facts)
      .filter((name) => name.startsWith('index '))
      .map((name) => Number(name.slice('index '.length)))
  }
}

const generationOf = (index: string): number => Number(index.slice(index.lastIndexOf('-') + 1))
