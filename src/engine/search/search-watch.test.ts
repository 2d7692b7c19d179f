import { describe, expect, it } from 'vitest'
import { ServiceError } from '../../errors.ts'
import { SearchTimeout, SearchWatch } from './search-watch.ts'

describe('what watches a search', () => {
  it('lets it go on while somebody waits and there is time', () => {
    const watch = new SearchWatch({ aborted: false }, Number.POSITIVE_INFINITY)
    expect(() => watch.turn()).not.toThrow()
  })

  it('ends it as cancelled once its client has gone', () => {
    const signal = { aborted: false }
    const watch = new SearchWatch(signal, Number.POSITIVE_INFINITY)
    signal.aborted = true
    expect(() => watch.turn()).toThrow(ServiceError)
  })

  it('ends it with what it has when its time is up', () => {
    const watch = new SearchWatch(undefined, performance.now() - 1)
    expect(() => watch.turn()).toThrow(SearchTimeout)
  })
})
