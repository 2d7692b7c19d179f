import { ServiceError } from '../../errors.ts'
import { matchWildcard } from '../../match-wildcard.ts'
import type { PathParameters, Route } from '../../rest/router.ts'
import type { ClusterCall } from '../cluster-call.ts'
import type { IndexTypes } from './index-types.ts'
import type { TypedCall, TypedTranslation } from './typed-call.ts'
import { typedDocument } from './typed-documents.ts'
import { typedBulk, typedDocuments, typedReindex } from './typed-lists.ts'
import {
  typedCreation,
  typedExistsType,
  typedGetFieldMapping,
  typedGetIndex,
  typedGetMapping,
  typedPutMapping,
} from './typed-mappings.ts'
import { typedSearch } from './typed-searches.ts'

/** Calls that are worded otherwise where there are types; all others go as they came. */
const TRANSLATIONS: Readonly<Record<string, TypedTranslation>> = {
  bulk: typedBulk,
  'cat.aliases': ({ call }) => ({ call: { ...call, query: new Map([...OLDER_ALIAS_COLUMNS, ...call.query]) } }),
  count: typedSearch,
  create: typedDocument,
  delete: typedDocument,
  delete_by_query: typedSearch,
  exists: typedDocument,
  exists_source: typedDocument,
  explain: typedDocument,
  get: typedDocument,
  get_source: typedDocument,
  index: typedDocument,
  'indices.create': typedCreation,
  'indices.delete': ({ call }) => ({ call, changesIndices: true }),
  'indices.exists_type': typedExistsType,
  'indices.get': typedGetIndex,
  'indices.get_field_mapping': typedGetFieldMapping,
  'indices.get_mapping': typedGetMapping,
  'indices.get_template': typedGetIndex,
  'indices.put_mapping': typedPutMapping,
  'indices.put_template': typedCreation,
  'indices.rollover': typedCreation,
  'indices.validate_query': typedSearch,
  mget: typedDocuments,
  msearch: typedSearch,
  msearch_template: typedSearch,
  mtermvectors: typedDocuments,
  rank_eval: typedSearch,
  reindex: typedReindex,
  scroll: typedSearch,
  search: typedSearch,
  search_template: typedSearch,
  termvectors: typedDocument,
  update: typedDocument,
  update_by_query: typedSearch,
}

/** Later versions show one more. */
const OLDER_ALIAS_COLUMNS = [['h', 'alias,index,filter,routing.index,routing.search']] as const

/** Parameters by the names that later versions have for them; undefined: those that are gone, and say nothing more. */
const NEWER_NAMES: ReadonlyMap<string, string | undefined> = new Map([
  ['_source_exclude', '_source_excludes'],
  ['_source_include', '_source_includes'],
  ['include_type_name', undefined],
  ['update_all_types', undefined],
])

/**
 * A call of 6.8 in the words of a cluster whose documents have no types.
 *
 * @throws {ServiceError} for what has no translation, or what 6.8 refuses too
 */
export async function translateCall(call: ClusterCall, route: Route, types: IndexTypes): Promise<TypedCall> {
  if (route.kind !== 'found' || isCommand(route.parameters)) return { call }
  const translation = Object.hasOwn(TRANSLATIONS, route.endpoint) ? TRANSLATIONS[route.endpoint] : undefined
  const format = call.query.get('format')
  if (translation !== undefined && !route.endpoint.startsWith('cat.') && format !== undefined && format !== 'json') {
    throw new ServiceError(
      'illegal_argument_exception',
      `answers in [${format}] are not translated from later versions`,
    )
  }
  const translated = translation === undefined ? { call } : await translation({ call, route, types })
  if (translated.call === undefined) return translated
  const { typeShown, ...rest } = translated
  const isShown = typeShown !== undefined && !filtersTypes(call.query.get('filter_path'))
  return {
    ...rest,
    ...(isShown ? { typeShown } : {}),
    call: { ...translated.call, query: newerQuery(translated.call) },
  }
}

/** Whether what looks like an index or a type is a command of a later version, or of a plugin. */
function isCommand({ index, type }: PathParameters): boolean {
  return (
    (index?.startsWith('_') === true && index !== '_all') ||
    (type?.startsWith('_') === true && type !== '_doc' && type !== '_all')
  )
}

/** Whether a `filter_path` asks for `_index` without `_type`. */
function filtersTypes(filter: string | undefined): boolean {
  const paths = (filter ?? '').split(',')
  if (paths.some((path) => path.startsWith('-') && path.endsWith('._type'))) return true
  const names = (member: string) =>
    paths.some((path) => !path.startsWith('-') && matchWildcard(path.split('.').at(-1) ?? '', member))
  return names('_index') && !names('_type')
}

function newerQuery({ query }: ClusterCall): ReadonlyMap<string, string> {
  const older = [...query.keys()].filter((name) => NEWER_NAMES.has(name))
  if (older.length === 0) return query
  const newer = new Map<string, string>()
  for (const [name, value] of query) {
    const newerName = older.includes(name) ? NEWER_NAMES.get(name) : name
    if (newerName !== undefined) newer.set(newerName, value)
  }
  return newer
}
