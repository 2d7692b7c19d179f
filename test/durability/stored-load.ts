import type { DomainProcess } from '../../scripts/domain-process.ts'
import { ask } from './ask-domain.ts'
import { type Facts, ModelLoad, type Step } from './model-load.ts'

const NAMES = 20

/** Writes what is stored by names of its own, and settings of the cluster. */
export class StoredLoad extends ModelLoad {
  protected step(): Step {
    const n = this.next()
    const kind = this.pick(Object.keys(KINDS) as (keyof typeof KINDS)[])
    const { path, body } = KINDS[kind]
    const name = `stored${this.number}-${this.below(NAMES)}`
    const fact = `${kind} ${name}`
    if (this.facts[fact] !== undefined && this.below(3) === 0)
      return { method: 'DELETE', path: `${path}/${name}`, facts: { [fact]: undefined } }
    if (this.number === 0 && this.below(6) === 0)
      return {
        method: 'PUT',
        path: '/_cluster/settings',
        body: { persistent: { 'search.default_keep_alive': `${n}ms` } },
        facts: { settings: `${n}ms` },
      }
    return { method: 'PUT', path: `${path}/${name}`, body: body(n), facts: { [fact]: n } }
  }

  protected async read(domain: DomainProcess): Promise<Facts> {
    const facts: Facts = {}
    if (this.number === 0) {
      const { json } = await ask(domain, 'GET', '/_cluster/settings?flat_settings=true')
      const value = json.persistent['search.default_keep_alive']
      if (value !== undefined) facts['settings'] = value
    }
    for (const [kind, { path, read }] of Object.entries(KINDS))
      for (let i = 0; i < NAMES; i++) {
        const name = `stored${this.number}-${i}`
        const { status, json } = await ask(domain, 'GET', `${path}/${name}`)
        if (status === 200) facts[`${kind} ${name}`] = read(json, name)
      }
    return facts
  }
}

// biome-ignore lint/suspicious/noExplicitAny: the answers of several endpoints
type Read = (json: any, name: string) => number

const KINDS = {
  template: {
    path: '/_template',
    body: (n: number) => ({ index_patterns: ['nothing-*'], version: n, order: 1 }),
    read: ((json, name) => json[name].version) as Read,
  },
  pipeline: {
    path: '/_ingest/pipeline',
    body: (n: number) => ({ description: String(n), processors: [] }),
    read: ((json, name) => Number(json[name].description)) as Read,
  },
  script: {
    path: '/_scripts',
    body: (n: number) => ({ script: { lang: 'painless', source: `return ${n}` } }),
    read: ((json) => Number(json.script.source.slice('return '.length))) as Read,
  },
}
