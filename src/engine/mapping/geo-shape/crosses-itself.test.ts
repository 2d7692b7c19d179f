import fc from 'fast-check'
import { expect, it } from 'vitest'
import { crossesItself } from './crosses-itself.ts'
import { type EarNode, insertNode, turn } from './ear-node.ts'

const place = fc.integer({ min: -4, max: 4 })

it('a ring crosses itself where any two of its edges do', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(place, place), { minLength: 3, maxLength: 8 }), (places) => {
      const nodes: EarNode[] = []
      for (const [i, [x, y]] of places.entries()) nodes.push(insertNode(x, y, i, nodes.at(-1)))
      const isApart = (a: EarNode, b: EarNode): boolean =>
        turn(a, a.next, b) * turn(a, a.next, b.next) < 0 && turn(b, b.next, a) * turn(b, b.next, a.next) < 0
      expect(crossesItself(nodes[0] as EarNode)).toBe(nodes.some((a) => nodes.some((b) => isApart(a, b))))
    }),
    { numRuns: 2_000 },
  )
})
