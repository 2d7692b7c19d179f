import type { EngineVersion } from '../../engine/engine-version.ts'
import { inVersion, type ScriptContext } from '../../engine/script/script-context.ts'
import { CONDITION_CONTEXT, UPDATE_CONTEXT } from '../../engine/script/write-contexts.ts'
import { type SearchContextName, searchContext } from '../../engine/search/script/search-contexts.ts'
import { INGEST_CONTEXT } from '../ingest/ingest-context.ts'

const WRITES: Readonly<Record<string, ScriptContext>> = {
  ingest: INGEST_CONTEXT,
  processor_conditional: CONDITION_CONTEXT,
  update: UPDATE_CONTEXT,
}

const SEARCHES: ReadonlySet<string> = new Set<SearchContextName>([
  'aggs',
  'aggs_combine',
  'aggs_init',
  'aggs_map',
  'aggs_reduce',
  'field',
  'filter',
  'number_sort',
  'score',
  'string_sort',
  'terms_set',
])

/** A place where Painless scripts run; undefined: none of that name. */
export function scriptContextNamed(name: string, engineVersion: EngineVersion): ScriptContext | undefined {
  const write = Object.hasOwn(WRITES, name) ? WRITES[name] : undefined
  if (write !== undefined) return inVersion(write, engineVersion)
  // 6.8 has one place for all that scripts read from documents.
  if (name === 'search' && engineVersion === 'Elasticsearch_6.8') return searchContext('field', engineVersion)
  return SEARCHES.has(name) ? searchContext(name as SearchContextName, engineVersion) : undefined
}
