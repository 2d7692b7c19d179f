import type { DomainProcess } from '../../scripts/domain-process.ts'
import { ask } from './ask-domain.ts'
import { type Facts, ModelLoad, type Step } from './model-load.ts'

const NAMES = 4

/**
 * Composable templates, indices made by them, clones, and an alias that goes from one index to another in one request: it must
 * stand for one of them, whenever it is looked at.
 */
export class LaterLoad extends ModelLoad {
  readonly #prefix = `later${this.number}`

  protected step(): Step {
    const n = this.next()
    const name = this.below(NAMES)
    const index = `index ${name}`
    if (this.facts['alias'] === undefined) return this.#first()
    const dice = this.below(100)
    if (dice < 15) return this.#component(n)
    if (dice < 30) return this.#template(n)
    if (dice < 60) return this.#swap(name)
    if (dice < 70) return this.#setting(n)
    if (this.facts[index] === undefined) return dice < 90 ? this.#creation(name) : this.#clone(name)
    if (this.facts['alias'] === name || dice < 80) return this.#document(n)
    return { method: 'DELETE', path: `/${this.#index(name)}`, facts: { [index]: undefined } }
  }

  #first(): Step {
    return {
      method: 'PUT',
      path: `/${this.#index(0)}`,
      body: { aliases: { [this.#alias]: {} }, settings: { 'index.blocks.write': true } },
      facts: { 'index 0': true, alias: 0 },
    }
  }

  #component(n: number): Step {
    const name = `${this.#prefix}-${this.below(2)}`
    if (this.facts['template'] === undefined && this.facts[`component ${name}`] !== undefined && n % 2 === 0)
      return { method: 'DELETE', path: `/_component_template/${name}`, facts: { [`component ${name}`]: undefined } }
    return {
      method: 'PUT',
      path: `/_component_template/${name}`,
      body: { template: {}, version: n },
      facts: { [`component ${name}`]: n },
    }
  }

  #template(n: number): Step {
    const path = `/_index_template/${this.#prefix}`
    if (this.facts['template'] !== undefined && n % 3 === 0)
      return { method: 'DELETE', path, facts: { template: undefined } }
    const composedOf = [0, 1].map((i) => `${this.#prefix}-${i}`).filter((name) => `component ${name}` in this.facts)
    const body = { index_patterns: [`${this.#prefix}-made-*`], composed_of: composedOf, version: n }
    return { method: 'PUT', path, body, facts: { template: n } }
  }

  #swap(to: number): Step {
    if (this.facts[`index ${to}`] === undefined || this.facts['alias'] === to) return this.#creation(to)
    const from = this.facts['alias'] as number
    const actions = [
      { remove: { index: this.#index(from), alias: this.#alias } },
      { add: { index: this.#index(to), alias: this.#alias } },
    ]
    return { method: 'POST', path: '/_aliases', body: { actions }, facts: { alias: to } }
  }

  #creation(name: number): Step {
    if (this.facts[`index ${name}`] !== undefined) return this.#document(this.next())
    const body = { settings: { 'index.blocks.write': true } }
    return { method: 'PUT', path: `/${this.#index(name)}`, body, facts: { [`index ${name}`]: true } }
  }

  #clone(name: number): Step {
    const from = this.#index(this.facts['alias'] as number)
    return { method: 'POST', path: `/${from}/_clone/${this.#index(name)}`, facts: { [`index ${name}`]: true } }
  }

  #setting(n: number): Step {
    const name = this.facts['alias'] as number
    return {
      method: 'PUT',
      path: `/${this.#index(name)}/_settings`,
      body: { index: { max_result_window: 10_000 + n } },
      facts: { [`window ${this.#prefix}`]: undefined },
    }
  }

  /** To an index that nothing else is done to. */
  #document(n: number): Step {
    const id = `document ${this.below(20)}`
    const path = `/${this.#prefix}-documents/_doc/${id.slice('document '.length)}`
    return { method: 'PUT', path, body: { n }, facts: { [id]: n } }
  }

  protected async read(domain: DomainProcess): Promise<Facts> {
    const facts: Facts = {}
    const { status, json: aliases } = await ask(domain, 'GET', `/_alias/${this.#alias}`)
    if (status === 200) {
      const names = Object.keys(aliases)
      if (names.length !== 1) throw new Error(`the alias stands for [${names}]`)
      facts['alias'] = Number(names[0]?.slice(-1))
    }
    for (let name = 0; name < NAMES; name++)
      if ((await ask(domain, 'GET', `/${this.#index(name)}`)).status === 200) facts[`index ${name}`] = true
    const { json: components } = await ask(domain, 'GET', `/_component_template/${this.#prefix}-*`)
    for (const { name, component_template: found } of components.component_templates ?? [])
      facts[`component ${name}`] = found.version
    const { json: templates } = await ask(domain, 'GET', `/_index_template/${this.#prefix}`)
    for (const { index_template: found } of templates.index_templates ?? []) facts['template'] = found.version
    for (let id = 0; id < 20; id++) {
      const { json } = await ask(domain, 'GET', `/${this.#prefix}-documents/_doc/${id}`)
      if (json.found) facts[`document ${id}`] = json._source.n
    }
    return facts
  }

  get #alias(): string {
    return `${this.#prefix}-alias`
  }

  #index(name: number): string {
    return `${this.#prefix}-made-${name}`
  }
}
