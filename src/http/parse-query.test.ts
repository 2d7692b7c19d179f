import { describe, expect, it } from 'vitest'
import { parseQuery } from './parse-query.ts'

describe('a query string', () => {
  it('ends at a fragment', () => {
    expect([...parseQuery('q=a:1#x&y=2')]).toEqual([['q', 'a:1']])
    expect([...parseQuery('#x')]).toEqual([])
    expect([...parseQuery('q=%23x')]).toEqual([['q', '#x']])
  })
})
