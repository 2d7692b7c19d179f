import type { DomainProcess } from '../../scripts/domain-process.ts'
import { ask } from './ask-domain.ts'
import { type Facts, ModelLoad, type Step } from './model-load.ts'

const DOCUMENTS = 300
const SNAPSHOTS = 3

/** Takes, restores and deletes snapshots of an index that it writes to; its repository must be below `path.repo`. */
export class SnapshotLoad extends ModelLoad {
  readonly #index = `shot${this.number}`
  readonly #restored = `again${this.number}`

  protected step(): Step {
    if (this.facts['repository'] === undefined)
      return {
        method: 'PUT',
        path: `/_snapshot/${this.#index}`,
        body: { type: 'fs', settings: { location: this.#index, chunk_size: '4kb', max_snapshot_bytes_per_sec: '-1' } },
        facts: { repository: true },
      }
    const snapshot = `snapshot ${this.below(SNAPSHOTS)}`
    const contents = this.facts[snapshot]
    const path = `/_snapshot/${this.#index}/${snapshot.replace(' ', '-')}`
    const dice = this.below(100)
    if (dice < 50 || !Object.keys(this.facts).some((name) => name.startsWith('document '))) return this.#bulk()
    if (contents === undefined)
      return {
        method: 'PUT',
        path: `${path}?wait_for_completion=true`,
        body: { indices: this.#index, include_global_state: false },
        facts: { [snapshot]: this.#contents(this.facts) },
        check: ({ json }) => (json.snapshot.state === 'SUCCESS' ? undefined : 'it is not whole'),
      }
    if (dice < 65) return { method: 'DELETE', path, facts: { [snapshot]: undefined } }
    if (this.facts['restored'] !== undefined)
      return { method: 'DELETE', path: `/${this.#restored}`, facts: { restored: undefined } }
    return {
      method: 'POST',
      path: `${path}/_restore?wait_for_completion=true`,
      body: { rename_pattern: '.+', rename_replacement: this.#restored },
      facts: { restored: contents },
      check: ({ json }) => (json.snapshot.shards.failed === 0 ? undefined : 'it is not restored'),
    }
  }

  #bulk(): Step {
    const ids = this.some(60, DOCUMENTS)
    const writes = ids.map((id) => [id, this.next()] as const)
    return this.bulk(
      `/${this.#index}/_doc/_bulk`,
      writes.map(([id, n]) => `{"index":{"_id":"${id}"}}\n{"n":${n}}\n`),
      Object.fromEntries(writes.map(([id, n]) => [`document ${id}`, n])),
    )
  }

  #contents(facts: Facts): string {
    const documents = Object.entries(facts).filter(([name]) => name.startsWith('document '))
    return JSON.stringify(documents.sort(([a], [b]) => (a < b ? -1 : 1)))
  }

  protected async read(domain: DomainProcess): Promise<Facts> {
    const { status, json } = await ask(domain, 'GET', `/_snapshot/${this.#index}/_all`)
    if (status === 404) return {}
    const facts: Facts = { repository: true, ...(await this.#documents(domain, this.#index)) }
    const restored = await this.#documents(domain, this.#restored)
    if (restored !== undefined) facts['restored'] = this.#contents(restored)
    for (const { snapshot, state } of json.snapshots) {
      if (state !== 'SUCCESS') throw new Error(`${snapshot} is ${state}`)
      const checked = `checked${this.number}`
      const path = `/_snapshot/${this.#index}/${snapshot}/_restore?wait_for_completion=true`
      await ask(domain, 'POST', path, { rename_pattern: '.+', rename_replacement: checked })
      facts[snapshot.replace('-', ' ')] = this.#contents((await this.#documents(domain, checked)) ?? {})
      await ask(domain, 'DELETE', `/${checked}`)
    }
    return facts
  }

  async #documents(domain: DomainProcess, index: string): Promise<Facts | undefined> {
    const { status } = await ask(domain, 'POST', `/${index}/_refresh`)
    if (status === 404) return undefined
    const { json } = await ask(domain, 'POST', `/${index}/_search`, { size: 10_000, query: { match_all: {} } })
    const hits = json.hits.hits as { _id: string; _source: { n: number } }[]
    return Object.fromEntries(hits.map(({ _id, _source }) => [`document ${_id}`, _source.n]))
  }
}
