import { isDeepStrictEqual } from 'node:util'
import type { DomainProcess } from '../../scripts/domain-process.ts'
import { ask } from './ask-domain.ts'
import type { SoakLoad } from './soak-load.ts'

/** A document: what it says, and its version where that is known. */
interface DocumentState {
  readonly n: number
  readonly version: number | undefined
}

interface IndexState {
  fields: string[]
  aliases: string[]
  replicas: string
  isOpen: boolean
  documents: Record<string, DocumentState>
}

/** What a client has made: indices, templates and pipelines by name. */
interface State {
  indices: Record<string, IndexState>
  templates: Record<string, number>
  pipelines: Record<string, string>
}

/** A request, and what it makes of a state. */
interface Operation {
  readonly method: string
  readonly path: string
  readonly body?: unknown
  readonly change: (state: State) => unknown
  /** Of one that writes what a query finds: how many documents that must be. */
  readonly total?: number
}

const NAMES = 3
const DOCUMENTS = 60

/**
 * One client that makes, changes and removes indices, aliases, mappings, templates and pipelines and writes to many
 * documents at once (bulk, by query, reindex), one request at a time and with names of its own, so that it knows what
 * there must be.
 */
export class IndexClient implements SoakLoad {
  readonly #number: number
  readonly #random: () => number
  #state: State = { indices: {}, templates: {}, pipelines: {} }
  /** What there is once the request that is under way has been carried out. */
  #next: State | undefined
  #underWay = ''
  #writes = 0
  readonly faults: string[] = []
  acknowledged = 0
  cutOff = 0

  constructor(number: number, random: () => number) {
    this.#number = number
    this.#random = random
  }

