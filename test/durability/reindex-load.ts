import type { DomainProcess } from '../../scripts/domain-process.ts'
import { ask } from './ask-domain.ts'
import { type Facts, ModelLoad, type Step } from './model-load.ts'

const DOCUMENTS = 300

/** Writes to an index, copies its documents into another by `_reindex`, and in later versions clones it: a clone is whole or not there. */
export class ReindexLoad extends ModelLoad {
  readonly #source = `from${this.number}`
  readonly #isLater: boolean

  constructor(number: number, random: () => number, isLater: boolean) {
    super(number, random)
    this.#isLater = isLater
  }

  protected step(): Step {
    const { source, blocked, target, clone } = this.facts
    if (source === undefined) return this.#make('source', this.#source)
    const dice = this.below(100)
    if (blocked === undefined) {
      if (this.#isLater && dice < 15) return this.block(this.#source, true)
      if (dice < 50) return this.#bulk()
      if (target === undefined) return this.#make('target', this.#name('target'))
      // Half made: it can be removed and made again.
      return dice < 60 ? this.#remove('target') : this.#reindex()
    }
    if (clone !== undefined) return dice < 50 ? this.#remove('clone') : this.block(this.#source, false)
    return {
      method: 'POST',
      path: `/${this.#source}/_clone/${this.#name('clone')}`,
      body: { settings: { 'index.blocks.write': null } },
      facts: { clone: JSON.stringify(this.#of('source')) },
    }
  }

  #make(fact: string, index: string): Step {
    const settings = { number_of_shards: 2, refresh_interval: this.pick(['-1', '50ms']) }
    return { method: 'PUT', path: `/${index}`, body: { settings }, facts: { [fact]: true } }
  }

  #remove(fact: string): Step {
    const gone = Object.keys(this.facts).filter((name) => name === fact || name.startsWith(`${fact} `))
    const facts = Object.fromEntries(gone.map((name) => [name, undefined]))
    return { method: 'DELETE', path: `/${this.#name(fact)}`, facts }
  }

  #bulk(): Step {
    const ids = this.some(80, DOCUMENTS)
    const writes = ids.map((id) => [id, this.next()] as const)
    return this.bulk(
      `/${this.#source}/${this.#isLater ? '' : '_doc/'}_bulk?refresh`,
      writes.map(([id, n]) => `{"index":{"_id":"${id}"}}\n{"n":${n},"text":"document ${n}"}\n`),
      Object.fromEntries(writes.map(([id, n]) => [`source ${id}`, n])),
    )
  }

  #reindex(): Step {
    const documents = this.#of('source')
    return {
      method: 'POST',
      path: '/_reindex?refresh',
      body: { source: { index: this.#source, size: 20 }, dest: { index: this.#name('target') } },
      facts: Object.fromEntries(documents.map(([id, n]) => [`target ${id}`, n])),
      inParts: true,
      check: ({ json }) =>
        json.total === documents.length && json.failures.length === 0 ? undefined : 'it does not take all',
    }
  }

  /** Documents of an index by id, in order. */
  #of(index: string, facts = this.facts): [id: string, n: unknown][] {
    return Object.entries(facts)
      .filter(([name]) => name.startsWith(`${index} `))
      .map(([name, n]): [string, unknown] => [name.slice(index.length + 1), n])
      .sort(([a], [b]) => Number(a) - Number(b))
  }

  protected async read(domain: DomainProcess): Promise<Facts> {
    const { status, json } = await ask(domain, 'GET', `/${this.#source}/_settings`)
    if (status === 404) return {}
    const facts: Facts = { source: true, ...(await this.#contents(domain, 'source', this.#source)) }
    if (json[this.#source].settings.index.blocks?.write === 'true') facts['blocked'] = true
    const target = await this.#contents(domain, 'target', this.#name('target'))
    if (target !== undefined) Object.assign(facts, { target: true, ...target })
    const clone = await this.#contents(domain, 'clone', this.#name('clone'))
    if (clone !== undefined) facts['clone'] = JSON.stringify(this.#of('clone', clone))
    return facts
  }

  async #contents(domain: DomainProcess, fact: string, index: string): Promise<Facts | undefined> {
    const { status } = await ask(domain, 'POST', `/${index}/_refresh`)
    if (status === 404) return undefined
    const { json } = await ask(domain, 'POST', `/${index}/_search`, { size: 10_000, query: { match_all: {} } })
    const facts: Facts = {}
    for (const { _id, _source } of json.hits.hits) {
      if (facts[`${fact} ${_id}`] !== undefined) throw new Error(`${index}/${_id} is found twice`)
      if (_source.text !== `document ${_source.n}`) throw new Error(`${index}/${_id} has the text of another`)
      facts[`${fact} ${_id}`] = _source.n
    }
    const { json: counted } = await ask(domain, 'POST', `/${index}/_count`, { query: { match: { text: 'document' } } })
    const found = Object.keys(facts).length
    if (counted.count !== found) throw new Error(`${index} counts ${counted.count} of ${found}`)
    return facts
  }

  #name(fact: string): string {
    return `${this.#source}-${fact}`
  }
}
