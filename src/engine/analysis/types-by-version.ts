import type { EngineVersion } from '../engine-version.ts'

/** Types that OpenSearch has no more. */
const GONE: ReadonlySet<string> = new Set([
  'analyzer standard_html_strip',
  'filter delimited_payload_filter',
  'char_filter htmlStrip',
])
/** Types that Elasticsearch 6.8 does not have yet. */
const SINCE_7: ReadonlySet<string> = new Set(['analyzer estonian'])
/** Types that only OpenSearch has. */
const NEW: ReadonlySet<string> = new Set([
  'filter concatenate_graph',
  'filter delimited_term_freq',
  'filter persian_stem',
])

/** Whether a version lacks a type that others have. @param isStored  of an index that is there already, which keeps what is gone */
export function lacksType(kind: string, type: string, version: EngineVersion, isStored: boolean): boolean {
  const name = `${kind} ${type}`
  if (version === 'OpenSearch_2.19') return GONE.has(name) && !isStored
  return NEW.has(name) || (version === 'Elasticsearch_6.8' && SINCE_7.has(name))
}

/** Tokenizers and filters by older names, and what they are called now; as built-ins, filters are refused by them since 7.0. */
const RENAMED: Readonly<Record<string, string>> = { nGram: 'ngram', edgeNGram: 'edge_ngram' }

/** What a tokenizer or filter is called now; undefined: its name is no older one. */
export function currentName(name: string): string | undefined {
  return Object.hasOwn(RENAMED, name) ? RENAMED[name] : undefined
}

/** What a built-in filter is called now, where its name is refused. */
export function newFilterName(name: string, version: EngineVersion): string | undefined {
  return version === 'Elasticsearch_6.8' ? undefined : currentName(name)
}
