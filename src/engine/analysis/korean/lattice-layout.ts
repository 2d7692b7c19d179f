/* A lattice stands in four arrays. Its memory, 32-bit integers (kernels/lattice.ts reads and writes them, too):
 *   state   NODES_END, FURTHEST, STAMP, ENDED_COUNT
 *   lefts   rows of 4: stamp, total, node, -     by left class: cheapest way to a word; counts where the stamp is the place's
 *   nodes   rows of 8: total, right class, previous node, start, end, entry, next node of the list, mark (while pruning)
 * A node's number is where its row begins.
 */
export const STATE_INTS = 8
/** Where the nodes end. */
export const NODES_END = 0
/** Furthest place a node ends at. */
export const FURTHEST = 1
/** The place whose words are being put in, which tells rows of `lefts` from older ones. */
export const STAMP = 2
/** How many nodes end at the current place. */
export const ENDED_COUNT = 3

/** Integers of a row of `lefts`, and of one of `nodes`. */
export const LEFT_INTS = 4
export const NODE_INTS = 8

/** Integers of a place in the array of places: first and last node of either list. */
export const PLACE_INTS = 4
/** The two lists of nodes that end at a place; those of the first come before those of the second. */
export const FIRST_LIST = 0
export const SECOND_LIST = 2

/** No node: the end of a list, and what precedes the root. */
export const NO_NODE = 0

/** The arrays of a lattice. */
export interface LatticeArrays {
  memory: Int32Array
  places: Int32Array
  /** Nodes that end at the current place, in the order of its lists: the live ones. */
  ended: Int32Array
}

/** Where the nodes begin: the root's number. */
export function rootOf(leftClassCount: number): number {
  return Math.ceil((STATE_INTS + leftClassCount * LEFT_INTS) / NODE_INTS) * NODE_INTS
}
