import { type EarNode, turn } from './ear-node.ts'

/** Whether two edges of a ring cross, each in its midst. Edges are compared with those only that are as far west or east. */
export function crossesItself(start: EarNode): boolean {
  const edges: EarNode[] = []
  for (let node = start; ; node = node.next) {
    edges.push(node)
    if (node.next === start) break
  }
  edges.sort((a, b) => west(a) - west(b))
  for (let i = 0; i < edges.length; i++) {
    const a = edges[i] as EarNode
    const east = Math.max(a.x, a.next.x)
    for (let j = i + 1; j < edges.length; j++) {
      const b = edges[j] as EarNode
      if (west(b) > east) break
      if (doCross(a, a.next, b, b.next)) return true
    }
  }
  return false
}

const west = ({ x, next }: EarNode): number => Math.min(x, next.x)

function doCross(a: EarNode, b: EarNode, c: EarNode, d: EarNode): boolean {
  return turn(a, b, c) * turn(a, b, d) < 0 && turn(c, d, a) * turn(c, d, b) < 0
}
