import type { EngineVersion } from '../../engine/engine-version.ts'
import { contentMap } from '../body/content-map.ts'
import { isEveryType } from '../indices/mapping-body.ts'
import type { EndpointRequest } from '../rest-request.ts'
import { DEPRECATIONS, type Deprecation } from './deprecations.ts'

/** Something deprecated that a request's path and parameters tell. */
interface Rule {
  readonly name: Deprecation
  readonly applies: (request: EndpointRequest) => boolean
  readonly words?: (request: EndpointRequest) => readonly string[]
}

const always = (name: Deprecation): Rule => ({ name, applies: () => true })
const typed = (name: Deprecation): Rule => ({
  name,
  applies: ({ path, parameters }) => path['type'] !== undefined || parameters.has('type'),
})
const given = (parameter: string, name: Deprecation, ...words: readonly string[]): Rule => ({
  name,
  applies: ({ parameters }) => parameters.has(parameter),
  words: () => words,
})

const hasTypeName = ({ parameters }: EndpointRequest): boolean => parameters.has('include_type_name')
/** Reads it, since nothing is said where it cannot be. */
const isTypeName = ({ parameters }: EndpointRequest): boolean => {
  parameters.boolean('include_type_name', false)
  return true
}
/** 6.x minds the parameter's absence, 7.x its presence. */
const typeName = (name: Deprecation, more: (request: EndpointRequest) => boolean = isTypeName): Rule => ({
  name,
  applies: (request) => hasTypeName(request) !== request.dialect.typed && more(request),
})
/** A type in the path without the parameter's leave is refused before. */
const mayName = ({ path, parameters }: EndpointRequest): boolean =>
  isEveryType(path['type'] ?? '*') ||
  !hasTypeName({ parameters } as EndpointRequest) ||
  parameters.boolean('include_type_name', false)
/** A body that 6.x has read before it says something; undefined: none, or one that it cannot read. */
function mapOf(request: EndpointRequest): object | undefined {
  try {
    return contentMap(request)
  } catch {
    return undefined
  }
}
const namesMappings = (request: EndpointRequest): boolean =>
  isTypeName(request) && (!request.dialect.typed || Object.hasOwn(mapOf(request) ?? {}, 'mappings'))

const PREFERRED = /^_(?:primary|replica)(?:_first)?$/
const preference: Rule = {
  name: 'preferred_copy',
  applies: ({ parameters }) => parameters.has('preference') && PREFERRED.test(parameters.text('preference', '')),
  words: ({ parameters }) => [parameters.text('preference', '')],
}
const sources: readonly Rule[] = [
  given('_source_include', 'source_include'),
  given('_source_exclude', 'source_exclude'),
]
const search: readonly Rule[] = [typed('typed_search'), preference, ...sources]
const write: readonly Rule[] = [{ name: 'typed_index', applies: ({ path }) => (path['type'] ?? '_doc') !== '_doc' }]
const path = ({ uri }: EndpointRequest): string => uri.split('?')[0] as string
const asksSuggest = (parameter: string) => (request: EndpointRequest) =>
  request.path[parameter]?.split(',').includes('suggest') === true

