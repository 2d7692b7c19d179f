import { type JsonValue, parseJson } from '../rest/parse-json.ts'
import type { PathParameters, Route } from '../rest/router.ts'
import { readBulkLines, readSearchLines, writeBulkLines, writeSearchLines } from './bulk-lines.ts'
import type { CallerRights } from './caller-rights.ts'
import { type ClusterCall, isJson } from './cluster-call.ts'
import type { ClusterState } from './cluster-state.ts'
import { endpointReach, FURTHER_METHODS } from './endpoint-reach.ts'
import { namedIndices } from './named-indices.ts'
import { mayRedirect } from './redirecting-pipeline.ts'
import type { ScrollOwners } from './scroll-owners.ts'

/** What judging needs besides the call. */
export interface JudgeContext {
  readonly rights: CallerRights
  /** The cluster's state, asked for only where rights are not for everything. */
  readonly state: () => Promise<ClusterState>
  readonly scrolls: ScrollOwners
}

/** A call that was let through. */
export interface JudgedCall {
  /** What was judged: lines and sources are put anew, so that the cluster reads them as they were read here. */
  readonly call: ClusterCall
  /** Set where the answer's scroll id is to be remembered: the indices it goes over. */
  readonly scrollOver?: readonly string[]
}

type Found = Extract<Route, { kind: 'found' }>

/** Parameters of paths that the cluster takes from the query too. */
const PATH_NAMES = ['index', 'indices', 'alias', 'target', 'new_index'] as const

const PIPELINE_ENDPOINTS: ReadonlySet<string> = new Set([
  'bulk',
  'create',
  'index',
  'reindex',
  'update',
  'update_by_query',
])

/**
 * Judges everything a call touches beyond its path. Who may do everything is asked no more; for the others, what cannot be
 * known to touch only what is theirs is refused.
 *
 * @throws {Error} the access layer's denial
 * @throws {ServiceError} for a body that cannot be read, 503 when the cluster does not tell its state
 */
export async function judgeCall(call: ClusterCall, route: Route, context: JudgeContext): Promise<JudgedCall> {
  const { rights } = context
  const { method } = call
  // It tells the methods of a path, and touches nothing.
  if (method === 'OPTIONS') return { call }
  const further = route.kind === 'found' ? FURTHER_METHODS[route.endpoint] : undefined
  if (rights.hasDomain(method) && (further === undefined || rights.hasDomain(further))) return { call }
  const reach = route.kind === 'found' && hasPlainNames(route.parameters) ? endpointReach(route.endpoint) : undefined
  const isReadable = call.body.length === 0 || isJson(call)
  const namesByQuery = PATH_NAMES.some((name) => call.query.has(name)) && !isAnalyze(route)
  if (reach?.kind === 'path' && !call.query.has('level')) return { call }
  if (route.kind === 'found' && (route.endpoint === 'scroll' || route.endpoint === 'clear_scroll') && isReadable) {
    return judgeScroll(call, route, context)
  }
  if (route.kind !== 'found' || reach?.kind !== 'indices' || namesByQuery || !isReadable) {
    rights.requireDomain()
    if (further !== undefined) rights.requireDomain(further)
    return { call }
  }
  return new IndexJudge(withSourceAsBody(call, rights), route, reach.api, context, await context.state()).judge()
}

/** Names that begin with an underscore are commands: those the table of endpoints does not know are not indices either. */
function hasPlainNames({ index, type, alias }: PathParameters): boolean {
  const isPlain = (name: string | undefined) => name === undefined || !name.startsWith('_')
  return (isPlain(index) || index === '_all') && (isPlain(type) || type === '_doc') && isPlain(alias)
}

function isAnalyze(route: Route): boolean {
  return route.kind === 'found' && route.endpoint === 'indices.analyze'
}

/** `source` of the query is a body by another name: it becomes one, so that there is one. */
function withSourceAsBody(call: ClusterCall, rights: CallerRights): ClusterCall {
  const source = call.query.get('source')
  if (source === undefined) return call
  const query = new Map(call.query)
  query.delete('source')
  query.delete('source_content_type')
  if (call.body.length > 0) return { ...call, query }
  const moved = { ...call, query, contentType: call.query.get('source_content_type'), body: Buffer.from(source) }
  if (!isJson(moved)) rights.requireDomain()
  return moved
}

