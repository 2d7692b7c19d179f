import type { EngineVersion } from '../engine-version.ts'
import type { IndexMapping } from './index-mapping.ts'
import { knowsNoField } from './knows-no-field.ts'

/** Names at a document's root that belong to the engine. */
const IN_DOCUMENTS: ReadonlySet<string> = new Set([
  '_all',
  '_id',
  '_index',
  '_parent',
  '_routing',
  '_size',
  '_timestamp',
  '_ttl',
  '_type',
])

const TYPED = ['_field_names', '_id', '_ignored', '_index', '_routing', '_seq_no', '_source', '_version']

/** Names that no mapping may define, by version. */
export const METADATA_FIELDS: Readonly<Record<EngineVersion, ReadonlySet<string>>> = {
  'Elasticsearch_6.8': new Set([...TYPED, '_all', '_type']),
  'Elasticsearch_7.10': new Set([...TYPED, '_type']),
  'OpenSearch_2.19': new Set([...TYPED, '_data_stream_timestamp', '_nested_path']),
}

/** True for a path that no document may contain. */
export function isMetadataField(path: string, version: EngineVersion): boolean {
  if (path.charCodeAt(0) !== 0x5f) return false
  return (version === 'Elasticsearch_6.8' ? IN_DOCUMENTS : METADATA_FIELDS[version]).has(path)
}

/** Metadata fields that queries know the type of, by version. */
export const TYPED_METADATA: Readonly<Record<EngineVersion, ReadonlySet<string>>> = {
  'Elasticsearch_6.8': new Set([...TYPED, '_all', '_parent', '_type', '_uid']),
  'Elasticsearch_7.10': new Set([...TYPED, '_nested_path', '_type']),
  'OpenSearch_2.19': new Set([...TYPED, '_data_stream_timestamp', '_doc_count', '_nested_path']),
}

/** Metadata fields that are looked into where a pattern of fields is asked for, unless that is `*`. */
export function searchedMetadata(version: EngineVersion): readonly string[] {
  return [...TYPED_METADATA[version]].filter((path) => !UNSEARCHED.has(path))
}

const UNSEARCHED: ReadonlySet<string> = new Set(['_data_stream_timestamp', '_doc_count', '_source', '_version'])

/** Whether a metadata field's values are no words: patterns and misspelt words are refused for it. */
export function isWordlessMetadata(path: string, mapping: IndexMapping): boolean {
  return WORDLESS.has(path) && TYPED_METADATA[mapping.engineVersion].has(path) && !knowsNoField(mapping)
}

const WORDLESS: ReadonlySet<string> = new Set([
  '_data_stream_timestamp',
  '_doc_count',
  '_field_names',
  '_id',
  '_seq_no',
  '_source',
  '_uid',
  '_version',
])

/** Whether a metadata field has no analyzer, so that texts are looked at with the index' own. */
export function isUnanalyzed(path: string, version: EngineVersion): boolean {
  return version === 'Elasticsearch_6.8' ? path === '_seq_no' || path === '_version' : path === '_source'
}

/** Whether an index has such a field, which no mapping lists: queries that cannot ask it say so. */
export function isBuiltInField(
  path: string,
  { engineVersion, types }: { readonly engineVersion: EngineVersion; readonly types: readonly string[] },
): boolean {
  if (path.charCodeAt(0) !== 0x5f || !TYPED_METADATA[engineVersion].has(path)) return false
  // In 6.x they come with the first type.
  return engineVersion !== 'Elasticsearch_6.8' || types.length > 0
}