const hotThreads: Rule = {
  name: 'hot_threads',
  applies: (request) => /^\/_cluster|hotthreads/.test(path(request)),
  words: (request) => {
    const asked = path(request).replace(/(?<=nodes\/)[^/]+(?=\/)/, '{nodeId}')
    return [asked, asked.replace('/_cluster/nodes', '/_nodes').replace('hotthreads', 'hot_threads')]
  },
}
const oldTermVector: Rule = {
  name: 'old_path',
  applies: (request) => /\/_termvector\/*$/.test(path(request)),
  words: ({ method, path: { id } }) => {
    const asked = `${method} /{index}/{type}${id === undefined ? '' : '/{id}'}/_termvector`
    return [asked, `${asked}s`]
  },
}
const resize: readonly Rule[] = [
  {
    name: 'copy_settings',
    applies: ({ parameters }) => parameters.has('copy_settings') && parameters.boolean('copy_settings', true),
  },
  { name: 'no_copy_settings', applies: ({ parameters }) => !parameters.has('copy_settings') },
]

/** By endpoint, in the order in which the real servers see them. */
const RULES: Readonly<Record<string, readonly Rule[]>> = {
  bulk: [typed('typed_bulk'), ...sources, given('fields', 'update_fields')],
  'cat.master': [{ name: 'cat_master', applies: (request) => path(request).startsWith('/_cat/master') }],
  'cat.nodes': [
    {
      name: 'local_nodes',
      applies: ({ parameters }) => parameters.has('local') && parameters.text('help', 'false') === 'false',
    },
  ],
  'cluster.nodes_hot_threads': [hotThreads],
  'cluster.post_voting_config_exclusions': [
    {
      name: 'node_description',
      applies: (request) => /\/voting_config_exclusions\/./.test(path(request)),
    },
  ],
  'cluster.state': [
    {
      name: 'master_node_metric',
      applies: ({ path: { metric } }) => metric?.split(',').includes('master_node') === true,
    },
  ],
  count: [typed('typed_count'), preference],
  create: write,
  delete: [typed('typed_delete')],
  delete_by_query: search,
  exists: [typed('typed_get'), preference, ...sources],
  exists_source: [typed('typed_get_source'), preference, ...sources],
  explain: [typed('typed_explain'), preference, ...sources],
  get: [typed('typed_get'), preference, ...sources],
  get_source: [typed('typed_get_source'), preference, ...sources],
  index: write,
  'indices.clear_cache': [
    given('field_data', 'field_data_cache'),
    given('filter', 'filter_cache', 'filter'),
    given('filter_cache', 'filter_cache', 'filter_cache'),
    given('request_cache', 'request_cache'),
  ],
  field_caps: [
    { name: 'field_caps_body', applies: ({ body, parameters }) => body.length > 0 || parameters.has('source') },
  ],
  'indices.clone': resize,
  'indices.create': [given('update_all_types', 'update_all_types'), typeName('type_name_create', namesMappings)],
  'indices.exists_template': [typeName('type_name_get_template', () => true)],
  'indices.exists_type': [always('exists_type'), typeName('type_name_mapping')],
  'indices.forcemerge': [
    {
      name: 'expunge_and_merge',
      applies: ({ parameters }) =>
        parameters.has('max_num_segments') && parameters.text('only_expunge_deletes', 'false') !== 'false',
    },
  ],
  'indices.get': [typeName('type_name_get')],
  'indices.get_field_mapping': [typeName('type_name_field_mapping', mayName), given('local', 'local_field_mapping')],
  'indices.get_mapping': [typeName('type_name_mapping', mayName)],
  'indices.get_template': [typeName('type_name_get_template', () => true)],
  'indices.put_mapping': [
    given('update_all_types', 'update_all_types'),
    typeName('type_name_put_mapping', (request) => isTypeName(request) && mapOf(request) !== undefined),
  ],
  'indices.put_template': [given('template', 'template_parameter'), typeName('type_name_put_template', namesMappings)],
  'indices.rollover': [typeName('type_name_rollover')],
  'indices.shrink': resize,
  'indices.split': resize,
  'indices.stats': [{ name: 'indices_suggest', applies: asksSuggest('metric'), words: ({ uri }) => [uri] }],
  'indices.validate_query': [typed('typed_validate')],
  mget: [typed('typed_mget'), preference, ...sources],
  msearch: [typed('typed_msearch')],
  mtermvectors: [typed('typed_mtermvectors')],
  'nodes.hot_threads': [hotThreads],
  'nodes.stats': [{ name: 'nodes_suggest', applies: asksSuggest('index_metric'), words: ({ uri }) => [uri] }],
  search: [
    ...search,
    {
      name: 'cached_scroll',
      applies: ({ parameters }) => parameters.has('scroll') && parameters.has('request_cache'),
    },
  ],
  termvectors: [oldTermVector, typed('typed_termvectors'), preference],
  update: [typed('typed_update'), ...sources, given('fields', 'update_fields')],
  update_by_query: search,
}

/** The rules of a version by endpoint: only those with something to say. */
export function endpointDeprecations(version: EngineVersion): ReadonlyMap<string, readonly Rule[]> {
  const minded = Object.entries(RULES).map(
    ([endpoint, rules]) => [endpoint, rules.filter(({ name }) => version in DEPRECATIONS[name])] as const,
  )
  return new Map(minded.filter(([, rules]) => rules.length > 0))
}

/** Notes what a request's path and parameters use that is deprecated. */
export function noteEndpoint(request: EndpointRequest, rules: readonly Rule[]): void {
  for (const { name, applies, words } of rules) {
    if (applies(request)) request.warnings.note(name, ...(words?.(request) ?? []))
  }
}
