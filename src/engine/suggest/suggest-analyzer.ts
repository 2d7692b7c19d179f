import { ServiceError } from '../../errors.ts'
import type { Analyzer } from '../analysis/analyzer.ts'
import type { IndexSearcher } from '../index/index-searcher.ts'

/**
 * The analyzer of a suggestion's text: one asked for by name, or the field's for searches.
 *
 * @throws {ServiceError} illegal_argument_exception when there is no such field or analyzer
 */
export function suggestAnalyzer(searcher: IndexSearcher, path: string, name: string | undefined): Analyzer {
  const { mapping } = searcher
  if (name !== undefined) {
    const analyzer = mapping.analyzers.analyzer(name)
    if (analyzer === undefined) throw illegal(`analyzer [${name}] doesn't exists`)
    return analyzer
  }
  const field = mapping.field(path)
  if (field === undefined) throw illegal(`no mapping found for field [${path}]`)
  if (field.kind === 'text') return field.searchAnalyzer
  return (
    (field.kind === 'keyword' ? field.normalizer : undefined) ?? (mapping.analyzers.analyzer('keyword') as Analyzer)
  )
}

function illegal(reason: string): ServiceError {
  return new ServiceError('illegal_argument_exception', reason, { inQueryPhase: true })
}
