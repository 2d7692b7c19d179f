/* All a lattice keeps stands in one array of 32-bit integers: a typed array costs a check each time another one is used.
 *   live    5 rows of 2: key, right class        the nodes a word at the current place can follow, by key; see below
 *   rest    keys                                 those behind the first five
 *   ended   nodes                                those that end at the current place, in the order of its lists
 *   rights  rows of 2: stamp, row of ended       by right class; counts where the stamp is the place's
 *   lefts   rows of 4: stamp, total, node, -     by left class: cheapest way to a word
 *   nodes   rows of 8: total, right class, previous node, start, end, entry, next node of the list, mark (while pruning)
 * A node's number is where its row begins. A key holds the node's total above the place's least and, in its low bits,
 * the row of ended: of equal totals the one that comes first is less.
 */
export const LIVE_INTS = 2
/** Rows of live. */
export const FIRST_LIVE = 5
export const RIGHT_INTS = 2
export const LEFT_INTS = 4
export const NODE_INTS = 8

/** Integers of a place in the array of places: first and last node of either list. */
export const PLACE_INTS = 4
/** The two lists of nodes that end at a place; those of the first come before those of the second. */
export const FIRST_LIST = 0
export const SECOND_LIST = 2

/** No node: the end of a list, and what precedes the root. */
export const NO_NODE = 0
