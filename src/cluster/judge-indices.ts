import { Breather } from '../breather.ts'
import { isObject } from '../is-object.ts'
import { matchWildcard } from '../match-wildcard.ts'
import { type JsonValue, parseJson } from '../rest/body/parse-json.ts'
import { mayRedirect } from '../rest/ingest/redirecting-pipeline.ts'
import type { StoredPart } from '../rest/judge-stored.ts'
import { type BulkLine, readBulkLines, readSearchLines, writeBulkLines, writeSearchLines } from './bulk-lines.ts'
import type { CallerRights } from './caller-rights.ts'
import type { ClusterCall } from './cluster-call.ts'
import type { ClusterState } from './cluster-state.ts'
import { bodyOf, list, member, text } from './json-members.ts'
import { idsOf, requireContexts } from './judge-contexts.ts'
import { judgeGivenPipelines } from './judge-pipeline.ts'
import type { Found, JudgeContext, JudgedCall } from './judged-call.ts'
import { type NamedIndices, namedIndices } from './named-indices.ts'
import { indicesOfAliases, resolveNames } from './resolve-names.ts'
import { definesQueries } from './stored-queries.ts'

const PIPELINE_ENDPOINTS: ReadonlySet<string> = new Set([
  'bulk',
  'create',
  'index',
  'reindex',
  'update',
  'update_by_query',
])

const DOCUMENT_ENDPOINTS: ReadonlySet<string> = new Set(['create', 'index', 'update'])

/** What they make is reached by names that the path or the body gives it besides its own. */
const ALIAS_ENDPOINTS: ReadonlySet<string> = new Set([
  'indices.clone',
  'indices.create',
  'indices.put_alias',
  'indices.shrink',
  'indices.split',
])

/** Their bodies define fields and settings, which name no index; but for the filters of aliases. */
const DEFINING_ENDPOINTS: ReadonlySet<string> = new Set([
  'indices.clone',
  'indices.create',
  'indices.put_mapping',
  'indices.put_settings',
  'indices.shrink',
  'indices.split',
])

/** Without an index in their path they go over the indices that have the aliases they name. */
const ALIAS_READING_ENDPOINTS: ReadonlySet<string> = new Set([
  'cat.aliases',
  'indices.exists_alias',
  'indices.get_alias',
])

/** What paths begin with that name indices behind it. */
const COMMANDS: ReadonlySet<string> = new Set(['_cat', '_cluster', '_resolve'])

/** Where search pipelines are read. */
const SEARCH_PIPELINES = '_search/pipeline'

/** What shows what becomes of a search. */
const SHOWING = ['explain', 'profile', 'verbose_pipeline'] as const

const TASK_ENDPOINTS: ReadonlySet<string> = new Set(['delete_by_query', 'reindex', 'update_by_query'])

/** Judges a call to endpoints that touch indices they name. */
export class IndexJudge {
  readonly #call: ClusterCall
  readonly #route: Found
  readonly #api: string
  readonly #rights: CallerRights
  readonly #state: ClusterState
  readonly #context: JudgeContext

  constructor(call: ClusterCall, route: Found, api: string, context: JudgeContext, state: ClusterState) {
    this.#call = call
    this.#route = route
    this.#api = api
    this.#context = context
    this.#rights = context.rights
    this.#state = state
  }

