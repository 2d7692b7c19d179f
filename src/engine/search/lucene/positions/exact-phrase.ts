import type { PhraseSlot } from './phrase-slot.ts'

/**
 * How often all slots have the same place. As Lucene counts: as often as the first slot has it, which is twice where two
 * of its terms stand on one place (a word and its eojeol), or one of them does twice (synonyms).
 */
export function exactOccurrences(slots: readonly PhraseSlot[]): number {
  let rarest = 0
  for (let i = 1; i < slots.length; i++) {
    if ((slots[i] as PhraseSlot).count < (slots[rarest] as PhraseSlot).count) rarest = i
  }
  const { positions, count } = slots[rarest] as PhraseSlot
  let found = 0
  place: for (let at = 0; at < count; at++) {
    const wanted = positions[at] as number
    if (at > 0 && positions[at - 1] === wanted) continue
    for (let i = 0; i < slots.length; i++) {
      if (i !== rarest && !holds(slots[i] as PhraseSlot, wanted)) continue place
    }
    found += occurrences(slots[0] as PhraseSlot, wanted)
  }
  return found
}

function occurrences({ positions, count }: PhraseSlot, wanted: number): number {
  const from = firstFrom(positions, count, wanted)
  let to = from
  while (to < count && positions[to] === wanted) to++
  return to - from
}

function holds({ positions, count }: PhraseSlot, wanted: number): boolean {
  const at = firstFrom(positions, count, wanted)
  return at < count && positions[at] === wanted
}

/** Index of the first position that is the wanted one or behind it. */
function firstFrom(positions: Int32Array, count: number, wanted: number): number {
  let low = 0
  let high = count
  // Lists are short as a rule; long ones are halved first.
  while (high - low > 16) {
    const middle = (low + high) >>> 1
    if ((positions[middle] as number) < wanted) low = middle + 1
    else high = middle
  }
  while (low < count && (positions[low] as number) < wanted) low++
  return low
}
