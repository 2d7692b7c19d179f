import { describe, expect, it } from 'vitest'
import { canonicalPath } from './canonical-path.ts'

describe('a path', () => {
  it('has blanks for pluses in 6.x alone', () => {
    expect(canonicalPath('/i/_doc/a+b%2B+%20', true).segments).toEqual(['i', '_doc', 'a b+  '])
    expect(canonicalPath('/i/_doc/a+b%2B+%20', false).segments).toEqual(['i', '_doc', 'a+b++ '])
    expect(canonicalPath('/i/_doc/a+b', false).resource).toBe('i/_doc/a+b')
  })

  it('is judged as it is, and as somebody would read it who takes escaped slashes for slashes', () => {
    const { resource, guardedResource } = canonicalPath('/%2Fsecret%2f/_doc/a%2F%2Fb')
    expect([resource, guardedResource]).toEqual(['secret/_doc/a/b', '%2Fsecret%2F/_doc/a%2F%2Fb'])
  })
})