  async judge(): Promise<JudgedCall> {
    const { endpoint } = this.#route
    switch (endpoint) {
      case 'bulk':
        return { call: { ...this.#call, body: await this.#judgeBulk() } }
      case 'msearch':
        return this.#judgeSearches()
      case 'mget':
      case 'mtermvectors':
        this.#judgeDocuments()
        return { call: this.#call }
      case 'reindex': {
        const over = await this.#judgeReindex()
        return this.#isTask ? { call: this.#call, contextOver: over } : { call: this.#call }
      }
      case 'indices.update_aliases':
        this.#judgeAliasActions()
        return { call: this.#call }
      case 'indices.rollover':
        await this.#judgeRollover()
        return { call: this.#call }
      case 'indices.analyze':
        this.#judgeAnalyze()
        return { call: this.#call }
    }
    const { index, name, target } = this.#route.parameters
    if (ALIAS_READING_ENDPOINTS.has(endpoint) && index === undefined && name !== undefined) {
      this.#rights.requireIndices(indicesOfAliases(name.split(','), this.#state), this.#api)
      return { call: this.#call }
    }
    const names = this.#pathNames
    const isNumbers = endpoint === 'cluster.health' && !this.#call.query.has('level')
    const isPointInTime = endpoint === 'search' && member(bodyOf(this.#call), 'pit') !== undefined
    // The whole cluster's health is numbers alone; a point in time is judged by what it was made of.
    if (names.length > 0 || !(isNumbers || isPointInTime)) {
      if (COMMANDS.has(this.#api)) this.#rights.requireBehind(names, this.#state, this.#api)
      else this.#rights.require(names, this.#state, this.#api)
    }
    if (target !== undefined) this.#rights.requireMade([target], this.#state, '', 'PUT')
    if (ALIAS_ENDPOINTS.has(endpoint)) this.#judgeNewAliases()
    if (DOCUMENT_ENDPOINTS.has(endpoint)) await this.#judgeDocument(names[0] ?? '', this.#call.body)
    else if (DEFINING_ENDPOINTS.has(endpoint)) await this.#judgeDefinition()
    // The body of an alias may name its index.
    else this.#judgeQuery(bodyOf(this.#call), endpoint === 'indices.put_alias' ? '_alias' : '_doc')
    if (endpoint === 'update_by_query') await this.#refuseStoredQueries(names)
    if (PIPELINE_ENDPOINTS.has(endpoint)) await this.#judgePipelines(names, this.#call.query.get('pipeline'))
    const isSearch = endpoint === 'search' || endpoint === 'count'
    const madeOf = isSearch ? this.#judgeSearchPipelines(bodyOf(this.#call), names) : []
    const isContext = endpoint === 'search' && this.#call.query.has('scroll')
    return { call: this.#call, madeOf, ...(isContext || this.#isTask ? { contextOver: names } : {}) }
  }

  /** Whether it is answered with the name of a task before it is done. */
  get #isTask(): boolean {
    return TASK_ENDPOINTS.has(this.#route.endpoint) && this.#call.query.get('wait_for_completion') === 'false'
  }

  get #pathNames(): readonly string[] {
    const { index, name } = this.#route.parameters
    const named = this.#route.endpoint === 'indices.resolve_index' ? name : index
    return named === undefined ? [] : named.split(',')
  }

  /** Judges what queries look up. */
  #judgeQuery(body: JsonValue | undefined, api = '_doc'): void {
    if (body === undefined) return
    this.#requireNamed(namedIndices(body), api)
    const pointInTime = member(body, 'pit')
    if (pointInTime !== undefined) requireContexts(idsOf([member(pointInTime, 'id')]), this.#context, this.#state)
  }

  /** Whether anything is called so or not: that must not show. */
  #requireNamed({ names, isOpaque }: NamedIndices, api: string): void {
    if (isOpaque) this.#rights.requireDomain()
    // None would be all.
    if (names.size > 0) this.#rights.requireBehind([...names], this.#state, api)
  }

  /** What is stored in fields that hold queries is looked up by the cluster: they are made by who may do everything. */
  async #judgeDefinition(): Promise<void> {
    const body = bodyOf(this.#call)
    await judgeGivenPipelines(body, this.#context)
    if (definesQueries(body)) this.#rights.requireDomain()
    this.#judgeQuery(member(body, 'aliases'))
  }

  async #judgeBulk(): Promise<Buffer> {
    const items = await readBulkLines(this.#call.body)
    const pipeline = this.#call.query.get('pipeline')
    const indexOf = (item: BulkLine) => text(item.meta['_index']) ?? this.#route.parameters['index']
    const targets = new Set(items.map(indexOf).filter((index) => index !== undefined))
    // First, so that nothing wrong with a document tells of where it was to go.
    this.#rights.requireMade([...targets], this.#state, '_bulk')
    const judged = new Set<string>()
    const breather = new Breather()
    for (const item of items) {
      const others = breather.turn()
      if (others !== undefined) await others
      const index = indexOf(item)
      const route = `${index} ${text(item.meta['pipeline']) ?? pipeline}`
      if (index !== undefined && item.action !== 'delete' && !judged.has(route)) {
        judged.add(route)
        await this.#judgePipelines([index], text(item.meta['pipeline']) ?? pipeline)
      }
      if (item.source !== undefined) await this.#judgeDocument(index ?? '', item.source)
    }
    return writeBulkLines(items)
  }

  /** A document may be a query to percolate with, which looks up what it names when it is stored; a script may make it one. */
  async #judgeDocument(target: string, source: Buffer): Promise<void> {
    // Most documents hold nothing of the kind, and need not be parsed to see it; zeros are those of wider units.
    const mayName = ['index', 'indices', 'wrapper', 'script', '\\u', '\0'].some((word) => source.includes(word))
    if (!mayName || !(await this.#context.storedQueries.mayBeIn(target, this.#state))) return
    const document = parseJson(source)
    if (member(document, 'script') !== undefined) this.#rights.requireDomain()
    this.#requireNamed(namedIndices(document), '_doc')
  }

  /** What is written of documents that are there may be a query, made of what was none. */
  async #refuseStoredQueries(targets: readonly string[]): Promise<void> {
    for (const target of targets)
      if (await this.#context.storedQueries.mayBeIn(target, this.#state)) this.#rights.requireDomain()
  }

  #judgeSearches(): JudgedCall {
    const searches = readSearchLines(this.#call.body)
    const madeOf: StoredPart[] = []
    for (const { header, body } of searches) {
      // Either member is read by the cluster, whichever comes last.
      const own = [header['index'], header['indices']].filter((names) => names !== undefined && names !== null)
      for (const names of own) this.#rights.require(list(names), this.#state, '_search')
      if (own.length === 0) this.#rights.require(this.#pathNames, this.#state, '_search')
      // The cluster says what it makes of a blank line.
      const search = body.toString('latin1').trim() === '' ? undefined : parseJson(body)
      this.#judgeQuery(search)
      madeOf.push(...this.#judgeSearchPipelines(search, own.length === 0 ? this.#pathNames : own.flatMap(list)))
    }
    return { call: { ...this.#call, body: writeSearchLines(searches) }, madeOf }
  }

  /**
   * Pipelines that a search goes through: what they make of it shows in profiles, explanations and faults.
   *
   * @returns those the caller may not read
   */
  #judgeSearchPipelines(body: JsonValue | undefined, names: readonly string[]): readonly StoredPart[] {
    const given = member(body, 'search_pipeline')
    const asked = [this.#call.query.get('search_pipeline'), isObject(given) ? undefined : text(given)]
    const named = asked.filter((name) => name !== undefined)
    const reached = named.length > 0 ? [] : [...resolveNames(names, this.#state)]
    const own = reached.flatMap((name) => this.#state.indices.get(name)?.searchPipeline ?? [])
    const hidden = [...new Set([...named, ...own])].filter(
      (name) => name !== '_none' && !this.#rights.mayReadOne(SEARCH_PIPELINES, name),
    )
    const isShown = SHOWING.some((flag) => isSet(this.#call.query.get(flag)) || isSet(text(member(body, flag))))
    if (isShown) for (const name of hidden) this.#rights.requireToRead(SEARCH_PIPELINES, name)
    return hidden.map((name) => ({ folder: SEARCH_PIPELINES, name }))
  }

  /** `_mget` and `_mtermvectors`: every name in the body is one to read from. */
  #judgeDocuments(): void {
    const body = bodyOf(this.#call) ?? {}
    const { names, isOpaque } = namedIndices(body)
    if (isOpaque) this.#rights.requireDomain()
    this.#rights.require([...new Set([...names, ...this.#pathNames])], this.#state, this.#api)
  }

  /** @returns what it reads and writes */
  async #judgeReindex(): Promise<readonly string[]> {
    const body = bodyOf(this.#call)
    const source = member(body, 'source')
    const destination = member(body, 'dest')
    // A script may send documents anywhere, a remote source makes the cluster a client.
    const isUnknown = member(body, 'script') !== undefined || member(source, 'remote') !== undefined
    if (isUnknown) this.#rights.requireDomain()
    this.#rights.require(list(member(source, 'index') ?? '*'), this.#state, '_search')
    const target = list(member(destination, 'index') ?? '*')
    this.#rights.require(target, this.#state, '_bulk')
    await this.#refuseStoredQueries(target)
    await this.#judgePipelines(target, text(member(destination, 'pipeline')))
    // Its index is judged above, as what is searched.
    if (isObject(source)) this.#judgeQuery({ ...source, index: null })
    return [...list(member(source, 'index') ?? '*'), ...target]
  }

  /** Aliases that an index is made with, or that the path or the body of `_alias` names. */
  #judgeNewAliases(): void {
    const body = bodyOf(this.#call)
    const { name } = this.#route.parameters
    const aliases = member(body, 'aliases')
    const named = [name, text(member(body, 'alias')), this.#call.query.get('name')]
    const given = isObject(aliases) ? Object.keys(aliases) : []
    this.#rights.requireAliases([...named.filter((one) => one !== undefined), ...given], this.#state)
  }

  #judgeAliasActions(): void {
    const actions = member(bodyOf(this.#call), 'actions')
    for (const action of Array.isArray(actions) ? actions : []) {
      for (const [kind, members] of Object.entries(action as object) as [string, JsonValue][]) {
        for (const own of [member(members, 'index'), member(members, 'indices')]) {
          if (own === undefined || own === null) continue
          this.#rights.require(list(own), this.#state, '_alias')
          if (kind === 'remove_index') this.#rights.require(list(own), this.#state, '', 'DELETE')
        }
        if (kind !== 'add') continue
        for (const own of [member(members, 'alias'), member(members, 'aliases')]) {
          if (own !== undefined && own !== null) this.#rights.requireAliases(list(own), this.#state)
        }
      }
    }
    this.#judgeQuery(actions)
  }

  async #judgeRollover(): Promise<void> {
    const { alias = '', new_index: named } = this.#route.parameters
    this.#rights.require([alias], this.#state, '_rollover')
    const current = [...(this.#state.groups.get(alias) ?? [])]
    const next = named === undefined ? current.map(nextName) : [named]
    this.#rights.requireMade(next, this.#state, '', 'PUT')
    this.#judgeNewAliases()
    await this.#judgeDefinition()
  }

  #judgeAnalyze(): void {
    const names = [
      this.#route.parameters['index'],
      this.#call.query.get('index'),
      text(member(bodyOf(this.#call), 'index')),
    ]
    const named = names.filter((name) => name !== undefined)
    if (named.length > 0) this.#rights.require(named, this.#state, '_analyze')
  }

  /** Those that templates give an index that is yet to be made. */
  async #pipelinesToCome(target: string): Promise<readonly string[]> {
    if (this.#state.pipelines.size === 0) return []
    const templates = await this.#context.templates()
    return templates.flatMap(({ patterns, pipelines }) =>
      patterns.some((pattern) => matchWildcard(pattern, target)) ? pipelines : [],
    )
  }

  /** Pipelines may send documents elsewhere, and make queries of them: those that may are for who may write everywhere. */
  async #judgePipelines(targets: readonly string[], asked: string | undefined): Promise<void> {
    const { pipelines } = this.#state
    for (const target of targets) {
      const members = [target, ...(this.#state.groups.get(target) ?? [])]
      const known = members.map((name) => this.#state.indices.get(name)).filter((index) => index !== undefined)
      const own = known.length === 0 ? await this.#pipelinesToCome(target) : known.flatMap((index) => index.pipelines)
      const ids = asked === undefined || asked === '_none' ? own : [...own, asked]
      if (ids.some((id) => mayRedirect(pipelines.get(id)))) this.#rights.requireDomain()
      if (ids.length > 0) await this.#refuseStoredQueries([target])
    }
  }
}

function isSet(flag: string | undefined): boolean {
  return flag !== undefined && flag !== 'false'
}

/** Of `logs-000001`, `logs-000002`. */
function nextName(name: string): string {
  const match = /^(.*)-(\d+)$/.exec(name)
  return match === null ? name : `${match[1]}-${String(Number(match[2]) + 1).padStart(6, '0')}`
}
