import type { EngineVersion } from '../../engine/engine-version.ts'
import type { FieldMeta } from '../../engine/mapping/field-meta.ts'
import type { IndexMetadata } from '../../engine/metadata/index-metadata.ts'
import { STRICT_EXPAND_OPEN } from '../../engine/metadata/indices-options.ts'
import { canMatch } from '../../engine/search/can-match.ts'
import type { Query } from '../../engine/search/queries/query.ts'
import { typeName } from '../../engine/search/queries/query-context.ts'
import { illegalArgument } from '../../illegal-argument.ts'
import { matchWildcard } from '../../match-wildcard.ts'
import { parseFault } from '../../parse-fault.ts'
import type { JsonValue } from '../body/parse-json.ts'
import { validationFailed } from '../documents/document-parameters.ts'
import type { EndpointHandler, RestContext } from '../endpoint-handler.ts'
import { hasBlock } from '../indices/index-blocks.ts'
import { expandIndices } from '../indices/index-names.ts'
import { PERCOLATOR_PARTS } from '../indices/percolator-parts.ts'
import type { Json } from '../json/json-writer.ts'
import { parseMember } from '../query-dsl/parse-query.ts'
import { bodyObject, checkOnlyMember, type EndpointRequest, queryObject } from '../rest-request.ts'
import { leaveLargeMappings } from '../turns/leave-large.ts'

interface Capability {
  readonly searchable: boolean
  readonly aggregatable: boolean
  readonly meta?: FieldMeta | undefined
}

/** Fields that every index has; `type` where it is not their name. */
const METADATA: Readonly<Record<string, Capability & { readonly type?: string }>> = {
  _id: { searchable: true, aggregatable: true },
  _index: { searchable: true, aggregatable: true },
  _routing: { searchable: true, aggregatable: false },
  _source: { searchable: false, aggregatable: false },
  _version: { searchable: false, aggregatable: false },
  _seq_no: { searchable: true, aggregatable: true },
  _ignored: { searchable: true, aggregatable: false },
  _field_names: { searchable: true, aggregatable: false },
}

/** {@link METADATA} that only some versions have. */
const MORE_METADATA: Readonly<Record<EngineVersion, typeof METADATA>> = {
  'Elasticsearch_6.8': {
    _all: { searchable: true, aggregatable: false },
    _parent: { searchable: false, aggregatable: true },
    _type: { searchable: true, aggregatable: true },
    _uid: { searchable: false, aggregatable: true },
  },
  'Elasticsearch_7.10': {
    _feature: { searchable: false, aggregatable: false },
    _type: { searchable: true, aggregatable: true },
  },
  'OpenSearch_2.19': {
    _data_stream_timestamp: { searchable: false, aggregatable: false },
    _doc_count: { searchable: false, aggregatable: false, type: 'long' },
    _feature: { searchable: false, aggregatable: false },
    _nested_path: { searchable: true, aggregatable: false },
  },
}

/** `GET|POST [/<index>]/_field_caps`. */
export const fieldCaps: EndpointHandler = (request, context) => {
  const { patterns, filter } = readFieldCaps(request)
  const expanded = expandIndices(request, context, request.path['index'], STRICT_EXPAND_OPEN, '_field_caps')
  // Of indices that are blocked nothing is told, nor since 7.x of closed ones.
  const level = request.dialect.typed ? 'metadata_read' : 'read'
  const unblocked = expanded.filter(
    (index) =>
      !hasBlock(index, level) && (request.dialect.typed || index.state === 'open') && index.unavailable === undefined,
  )
  leaveLargeMappings(request, unblocked)
  const indices = filtered(unblocked, filter, context)
  const wanted = (path: string) => patterns.some((p) => matchWildcard(p, path))
  // Field → type → index → capability.
  const found = new Map<string, Map<string, Map<string, Capability>>>()
  const add = (path: string, type: string, index: string, capability: Capability): void => {
    const types = found.get(path) ?? new Map<string, Map<string, Capability>>()
    found.set(path, types)
    const ofType = types.get(type) ?? new Map<string, Capability>()
    types.set(type, ofType)
    ofType.set(index, capability)
  }
  const metadata = { ...METADATA, ...MORE_METADATA[request.dialect.engineVersion] }
  for (const index of indices) {
    const mapping = context.engine.mapping(index.name)
    // Any path in a flat object is there for who names it.
    const named = patterns.filter((p) => !p.startsWith('_') && mapping.field(p) !== undefined)
    for (const path of new Set([...mapping.matchFields('*').filter(wanted), ...named])) {
      const field = mapping.field(path)
      if (field === undefined) continue
      // 6.x cannot aggregate ranges.
      const isColumn = field.docValues && !(request.dialect.typed && field.kind === 'range')
      const isFlat = field.kind === 'keyword' && field.flat !== undefined
      const aggregatable = field.kind === 'text' ? field.fielddata : isColumn && !isFlat
      const type = typeName(field)
      const searchable = field.index && type !== 'rank_features' && type !== 'percolator'
      add(
        path,
        type,
        index.name,
        field.derived === undefined
          ? { searchable, aggregatable, meta: field.meta }
          : { searchable: false, aggregatable: true },
      )
      for (const parent of parentsOf(path)) {
        if (!mapping.isObject(parent)) continue
        add(parent, mapping.isNested(parent) ? 'nested' : 'object', index.name, {
          searchable: false,
          aggregatable: false,
        })
      }
    }
    for (const path of mapping.matchFields('*')) {
      const field = mapping.field(path)
      if (field?.kind !== 'opaque' || field.type !== 'percolator') continue
      for (const { name, mapping: own, searchable, aggregatable } of PERCOLATOR_PARTS) {
        if (wanted(`${path}.${name}`)) add(`${path}.${name}`, own.type, index.name, { searchable, aggregatable })
      }
    }
    // Without a mapping there are not even these.
    if (Object.keys(index.mappings).length === 0) continue
    for (const [path, { type = path, ...capability }] of Object.entries(metadata)) {
      if (wanted(path)) add(path, type, index.name, capability)
    }
  }
  if (request.parameters.boolean('include_unmapped', false))
    addUnmapped(
      found,
      indices.map(({ name }) => name),
    )
  const json = [...found].map(
    ([path, types]) =>
      [path, Object.fromEntries([...types].map(([type, by]) => [type, render(type, by, types.size > 1)]))] as const,
  )
  const names = indices.map((index) => index.name)
  return {
    status: 200,
    json: { ...(request.dialect.typed ? {} : { indices: names }), fields: Object.fromEntries(json) },
  }
}

