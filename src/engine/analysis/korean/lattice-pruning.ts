import {
  ENDED_COUNT,
  FURTHEST,
  type LatticeArrays,
  NO_NODE,
  NODE_INTS,
  NODES_END,
  PLACE_INTS,
} from './lattice-layout.ts'

const PREVIOUS = 2
const NEXT = 6
const MARK = 7
const UNMARKED = 0
const MARKED = 1

/**
 * Drops the nodes that no path alive goes through, and moves the others together. Keeps the lattice of a line of a million
 * characters small.
 *
 * @param from     no list of a place before this one is needed any more
 * @param settled  takes the last node that all paths go through, before it becomes the root; not the root itself
 */
export function pruneNodes(
  lattice: LatticeArrays,
  firstRoot: number,
  from: number,
  settled: (node: number) => void,
): void {
  const { memory: m, places, ended } = lattice
  const nodesEnd = m[NODES_END]!
  const listsEnd = (m[FURTHEST]! + 1) * PLACE_INTS
  const root = markAlive(lattice, firstRoot, from)
  if (root !== firstRoot) settled(root)
  let to = firstRoot
  for (let node = root; node < nodesEnd; node += NODE_INTS) {
    if (m[node + MARK] === UNMARKED) continue
    m[node + MARK] = to
    to += NODE_INTS
  }
  // Links first: where a node goes to stands where it comes from.
  for (let node = root; node < nodesEnd; node += NODE_INTS) {
    if (m[node + MARK] === UNMARKED) continue
    m[node + PREVIOUS] = node === root ? NO_NODE : m[m[node + PREVIOUS]! + MARK]!
    if (m[node + NEXT] !== NO_NODE) m[node + NEXT] = m[m[node + NEXT]! + MARK]!
  }
  for (let i = 0; i < m[ENDED_COUNT]!; i++) ended[i] = m[ended[i]! + MARK]!
  for (let i = from * PLACE_INTS; i < listsEnd; i += 2) {
    if (places[i] === NO_NODE) continue
    places[i] = m[places[i]! + MARK]!
    places[i + 1] = m[places[i + 1]! + MARK]!
  }
  for (let node = root; node < nodesEnd; node += NODE_INTS) {
    if (m[node + MARK] !== UNMARKED) m.copyWithin(m[node + MARK]!, node, node + NODE_INTS)
  }
  m[NODES_END] = to
}

/** Marks the nodes that paths alive go through, from the last one that all of them share; answers that one. */
function markAlive({ memory: m, places, ended }: LatticeArrays, root: number, from: number): number {
  const nodesEnd = m[NODES_END]!
  for (let node = root; node < nodesEnd; node += NODE_INTS) m[node + MARK] = UNMARKED
  let open = 0
  const mark = (node: number): void => {
    if (m[node + MARK] === MARKED) return
    m[node + MARK] = MARKED
    open++
  }
  for (let i = 0; i < m[ENDED_COUNT]!; i++) mark(ended[i]!)
  for (let list = from * PLACE_INTS; list < (m[FURTHEST]! + 1) * PLACE_INTS; list += 2) {
    for (let node = places[list]!; node !== NO_NODE; node = m[node + NEXT]!) mark(node)
  }
  // A node's predecessor has a lower number: when one path is left open, it is what all share.
  let node = nodesEnd - NODE_INTS
  for (; node > root; node -= NODE_INTS) {
    if (m[node + MARK] === UNMARKED) continue
    if (open === 1) break
    open--
    mark(m[node + PREVIOUS]!)
  }
  m[root + MARK] = node === root ? MARKED : UNMARKED
  return node
}