  /** Works until the server is gone. */
  async work(domain: DomainProcess, killing: { readonly now: boolean }): Promise<void> {
    while (!killing.now) {
      const operation = this.#operation()
      if (operation === undefined) continue
      const { method, path, body, change, total } = operation
      const next = structuredClone(this.#state)
      change(next)
      this.#next = next
      this.#underWay = `${method} ${path}`
      try {
        // What a query is to find must be seen by searches.
        if (path.includes('_by_query') || path.includes('_reindex')) await ask(domain, 'POST', '/_refresh')
        const { status, json } = await ask(domain, method, path, body)
        const isWhole = json.failures === undefined || (json.failures.length === 0 && json.total === total)
        if (status >= 300 || json.errors === true || !isWhole || json.timed_out) {
          const expected = total === undefined ? '' : ` (of ${total})`
          this.#fault(`${this.#underWay}${expected} is answered with ${status}: ${JSON.stringify(json).slice(0, 400)}`)
          return
        }
        this.#state = next
        this.#next = undefined
        this.acknowledged++
      } catch (error) {
        // The connection broke: it may have been carried out or not.
        await new Promise((resolve) => setTimeout(resolve, 5))
        if (!killing.now) this.#fault(`${this.#underWay}: ${(error as Error).message}`)
        return
      }
    }
  }

  /** Compares what there is with what must be; answers how many documents that were. */
  async compare(domain: DomainProcess): Promise<number> {
    const before = this.#state
    const after = this.#next ?? before
    if (this.#next !== undefined) this.cutOff++
    let compared = 0
    for (let k = 0; k < NAMES; k++) {
      const index = this.#index(k)
      compared += await this.#compareIndex(domain, index, before.indices[index], after.indices[index])
      const template = `t${this.#number}-${k}`
      const { json: templates } = await ask(domain, 'GET', `/_template/${template}`)
      this.#compareValue(template, templates[template]?.order, before.templates, after.templates)
      const pipeline = `p${this.#number}-${k}`
      const { json: pipelines } = await ask(domain, 'GET', `/_ingest/pipeline/${pipeline}`)
      this.#compareValue(pipeline, pipelines[pipeline]?.description, before.pipelines, after.pipelines)
    }
    this.#next = undefined
    return compared
  }

  #compareValue<T>(name: string, found: T | undefined, before: Record<string, T>, after: Record<string, T>): void {
    if (found !== before[name] && found !== after[name])
      this.#fault(`${name} is ${found}, where ${before[name]} was acknowledged`)
    if (found === undefined) delete before[name]
    else before[name] = found
  }

  async #compareIndex(
    domain: DomainProcess,
    name: string,
    before: IndexState | undefined,
    after: IndexState | undefined,
  ): Promise<number> {
    const { status, json } = await ask(domain, 'GET', `/${name}`)
    if (status === 404) {
      if (before !== undefined && after !== undefined) this.#fault(`${name} is gone`)
      delete this.#state.indices[name]
      return 0
    }
    const possible = [before, after].filter((state) => state !== undefined)
    if (possible.length === 0) {
      this.#fault(`${name} is there though it was removed`)
      return 0
    }
    const { aliases, mappings, settings } = json[name]
    const rows = (await ask(domain, 'GET', `/_cat/indices/${name}?format=json&h=status`)).json as { status: string }[]
    const found: IndexState = {
      fields: Object.keys(mappings._doc?.properties ?? {}).filter((field) => field.startsWith('f')),
      aliases: Object.keys(aliases).sort(),
      replicas: settings.index.number_of_replicas,
      isOpen: rows[0]?.status === 'open',
      documents: {},
    }
    const { documents: _, ...metadata } = found
    if (!possible.some(({ documents: _, ...known }) => isDeepStrictEqual(known, metadata)))
      this.#fault(
        `${name} is ${JSON.stringify(metadata)}, where ${JSON.stringify({ ...before, documents: 0 })} was acknowledged`,
      )
    if (!found.isOpen) await ask(domain, 'POST', `/${name}/_open`)
    found.documents = await this.#documents(domain, name)
    if (!found.isOpen) await ask(domain, 'POST', `/${name}/_close`)
    // One that is still there though it was being deleted has all it had.
    const contents = [before?.documents ?? {}, ...(after === undefined ? [] : [after.documents])]
    const ids = new Set([...Object.keys(found.documents), ...contents.flatMap((documents) => Object.keys(documents))])
    for (const id of ids) {
      const document = found.documents[id]
      if (!contents.some((documents) => isSame(document, documents[id])))
        this.#fault(
          `${name}/${id} is ${JSON.stringify(document)}, where ${JSON.stringify(before?.documents[id])} was acknowledged`,
        )
    }
    this.#state.indices[name] = found
    return ids.size
  }

  async #documents(domain: DomainProcess, name: string): Promise<Record<string, DocumentState>> {
    await ask(domain, 'POST', `/${name}/_refresh`)
    const search = { size: 1_000, version: true, query: { match_all: {} } }
    const { json } = await ask(domain, 'POST', `/${name}/_search`, search)
    const documents: Record<string, DocumentState> = {}
    for (const { _id, _version, _source } of json.hits.hits) {
      if (documents[_id] !== undefined) this.#fault(`${name}/${_id} is found twice`)
      if (_source.text !== textOf(_source.n)) this.#fault(`${name}/${_id} has the text of another: ${_source.text}`)
      documents[_id] = { n: _source.n, version: _version }
    }
    const { json: byId } = await ask(domain, 'POST', `/${name}/_doc/_mget`, { ids: ids() })
    const live = byId.docs.filter((document: { found: boolean }) => document.found)
    for (const { _id, _version, _source } of live)
      if (!isSame(documents[_id], { n: _source.n, version: _version }))
        this.#fault(`${name}/${_id} is found by its id and otherwise by a search`)
    if (live.length !== Object.keys(documents).length) this.#fault(`${name}: a search finds others than gets by id`)
    return documents
  }

  #fault(text: string): void {
    this.faults.push(`client ${this.#number}: ${text} (under way: ${this.#underWay})`)
  }

  #index(k: number): string {
    return `m${this.#number}-${k}`
  }

  #below(n: number): number {
    return Math.floor(this.#random() * n)
  }

  /** The next thing to do; undefined where it cannot be done now. */
  #operation(): Operation | undefined {
    const name = this.#index(this.#below(NAMES))
    const index = this.#state.indices[name]
    const dice = this.#below(100)
    if (dice < 4) return this.#template()
    if (dice < 8) return this.#pipeline()
    if (index === undefined) return dice < 40 ? this.#create(name) : this.#bulk(name)
    if (dice < 14) return removal(name)
    if (dice < 20) return toggle(name, index.isOpen)
    if (dice < 26) return this.#field(name)
    if (dice < 34) return this.#aliases(name, index)
    if (dice < 38) return this.#replicas(name)
    if (!index.isOpen) return undefined
    if (dice < 70) return this.#bulk(name)
    if (dice < 78) return this.#updateByQuery(name)
    if (dice < 84) return this.#deleteByQuery(name)
    if (dice < 90) return this.#reindex(name)
    if (dice < 94) return unchanging('POST', `/${name}/_flush`)
    return dice < 96 ? unchanging('POST', `/${name}/_forcemerge?max_num_segments=1`) : this.#single(name)
  }

  #create(name: string): Operation {
    const alias = `al${this.#number}-${this.#below(3)}`
    return {
      method: 'PUT',
      path: `/${name}`,
      body: { mappings: { _doc: { properties: { f0: { type: 'keyword' } } } }, aliases: { [alias]: {} } },
      change: ({ indices }) => {
        indices[name] = { fields: ['f0'], aliases: [alias], replicas: '1', isOpen: true, documents: {} }
      },
    }
  }

  #field(name: string): Operation {
    const field = `f${this.#below(20)}`
    return {
      method: 'PUT',
      path: `/${name}/_mapping/_doc`,
      body: { properties: { [field]: { type: 'keyword' } } },
      change: ({ indices }) => {
        const index = indices[name] as IndexState
        index.fields = [...new Set([...index.fields, field])].sort()
      },
    }
  }

  #aliases(name: string, { aliases }: IndexState): Operation {
    const alias = `al${this.#number}-${this.#below(3)}`
    const other = this.#index(this.#below(NAMES))
    const actions: object[] = [{ [aliases.includes(alias) ? 'remove' : 'add']: { index: name, alias } }]
    const removesOther = other !== name && this.#state.indices[other] !== undefined && this.#below(3) === 0
    if (removesOther) actions.push({ remove_index: { index: other } })
    return {
      method: 'POST',
      path: '/_aliases',
      body: { actions },
      change: ({ indices }) => {
        const index = indices[name] as IndexState
        index.aliases = index.aliases.includes(alias)
          ? index.aliases.filter((one) => one !== alias)
          : [...index.aliases, alias].sort()
        if (removesOther) delete indices[other]
      },
    }
  }

  #replicas(name: string): Operation {
    const replicas = String(this.#below(5))
    return {
      method: 'PUT',
      path: `/${name}/_settings`,
      body: { number_of_replicas: replicas },
      change: ({ indices }) => {
        const index = indices[name] as IndexState
        index.replicas = replicas
      },
    }
  }

  #template(): Operation {
    const name = `t${this.#number}-${this.#below(NAMES)}`
    const order = ++this.#writes
    if (this.#state.templates[name] !== undefined && this.#below(2) === 0) {
      return { method: 'DELETE', path: `/_template/${name}`, change: ({ templates }) => delete templates[name] }
    }
    return {
      method: 'PUT',
      path: `/_template/${name}`,
      body: { index_patterns: ['nothing-*'], order },
      change: ({ templates }) => {
        templates[name] = order
      },
    }
  }

  #pipeline(): Operation {
    const name = `p${this.#number}-${this.#below(NAMES)}`
    const description = String(++this.#writes)
    return {
      method: 'PUT',
      path: `/_ingest/pipeline/${name}`,
      body: { description, processors: [] },
      change: ({ pipelines }) => {
        pipelines[name] = description
      },
    }
  }

  #bulk(name: string): Operation {
    const other = this.#index(this.#below(NAMES))
    const names = this.#state.indices[other]?.isOpen ? [name, other] : [name]
    const lines: object[] = []
    const changes: ((state: State) => void)[] = []
    // Each once: of a bulk that is cut off any part may have been carried out.
    const targets = new Set<string>()
    for (let left = 1 + this.#below(120); left > 0; left--)
      targets.add(`${names[this.#below(names.length)]}/${this.#below(DOCUMENTS)}`)
    for (const target of targets) {
      const [index, id] = target.split('/') as [string, string]
      const n = ++this.#writes
      // A delete makes no index.
      const isDelete = this.#state.indices[index] !== undefined && this.#below(6) === 0
      lines.push({ [isDelete ? 'delete' : 'index']: { _index: index, _type: '_doc', _id: id } })
      if (!isDelete) lines.push({ n, text: textOf(n) })
      changes.push((state) => put(state, index, id, isDelete ? undefined : n))
    }
    return {
      method: 'POST',
      path: '/_bulk',
      body: lines.map((line) => `${JSON.stringify(line)}\n`).join(''),
      change: (state) => {
        for (const change of changes) change(state)
      },
    }
  }

  #single(name: string): Operation {
    const id = String(this.#below(DOCUMENTS))
    const n = ++this.#writes
    return {
      method: 'PUT',
      path: `/${name}/_doc/${id}`,
      body: { n, text: textOf(n) },
      change: (state) => put(state, name, id, n),
    }
  }

  #updateByQuery(name: string): Operation {
    const below = this.#writes - this.#below(200)
    return {
      total: matching(this.#state, name, below).length,
      method: 'POST',
      path: `/${name}/_update_by_query?refresh`,
      body: { query: { range: { n: { lt: below } } } },
      change: (state) => {
        for (const [id, { n }] of matching(state, name, below)) put(state, name, id, n)
      },
    }
  }

  #deleteByQuery(name: string): Operation {
    const below = this.#writes - this.#below(400)
    return {
      total: matching(this.#state, name, below).length,
      method: 'POST',
      path: `/${name}/_delete_by_query`,
      body: { query: { range: { n: { lt: below } } } },
      change: (state) => {
        for (const [id] of matching(state, name, below)) put(state, name, id, undefined)
      },
    }
  }

  #reindex(name: string): Operation | undefined {
    const other = this.#index(this.#below(NAMES))
    if (other === name || this.#state.indices[other]?.isOpen === false) return undefined
    return {
      total: matching(this.#state, name, Number.POSITIVE_INFINITY).length,
      method: 'POST',
      path: '/_reindex',
      body: { source: { index: name }, dest: { index: other } },
      change: (state) => {
        for (const [id, { n }] of matching(state, name, Number.POSITIVE_INFINITY)) put(state, other, id, n)
      },
    }
  }
}