async function judgeScroll(call: ClusterCall, route: Found, context: JudgeContext): Promise<JudgedCall> {
  const body = call.body.length === 0 ? undefined : parseJson(call.body)
  const ids = [route.parameters['scroll_id'], call.query.get('scroll_id'), member(body, 'scroll_id')]
    .flat()
    .filter((id) => id !== undefined && id !== null)
    .flatMap((id) => String(id).split(','))
  const state = await context.state()
  const owned = ids.map((id) => context.scrolls.find(id))
  for (const expressions of owned) {
    if (expressions === undefined) context.rights.requireDomain()
    else context.rights.require(expressions, state, '_search')
  }
  if (ids.length === 0) context.rights.requireDomain()
  const over = owned.flatMap((expressions) => expressions ?? [])
  return route.endpoint === 'scroll' ? { call, scrollOver: over } : { call }
}

const DOCUMENT_ENDPOINTS: ReadonlySet<string> = new Set(['create', 'index', 'update'])

/** Judges a call to endpoints that touch indices they name. */
class IndexJudge {
  readonly #call: ClusterCall
  readonly #route: Found
  readonly #api: string
  readonly #rights: CallerRights
  readonly #state: ClusterState

  constructor(call: ClusterCall, route: Found, api: string, { rights }: JudgeContext, state: ClusterState) {
    this.#call = call
    this.#route = route
    this.#api = api
    this.#rights = rights
    this.#state = state
  }