/** What is asked for. In 6.x the body may name the fields too, one of the two alone. @throws {ServiceError} illegal_argument_exception, … */
export function readFieldCaps(request: EndpointRequest): {
  readonly patterns: readonly string[]
  readonly filter?: Query | undefined
} {
  const listed = request.parameters.list('fields')
  if (request.dialect.typed && (request.body.length > 0 || request.parameters.has('source'))) {
    if (listed !== undefined) {
      throw illegalArgument(
        "can't specify a request body and [fields] request parameter, either specify a request body or the [fields] request parameter",
      )
    }
    return { patterns: fieldsOfBody(bodyObject(request) ?? {}) }
  }
  if (listed === undefined || listed.length === 0) throw illegalArgument("specified fields can't be null or empty")
  return { patterns: listed, filter: request.dialect.typed ? undefined : indexFilter(request) }
}

/** What an index has to match to be asked, since 7.x. @throws {ServiceError} parsing_exception */
function indexFilter(request: EndpointRequest): Query | undefined {
  const body = queryObject(request) ?? {}
  checkOnlyMember(body, 'index_filter')
  return 'index_filter' in body ? parseMember(body, 'index_filter', request.queries) : undefined
}

/** The indices of which a filter may let a document through. */
function filtered(
  indices: readonly IndexMetadata[],
  filter: Query | undefined,
  { engine }: RestContext,
): readonly IndexMetadata[] {
  if (filter === undefined) return indices
  const options = { engineVersion: engine.version, now: Date.now() }
  return indices.filter(({ name }) => {
    const searcher = engine.searcher(name)
    try {
      return canMatch(filter, searcher, options)
    } finally {
      searcher.release()
    }
  })
}

function fieldsOfBody(body: { readonly [name: string]: JsonValue }): readonly string[] {
  for (const name of Object.keys(body)) {
    if (name !== 'fields') {
      const reason = `[field_caps_request] unknown field [${name}], parser not found`
      throw parseFault(reason).at(body, name, 'name')
    }
  }
  const { fields = [] } = body
  const names = (Array.isArray(fields) ? fields : [fields]).map(String)
  if (names.length === 0) throw validationFailed(['no fields specified'])
  return names
}

/** Says of each field which indices do not have it. */
function addUnmapped(found: ReadonlyMap<string, Map<string, Map<string, Capability>>>, names: readonly string[]): void {
  for (const types of found.values()) {
    const having = new Set([...types.values()].flatMap((byIndex) => [...byIndex.keys()]))
    const missing = names.filter((name) => !having.has(name))
    const none = { searchable: false, aggregatable: false }
    if (missing.length > 0) types.set('unmapped', new Map(missing.map((name) => [name, none])))
  }
}

function render(type: string, byIndex: ReadonlyMap<string, Capability>, conflicting: boolean): Json {
  const all = [...byIndex]
  const searchable = all.every(([, c]) => c.searchable)
  const aggregatable = all.every(([, c]) => c.aggregatable)
  const without = (key: keyof Capability) => all.filter(([, c]) => !c[key]).map(([index]) => index)
  const some = (key: keyof Capability) => all.some(([, c]) => c[key]) && !all.every(([, c]) => c[key])
  return {
    type,
    searchable,
    aggregatable,
    ...(conflicting ? { indices: all.map(([index]) => index) } : {}),
    ...(some('searchable') ? { non_searchable_indices: without('searchable') } : {}),
    ...(some('aggregatable') ? { non_aggregatable_indices: without('aggregatable') } : {}),
    ...metaOf(all.map(([, { meta }]) => meta ?? {})),
  }
}

/** What the indices' mappings tell of a field, by name, each value once. */
function metaOf(all: readonly FieldMeta[]): { readonly meta?: Json } {
  const names = [...new Set(all.flatMap((meta) => Object.keys(meta)))].sort()
  if (names.length === 0) return {}
  const values = (name: string): string[] => [...new Set(all.flatMap((meta) => meta[name] ?? []))].sort()
  return { meta: Object.fromEntries(names.map((name) => [name, values(name)])) }
}

function parentsOf(path: string): string[] {
  const parts = path.split('.')
  return parts.slice(0, -1).map((_, i) => parts.slice(0, i + 1).join('.'))
}
