import type { EngineVersion } from '../../engine/engine-version.ts'
import type { Json } from '../json/json-writer.ts'

/** Every way in which versions differ on the wire. */
export interface Dialect {
  readonly engineVersion: EngineVersion
  /** `version.number` and its neighbours in `GET /`. */
  readonly version: Readonly<Record<string, string | boolean>>
  readonly luceneVersion: string
  /** What that Lucene calls the format of stored fields, in the attributes of segments. */
  readonly storedFieldsFormat: string
  /** Whether paths and mappings carry types, as in 6.x. */
  readonly typed: boolean
  /** Default of `include_type_name` where it can be given. */
  readonly includeTypeName: boolean
  /** Whether documents and hits show `_type`. */
  readonly showsType: boolean
  /** `hits.total`. `asInt`: `rest_total_hits_as_int`. */
  renderTotalHits(total: { readonly value: number; readonly relation: 'eq' | 'gte' } | undefined, asInt: boolean): Json
  /** What a search counts unless it says otherwise. */
  readonly defaultTrackTotalHits: boolean | number
  /** `no such index` with or without the name. */
  noSuchIndex(index: string): string
  /** What the phase is called in which shards are asked for statistics. */
  readonly statisticsPhase: 'dfs' | 'dfs_pre_query'
  /** Headers of every answer. */
  readonly headers: Readonly<Record<string, string>>
  /** Status of a breaker that trips: 503 in 6.x, 429 later. */
  readonly circuitBreakerStatus: number
  /** Reason for an unknown query. */
  unknownQuery(name: string): string
  readonly tagline: string
  /** Whether typeless paths and mappings are taken beside typed ones. */
  readonly takesTypelessPaths: boolean
  /** Whether `/<index>/<type>/<id>` and its kin lead anywhere. */
  readonly takesTypedPaths: boolean
  readonly defaultType: string
  /** What a node does, as it tells. */
  readonly nodeRoles: readonly string[]
  /** Names that YAML would take for numbers, booleans or null: which of them are in quotes. */
  readonly namesQuotedInYaml: 'none' | 'most' | 'all'
}

const total = (
  value: { readonly value: number; readonly relation: 'eq' | 'gte' } | undefined,
  asInt: boolean,
): Json => {
  if (asInt) return value === undefined ? -1 : value.value
  return value === undefined ? undefined : { value: value.value, relation: value.relation }
}

const elasticsearch6: Dialect = {
  engineVersion: 'Elasticsearch_6.8',
  version: {
    number: '6.8.23',
    build_flavor: 'oss',
    build_type: 'zip',
    build_hash: '4f67856',
    build_date: '2022-01-06T21:30:50.087716Z',
    build_snapshot: false,
    lucene_version: '7.7.3',
    minimum_wire_compatibility_version: '5.6.0',
    minimum_index_compatibility_version: '5.0.0',
  },
  luceneVersion: '7.7.3',
  storedFieldsFormat: 'Lucene50StoredFieldsFormat',
  typed: true,
  includeTypeName: true,
  showsType: true,
  renderTotalHits: (value) => value?.value ?? -1,
  defaultTrackTotalHits: true,
  noSuchIndex: () => 'no such index',
  statisticsPhase: 'dfs',
  headers: { 'x-elastic-product': 'Elasticsearch' },
  circuitBreakerStatus: 503,
  unknownQuery: (name) => `no [query] registered for [${name}]`,
  tagline: 'You Know, for Search',
  takesTypelessPaths: true,
  takesTypedPaths: true,
  defaultType: '_doc',
  nodeRoles: ['master', 'data', 'ingest'],
  namesQuotedInYaml: 'none',
}

const elasticsearch7: Dialect = {
  ...elasticsearch6,
  engineVersion: 'Elasticsearch_7.10',
  version: {
    number: '7.10.2',
    build_flavor: 'default',
    build_type: 'zip',
    build_hash: '747e1cc71def077253878a59143c1f785afa92b9',
    build_date: '2021-01-13T00:42:12.435326Z',
    build_snapshot: false,
    lucene_version: '8.7.0',
    minimum_wire_compatibility_version: '6.8.0',
    minimum_index_compatibility_version: '6.0.0-beta1',
  },
  luceneVersion: '8.7.0',
  storedFieldsFormat: 'Lucene87StoredFieldsFormat',
  typed: false,
  includeTypeName: false,
  renderTotalHits: total,
  defaultTrackTotalHits: 10_000,
  noSuchIndex: (index) => `no such index [${index}]`,
  circuitBreakerStatus: 429,
  unknownQuery: (name) => `unknown query [${name}]`,
  nodeRoles: ['data', 'ingest', 'master', 'remote_cluster_client'],
  namesQuotedInYaml: 'most',
}

const openSearch2: Dialect = {
  ...elasticsearch7,
  engineVersion: 'OpenSearch_2.19',
  version: {
    distribution: 'opensearch',
    number: '2.19.3',
    build_type: 'zip',
    build_hash: 'a90f864b8524bc75570a8461ccb569d2a4bfed42',
    build_date: '2025-07-21T22:34:54.259476239Z',
    build_snapshot: false,
    lucene_version: '9.12.2',
    minimum_wire_compatibility_version: '7.10.0',
    minimum_index_compatibility_version: '7.0.0',
  },
  luceneVersion: '9.12.2',
  statisticsPhase: 'dfs_pre_query',
  storedFieldsFormat: 'Lucene90StoredFieldsFormat',
  tagline: 'The OpenSearch Project: https://opensearch.org/',
  showsType: false,
  takesTypedPaths: false,
  headers: {},
  nodeRoles: ['cluster_manager', 'data', 'ingest', 'remote_cluster_client'],
  namesQuotedInYaml: 'all',
}

/** The dialect of each engine version. */
export const DIALECTS: Readonly<Record<EngineVersion, Dialect>> = {
  'Elasticsearch_6.8': elasticsearch6,
  'Elasticsearch_7.10': elasticsearch7,
  'OpenSearch_2.19': openSearch2,
}