const unchanging = (method: string, path: string): Operation => ({ method, path, change: () => {} })

const removal = (name: string): Operation => ({
  method: 'DELETE',
  path: `/${name}`,
  change: ({ indices }) => {
    delete indices[name]
  },
})

const toggle = (name: string, isOpen: boolean): Operation => ({
  method: 'POST',
  path: `/${name}/${isOpen ? '_close' : '_open'}`,
  change: ({ indices }) => {
    const index = indices[name] as IndexState
    index.isOpen = !isOpen
  },
})

/** Writes a document, into an index that is made where there is none. */
function put({ indices }: State, name: string, id: string, n: number | undefined): void {
  indices[name] ??= { fields: [], aliases: [], replicas: '1', isOpen: true, documents: {} }
  const { documents } = indices[name]
  const before = documents[id]
  if (n === undefined) delete documents[id]
  // Of one that may have been deleted a while ago the version is not known.
  else documents[id] = { n, version: before?.version === undefined ? undefined : before.version + 1 }
}

const matching = ({ indices }: State, name: string, below: number): [id: string, DocumentState][] =>
  Object.entries(indices[name]?.documents ?? {}).filter(([, { n }]) => n < below)

const isSame = (found: DocumentState | undefined, known: DocumentState | undefined): boolean =>
  found?.n === known?.n && (known?.version === undefined || found?.version === known.version)

const ids = (): string[] => Array.from({ length: DOCUMENTS }, (_, id) => String(id))

const textOf = (n: number): string => `document ${n} `.repeat(1 + (n % 60))
