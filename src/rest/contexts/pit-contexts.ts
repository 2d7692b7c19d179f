import { faultInQueryPhase } from '../../engine/search/query-phase.ts'
import { ServiceError } from '../../errors.ts'
import { illegalArgument } from '../../illegal-argument.ts'
import type { SearchView } from '../search/search-view.ts'
import { base64Fault } from './context-ids.ts'
import { isContextId, type KeptContext, KeptContexts } from './kept-contexts.ts'

/** A point in time: indices as they were when it was made. */
export interface PitContext extends KeptContext {
  /** Never to be released by a search. */
  readonly view: SearchView
  readonly createdAt: number
  keepAliveMs: number
}

/** @throws {ServiceError} illegal_argument_exception for what was never a point in time's id */
export function checkPitId(id: string): void {
  if (!isContextId(id)) throw illegalArgument(`invalid id: [${id}]`, base64Fault(id))
}

/** What is said of one whose time is over, or whose indices were closed since. */
export function pitMissing(id: string): ServiceError {
  return faultInQueryPhase('search_context_missing_exception', `No search context found for id [${id}]`)
}

/** Open points in time (OpenSearch's, `_search/point_in_time`). */
export class PitContexts extends KeptContexts<PitContext> {
  /** @throws {ServiceError} rejected_execution_exception (429) when too many are open */
  open(context: PitContext, limit: number): string {
    this.expire()
    if (this.size >= limit) {
      throw new ServiceError(
        'rejected_execution_exception',
        `Trying to create too many Point In Time contexts. Must be less than or equal to: [${limit}]. This limit can be set by changing the [search.max_open_pit_context] setting.`,
      )
    }
    return this.keep(context, context.keepAliveMs)
  }

  /**
   * One to search; its time begins anew.
   *
   * @param keepAliveMs  from now on; less than before, and undefined: as before
   * @throws {ServiceError} search_context_missing_exception (404)
   */
  use(id: string, keepAliveMs?: number): PitContext {
    checkPitId(id)
    const context = this.find(id)
    if (context === undefined) throw pitMissing(id)
    context.keepAliveMs = Math.max(keepAliveMs ?? 0, context.keepAliveMs)
    this.find(id, context.keepAliveMs)
    return context
  }
}
