import { faultInQueryPhase, illegalInQueryPhase, queryPhaseFault } from '../../engine/search/query-phase.ts'
import { isByScore } from '../../engine/search/sort/ranking.ts'
import type { ServiceError } from '../../errors.ts'
import type { Dialect } from '../dialects/dialect.ts'
import type { SearchBody } from './search-body.ts'
import type { SearchView } from './search-view.ts'

/**
 * Refuses what a search cannot ask for together, as each index would.
 *
 * @throws {ServiceError} of the query phase
 */
export function checkCombinations(body: SearchBody, dialect: Dialect, isScroll: boolean): void {
  const { typed } = dialect
  const ofContext = (reason: string): ServiceError =>
    faultInQueryPhase(typed ? 'search_context_exception' : 'search_exception', reason)
  const { searchAfter, sort, rescore, collapse, slice } = body
  if (searchAfter !== undefined) {
    if (isScroll) throw ofContext('`search_after` cannot be used in a scroll context.')
    if (body.from > 0) throw ofContext('`from` parameter must be set to 0 when `search_after` is used.')
    if (isByScore(sort)) throw illegalInQueryPhase('Sort must contain at least one field.')
  }
  if (slice !== undefined && !isScroll && body.pit === undefined) {
    const where = dialect.engineVersion === 'OpenSearch_2.19' ? 'a scroll context or PIT context' : 'a scroll context'
    throw ofContext(`\`slice\` cannot be used outside of ${where}`)
  }
  const { storedFields, source, sourceFields, version } = body.fetch
  if (storedFields?.length === 1 && storedFields[0] === '_none_') {
    if (version && typed) throw ofContext('`stored_fields` cannot be disabled if version is requested')
    if (source.enabled) {
      const [fields, what] = typed ? ['`stored_fields`', '_source'] : ['[stored_fields]', '[_source]']
      throw ofContext(`${fields} cannot be disabled if ${what} is requested`)
    }
    if (sourceFields !== undefined) throw ofContext('[stored_fields] cannot be disabled when using the [fields] option')
  }
  if (collapse !== undefined) {
    if (isScroll) throw ofContext('cannot use `collapse` in a scroll context')
    if (searchAfter !== undefined) throw ofContext('cannot use `collapse` in conjunction with `search_after`')
    if (rescore.length > 0) throw ofContext('cannot use `collapse` in conjunction with `rescore`')
  }
}

/** Refuses groups whose hits cannot be found. @throws {ServiceError} of the query phase */
export function checkGroups(view: SearchView, { collapse }: SearchBody, { typed }: Dialect): void {
  if (collapse === undefined) return
  const isHidden = view.searchers.some(({ mapping }) => mapping.field(collapse.field)?.index === false)
  if (isHidden && collapse.innerHits.size > 0)
    throw faultInQueryPhase(
      typed ? 'search_context_exception' : 'illegal_argument_exception',
      `cannot expand \`inner_hits\` for collapse field \`${collapse.field}\`, only indexed field can retrieve \`inner_hits\``,
    )
}

/** Refuses what cannot be ranked anew. @throws {ServiceError} of the query phase */
export function checkRescore(view: SearchView, { sort, rescore }: SearchBody, { engineVersion }: Dialect): void {
  if (view.searchers.length === 0) return
  if (rescore.length > 0 && !isByScore(sort))
    throw queryPhaseFault(engineVersion, 'Cannot use [sort] option in conjunction with [rescore].')
  for (const { windowSize } of rescore) {
    const limit = rescoreLimit(view)
    if (windowSize <= limit) continue
    throw queryPhaseFault(
      engineVersion,
      `Rescore window [${windowSize}] is too large. It must be less than [${limit}]. This prevents allocating massive heaps for storing the results to be rescored. This limit can be set by changing the [index.max_rescore_window] index level setting.`,
    )
  }
}

function rescoreLimit(view: SearchView): number {
  return Math.min(
    ...view.indices.map(({ settings }) =>
      Number(settings['index.max_rescore_window'] ?? settings['index.max_result_window'] ?? 10_000),
    ),
  )
}
