import type { EngineVersion } from '../../engine/engine-version.ts'
import { unknownKey } from '../body/unknown-key.ts'

type Kind = 'value' | 'object' | 'list'

/** The members of a search's body, and as what each may stand there. */
const MEMBERS: ReadonlyMap<string, readonly Kind[]> = new Map<string, readonly Kind[]>([
  ['query', ['object']],
  ['from', ['value']],
  ['size', ['value']],
  ['sort', ['value', 'object', 'list']],
  ['_source', ['value', 'object', 'list']],
  ['stored_fields', ['value', 'list']],
  ['docvalue_fields', ['list']],
  ['script_fields', ['object']],
  ['track_total_hits', ['value']],
  ['track_scores', ['value']],
  ['search_after', ['list']],
  ['post_filter', ['object']],
  ['min_score', ['value']],
  ['timeout', ['value']],
  ['version', ['value']],
  ['seq_no_primary_term', ['value']],
  ['aggs', ['object']],
  ['aggregations', ['object']],
  ['stats', ['list']],
  ['terminate_after', ['value']],
  ['explain', ['value']],
  ['profile', ['value']],
  ['indices_boost', ['object', 'list']],
  ['highlight', ['object']],
  ['fields', ['list']],
  ['rescore', ['object', 'list']],
  ['collapse', ['object']],
  ['slice', ['object']],
  ['suggest', ['object']],
  ['ext', ['object']],
  ['pit', ['object']],
  ['search_pipeline', ['value', 'object']],
  ['derived', ['object']],
  ['include_named_queries_score', ['value']],
  ['verbose_pipeline', ['value']],
])

/** Those that not every version has. */
const LATER: ReadonlyMap<string, readonly EngineVersion[]> = new Map<string, readonly EngineVersion[]>([
  ['fields', ['Elasticsearch_7.10', 'OpenSearch_2.19']],
  ['pit', ['Elasticsearch_7.10', 'OpenSearch_2.19']],
  ['search_pipeline', ['OpenSearch_2.19']],
  ['derived', ['OpenSearch_2.19']],
  ['include_named_queries_score', ['OpenSearch_2.19']],
  ['verbose_pipeline', ['OpenSearch_2.19']],
])

/** @throws {ServiceError} parsing_exception for a member that a search does not have, or not as what it stands there */
export function checkBodyMember(name: string, value: unknown, version: EngineVersion): void {
  const isKnown = LATER.get(name)?.includes(version) ?? true
  if (!isKnown || !MEMBERS.get(name)?.some((kind) => kind === kindOf(value))) throw unknownKey(name, value)
}

function kindOf(value: unknown): Kind | undefined {
  if (value === null) return undefined
  if (Array.isArray(value)) return 'list'
  return typeof value === 'object' ? 'object' : 'value'
}
