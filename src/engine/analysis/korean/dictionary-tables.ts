import { type DictionaryColumns, ENTRY_UNITS } from './dictionary-columns.ts'
import { TRIE_ENTRY, TRIE_NODE_INTS, type TrieTables, trieTables } from './word-trie.ts'

/** What is worked out of a dictionary's columns when it is loaded; every array may be backed by shared memory. */
export interface DictionaryTables extends TrieTables {
  /** Left classes of the words of one unit, each once: those of trie node n from `unitLeftStarts[n]` to that of n + 1. */
  readonly unitLefts: Uint16Array
  readonly unitLeftStarts: Int32Array
  /** Lowest connection cost by left class. */
  readonly leastCosts: Int16Array
}

/** Works a dictionary's tables out. */
export function dictionaryTables(columns: DictionaryColumns): DictionaryTables {
  return { ...trieTables(columns), ...unitLefts(columns), leastCosts: leastCosts(columns) }
}

function unitLefts({ nodes, entries }: DictionaryColumns): Pick<DictionaryTables, 'unitLefts' | 'unitLeftStarts'> {
  const lefts: number[] = []
  const starts = [0]
  for (let node = 0; node < nodes[TRIE_NODE_INTS]!; node++) {
    const from = lefts.length
    const last = nodes[(node + 1) * TRIE_NODE_INTS + TRIE_ENTRY]!
    for (let entry = nodes[node * TRIE_NODE_INTS + TRIE_ENTRY]!; entry < last; entry++) {
      const left = entries[entry * ENTRY_UNITS]!
      if (lefts.indexOf(left, from) === -1) lefts.push(left)
    }
    starts.push(lefts.length)
  }
  return { unitLefts: Uint16Array.from(lefts), unitLeftStarts: Int32Array.from(starts) }
}

function leastCosts({ connectionCosts, leftClasses }: DictionaryColumns): Int16Array {
  const least = new Int16Array(classCount(leftClasses))
  const stride = connectionCosts.length / least.length
  for (let left = 0, i = 0; left < least.length; left++) {
    let lowest = 0x7fff
    for (const end = i + stride; i < end; i++) if (connectionCosts[i]! < lowest) lowest = connectionCosts[i]!
    least[left] = lowest
  }
  return least
}

/** How many classes context ids have. */
export function classCount(classes: Uint16Array): number {
  let last = 0
  for (const value of classes) if (value > last) last = value
  return last + 1
}
