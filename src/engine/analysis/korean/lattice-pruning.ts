import { NO_NODE, NODE_INTS, PLACE_INTS } from './lattice-layout.ts'

const PREVIOUS = 2
const NEXT = 6
const MARK = 7
const UNMARKED = 0
const MARKED = 1

/** A lattice as it lies in memory; what is where: `lattice-layout.ts`. */
export interface PrunedLattice {
  readonly memory: Int32Array
  readonly root: number
  readonly nodesEnd: number
  /** Where the nodes that end at the current place stand. */
  readonly ended: number
  readonly endedEnd: number
  readonly places: Int32Array
  /** No list of a place before this one is needed any more. */
  readonly from: number
  /** Furthest place a node ends at. */
  readonly furthest: number
}

/**
 * Drops the nodes that no path alive goes through, and moves the others together. Keeps the lattice of a line of a million
 * characters small.
 *
 * @param settled  takes the last node that all paths go through, before it becomes the root; not the root itself
 * @returns        where the nodes end now
 */
export function pruneNodes(lattice: PrunedLattice, settled: (node: number) => void): number {
  const { memory: m, nodesEnd, places } = lattice
  const root = markAlive(lattice)
  if (root !== lattice.root) settled(root)
  let to = lattice.root
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
  for (let row = lattice.ended; row < lattice.endedEnd; row++) m[row] = m[m[row]! + MARK]!
  for (let i = lattice.from * PLACE_INTS; i < (lattice.furthest + 1) * PLACE_INTS; i += 2) {
    if (places[i] === NO_NODE) continue
    places[i] = m[places[i]! + MARK]!
    places[i + 1] = m[places[i + 1]! + MARK]!
  }
  for (let node = root; node < nodesEnd; node += NODE_INTS) {
    if (m[node + MARK] !== UNMARKED) m.copyWithin(m[node + MARK]!, node, node + NODE_INTS)
  }
  return to
}

/** Marks the nodes that paths alive go through, from the last one that all of them share; answers that one. */
function markAlive({ memory: m, root, nodesEnd, ended, endedEnd, places, from, furthest }: PrunedLattice): number {
  for (let node = root; node < nodesEnd; node += NODE_INTS) m[node + MARK] = UNMARKED
  let open = 0
  const mark = (node: number): void => {
    if (m[node + MARK] === MARKED) return
    m[node + MARK] = MARKED
    open++
  }
  for (let row = ended; row < endedEnd; row++) mark(m[row]!)
  for (let list = from * PLACE_INTS; list < (furthest + 1) * PLACE_INTS; list += 2) {
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
