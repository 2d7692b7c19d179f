import type { Analyzer } from '../analysis/analyzer.ts'
import type { EngineVersion } from '../engine-version.ts'
import type { IndexSearcher } from '../index/index-searcher.ts'
import { knowsNoField } from '../mapping/knows-no-field.ts'
import { isUnanalyzed, TYPED_METADATA } from '../mapping/metadata-fields.ts'
import { illegalInQueryPhase } from '../search/query-phase.ts'

/**
 * The analyzer of a suggestion's text: one asked for by name, or the field's for searches.
 *
 * @throws {ServiceError} illegal_argument_exception when there is no such field or analyzer
 */
export function suggestAnalyzer(
  searcher: IndexSearcher,
  path: string,
  name: string | undefined,
  engineVersion: EngineVersion,
): Analyzer {
  const { mapping } = searcher
  const field = mapping.field(path)
  if (field === undefined && (knowsNoField(mapping, path) || !TYPED_METADATA[engineVersion].has(path)))
    throw illegalInQueryPhase(`no mapping found for field [${path}]`)
  if (name !== undefined) return analyzerNamed(searcher, name)
  if (field === undefined)
    return mapping.analyzers.analyzer(isUnanalyzed(path, engineVersion) ? 'default' : 'keyword') as Analyzer
  if (field.kind === 'text') return field.searchAnalyzer
  return (
    (field.kind === 'keyword' ? field.normalizer : undefined) ?? (mapping.analyzers.analyzer('keyword') as Analyzer)
  )
}

/** An analyzer of an index, called so where there is none. @throws {ServiceError} illegal_argument_exception */
export function analyzerNamed({ mapping }: IndexSearcher, name: string, called = 'analyzer'): Analyzer {
  const analyzer = mapping.analyzers.analyzer(name)
  if (analyzer === undefined) throw illegalInQueryPhase(`${called} [${name}] doesn't exists`)
  return analyzer
}
