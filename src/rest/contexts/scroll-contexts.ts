import { ServiceError } from '../../errors.ts'
import { illegalArgument } from '../../illegal-argument.ts'
import type { Warnings } from '../deprecation/warnings.ts'
import { base64Fault } from './context-ids.ts'
import { isContextId, type KeptContext, KeptContexts } from './kept-contexts.ts'

/** What a scroll keeps between its pages. */
export interface ScrollContext extends KeptContext {
  /**
   * Answers the next page.
   *
   * @param id        of this scroll, which the page tells; undefined: the page was asked for without a time to keep it
   * @param warnings  of the request for the page
   */
  readonly nextPage: (id: string | undefined, warnings: Warnings | undefined) => Promise<unknown>
  /** Whether such a page is the last one: shards that answer alone free their context with it. */
  readonly endsUnkept: boolean
}

/** @throws {ServiceError} illegal_argument_exception for what was never a scroll's id */
export function checkScrollId(id: string): void {
  if (!isContextId(id)) throw illegalArgument('Cannot parse scroll id', base64Fault(id))
}

/** What is said of a scroll, or of a part of one, that is no more. */
export function scrollMissing(id: string): ServiceError {
  return new ServiceError('search_context_missing_exception', `No search context found for id [${id.slice(0, 64)}]`, {
    inQueryPhase: true,
    hasNoShard: true,
  })
}

/** Open scrolls. */
export class ScrollContexts extends KeptContexts<ScrollContext> {
  /** Most scrolls open at once. */
  readonly limit: number

  constructor(limit = 500) {
    super()
    this.limit = limit
  }

  /** @throws {ServiceError} rejected_execution_exception (429) when too many are open; 6.x: exception */
  open(context: ScrollContext, keepAliveMs: number, limit = this.limit, isLegacy = false): string {
    this.expire()
    if (this.size >= limit) {
      throw new ServiceError(
        isLegacy ? 'exception' : 'rejected_execution_exception',
        `Trying to create too many scroll contexts. Must be less than or equal to: [${limit}]. This limit can be set by changing the [search.max_open_scroll_context] setting.`,
        isLegacy ? { inQueryPhase: true, status: 400 } : {},
      )
    }
    return this.keep(context, keepAliveMs)
  }

  /** @throws {ServiceError} search_context_missing_exception (404) */
  get(id: string, keepAliveMs?: number): ScrollContext {
    checkScrollId(id)
    const context = this.find(id, keepAliveMs)
    if (context === undefined) throw scrollMissing(id)
    return context
  }
}
