import type { IndexSearcher } from '../../engine/index/index-searcher.ts'
import { illegalInQueryPhase } from '../../engine/search/query-phase.ts'
import { docValuePaths } from './doc-value-fields.ts'
import type { FetchOptions } from './fetch-options.ts'

/** Refuses more fields than an index lets the hits of a search show. @throws {ServiceError} illegal_argument_exception */
export function checkFieldCounts(
  { docValueFields, scriptFields = [] }: FetchOptions,
  searchers: readonly IndexSearcher[],
): void {
  checkDocValueCount({ docValueFields }, searchers)
  for (const searcher of searchers)
    check(
      'script_fields',
      scriptFields.length,
      'index.max_script_fields',
      searcher.limit('index.max_script_fields', 32),
    )
}

/** The same of columns alone, which are counted wherever hits are shown from 7 on. @throws {ServiceError} illegal_argument_exception */
export function checkDocValueCount(
  { docValueFields }: Pick<FetchOptions, 'docValueFields'>,
  searchers: readonly IndexSearcher[],
): void {
  const setting = 'index.max_docvalue_fields_search'
  for (const searcher of searchers) {
    const count = docValueFields.reduce((sum, field) => sum + docValuePaths(field, searcher).length, 0)
    check('docvalue_fields', count, setting, searcher.limit(setting, 100))
  }
}

function check(what: string, count: number, setting: string, limit: number): void {
  if (count <= limit) return
  throw illegalInQueryPhase(
    `Trying to retrieve too many ${what}. Must be less than or equal to: [${limit}] but was [${count}]. This limit can be set by changing the [${setting}] index level setting.`,
  )
}
