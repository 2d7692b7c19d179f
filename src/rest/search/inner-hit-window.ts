import type { IndexSearcher } from '../../engine/index/index-searcher.ts'
import { illegalInQueryPhase } from '../../engine/search/query-phase.ts'
import type { InnerHitOptions } from './inner-hit-options.ts'

const SETTING = 'index.max_inner_result_window'

/** Refuses more inner hits of one hit than an index allows. @throws {ServiceError} illegal_argument_exception */
export function checkInnerWindow(
  { from, size, name }: Pick<InnerHitOptions, 'from' | 'size' | 'name'>,
  searchers: readonly IndexSearcher[],
): void {
  const what = `Inner result window is too large, the inner hit definition's [${name ?? 'null'}]'s`
  checkWindow(what, from + size, searchers)
}

/** Refuses more hits of one bucket than an index allows. @throws {ServiceError} illegal_argument_exception */
export function checkTopHitsWindow(name: string, wanted: number, searchers: readonly IndexSearcher[]): void {
  checkWindow(`Top hits result window is too large, the top hits aggregator [${name}]'s`, wanted, searchers)
}

function checkWindow(what: string, wanted: number, searchers: readonly IndexSearcher[]): void {
  for (const searcher of searchers) {
    const limit = searcher.limit(SETTING, 100)
    if (wanted <= limit) continue
    throw illegalInQueryPhase(
      `${what} from + size must be less than or equal to: [${limit}] but was [${wanted}]. This limit can be set by changing the [${SETTING}] index level setting.`,
    )
  }
}