  judge(): JudgedCall {
    const { endpoint } = this.#route
    switch (endpoint) {
      case 'bulk':
        return { call: { ...this.#call, body: this.#judgeBulk() } }
      case 'msearch':
        return { call: { ...this.#call, body: this.#judgeSearches() } }
      case 'mget':
      case 'mtermvectors':
        this.#judgeDocuments()
        return { call: this.#call }
      case 'reindex':
        this.#judgeReindex()
        return { call: this.#call }
      case 'indices.update_aliases':
        this.#judgeAliasActions()
        return { call: this.#call }
      case 'indices.rollover':
        this.#judgeRollover()
        return { call: this.#call }
      case 'indices.analyze':
        this.#judgeAnalyze()
        return { call: this.#call }
    }
    const names = this.#pathNames
    // The whole cluster's health is numbers alone.
    if (endpoint !== 'cluster.health' || names.length > 0 || this.#call.query.has('level')) {
      this.#rights.require(names, this.#state, this.#api)
    }
    const { target } = this.#route.parameters
    if (target !== undefined) this.#rights.require([target], this.#state, '', 'PUT')
    if (DOCUMENT_ENDPOINTS.has(endpoint)) this.#judgeDocument(this.#call.body)
    else this.#judgeQuery(this.#bodyJson())
    if (PIPELINE_ENDPOINTS.has(endpoint)) this.#judgePipelines(names, this.#call.query.get('pipeline'))
    return this.#call.query.has('scroll') && endpoint === 'search'
      ? { call: this.#call, scrollOver: names }
      : { call: this.#call }
  }

  get #pathNames(): readonly string[] {
    const { index } = this.#route.parameters
    return index === undefined ? [] : index.split(',')
  }

  #bodyJson(): JsonValue | undefined {
    return this.#call.body.length === 0 ? undefined : parseJson(this.#call.body)
  }

  /** Judges what queries look up. */
  #judgeQuery(body: JsonValue | undefined): void {
    if (body === undefined) return
    const { names, isOpaque } = namedIndices(body)
    if (isOpaque || member(body, 'pit') !== undefined) this.#rights.requireDomain()
    this.#rights.requireExisting(names, this.#state, '_doc')
  }

  #judgeBulk(): Buffer {
    const items = readBulkLines(this.#call.body)
    const pipeline = this.#call.query.get('pipeline')
    const targets = new Set<string>()
    const judged = new Set<string>()
    for (const item of items) {
      const index = text(item.meta['_index']) ?? this.#route.parameters['index']
      if (index !== undefined) targets.add(index)
      const route = `${index} ${text(item.meta['pipeline']) ?? pipeline}`
      if (index !== undefined && item.action !== 'delete' && !judged.has(route)) {
        judged.add(route)
        this.#judgePipelines([index], text(item.meta['pipeline']) ?? pipeline)
      }
      if (item.source !== undefined) this.#judgeDocument(item.source)
    }
    this.#rights.require([...targets], this.#state, '_bulk')
    return writeBulkLines(items)
  }

  /** A document may be a query to percolate with, which looks up what it names when it is stored. */
  #judgeDocument(source: Buffer): void {
    // Most documents hold nothing of the kind, and need not be parsed to see it; zeros are those of wider units.
    const mayName = ['index', 'indices', 'wrapper', '\\u', '\0'].some((word) => source.includes(word))
    if (!mayName) return
    const { names } = namedIndices(parseJson(source))
    this.#rights.requireExisting(names, this.#state, '_doc', true)
  }

  #judgeSearches(): Buffer {
    const searches = readSearchLines(this.#call.body)
    for (const { header, body } of searches) {
      // Either member is read by the cluster, whichever comes last.
      const own = [header['index'], header['indices']].filter((names) => names !== undefined && names !== null)
      for (const names of own) this.#rights.require(list(names), this.#state, '_search')
      if (own.length === 0) this.#rights.require(this.#pathNames, this.#state, '_search')
      this.#judgeQuery(parseJson(body))
    }
    return writeSearchLines(searches)
  }

  /** `_mget` and `_mtermvectors`: every name in the body is one to read from. */
  #judgeDocuments(): void {
    const body = this.#bodyJson() ?? {}
    const { names, isOpaque } = namedIndices(body)
    if (isOpaque) this.#rights.requireDomain()
    this.#rights.require([...new Set([...names, ...this.#pathNames])], this.#state, this.#api)
  }

  #judgeReindex(): void {
    const body = this.#bodyJson()
    const source = member(body, 'source')
    const destination = member(body, 'dest')
    // A script may send documents anywhere, a remote source makes the cluster a client.
    const isUnknown = member(body, 'script') !== undefined || member(source, 'remote') !== undefined
    if (isUnknown) this.#rights.requireDomain()
    this.#rights.require(list(member(source, 'index') ?? '*'), this.#state, '_search')
    const target = list(member(destination, 'index') ?? '*')
    this.#rights.require(target, this.#state, '_bulk')
    this.#judgePipelines(target, text(member(destination, 'pipeline')))
    this.#judgeQuery(body)
  }

  #judgeAliasActions(): void {
    const actions = member(this.#bodyJson(), 'actions')
    for (const action of Array.isArray(actions) ? actions : []) {
      for (const [kind, members] of Object.entries(action as object) as [string, JsonValue][]) {
        for (const own of [member(members, 'index'), member(members, 'indices')]) {
          if (own === undefined || own === null) continue
          this.#rights.require(list(own), this.#state, '_alias')
          if (kind === 'remove_index') this.#rights.require(list(own), this.#state, '', 'DELETE')
        }
      }
    }
    this.#judgeQuery(actions)
  }

  #judgeRollover(): void {
    const { alias = '', new_index: named } = this.#route.parameters
    this.#rights.require([alias], this.#state, '_rollover')
    const current = [...(this.#state.groups.get(alias) ?? [])]
    const next = named === undefined ? current.map(nextName) : [named]
    this.#rights.require(next, this.#state, '', 'PUT')
    this.#judgeQuery(this.#bodyJson())
  }

  #judgeAnalyze(): void {
    const names = [
      this.#route.parameters['index'],
      this.#call.query.get('index'),
      text(member(this.#bodyJson(), 'index')),
    ]
    const named = names.filter((name) => name !== undefined)
    if (named.length > 0) this.#rights.require(named, this.#state, '_analyze')
  }

  /** Pipelines may send documents elsewhere: those that may are for who may write everywhere. */
  #judgePipelines(targets: readonly string[], asked: string | undefined): void {
    const { pipelines } = this.#state
    for (const target of targets) {
      const members = [target, ...(this.#state.groups.get(target) ?? [])]
      const known = members.map((name) => this.#state.indices.get(name)).filter((index) => index !== undefined)
      // An index that is yet to be made may get any pipeline from a template.
      const own = known.length === 0 ? [...pipelines.keys()] : known.flatMap((index) => index.pipelines)
      const named = asked === undefined || asked === '_none' ? [] : [asked]
      if ([...own, ...named].some((id) => mayRedirect(pipelines.get(id)))) this.#rights.requireDomain()
    }
  }
}

/** Of `logs-000001`, `logs-000002`. */
function nextName(name: string): string {
  const match = /^(.*)-(\d+)$/.exec(name)
  return match === null ? name : `${match[1]}-${String(Number(match[2]) + 1).padStart(6, '0')}`
}

function member(value: JsonValue | undefined, name: string): JsonValue | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value[name] : undefined
}

function text(value: JsonValue | undefined): string | undefined {
  return value === undefined || value === null ? undefined : String(value)
}

/** Names as bodies give them: one, several by commas, or an array of such. */
function list(value: JsonValue): string[] {
  return (Array.isArray(value) ? value : [value]).flatMap((name) => String(name).split(','))
}
