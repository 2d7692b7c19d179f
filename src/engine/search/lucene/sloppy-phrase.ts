import type { PhraseSlot } from './phrase-slot.ts'

/** A slot on its way through its positions. */
interface Walker {
  readonly slot: PhraseSlot
  /** Place among the phrase's slots. */
  readonly ord: number
  /** Slots of one group share terms, so that they could meet on one occurrence; -1: in none. */
  group: number
  indexInGroup: number
  at: number
  position: number
}

/**
 * How often a phrase's words stand near each other: each window no wider than `slop` counts 1 / (1 + width), as Lucene's
 * SloppyPhraseMatcher counts. Words that occur twice in the phrase never take the same place of the document.
 */
export class SloppyPhrase {
  readonly #slop: number
  readonly #walkers: readonly Walker[]
  /** Known with the first document; undefined before it. */
  #groups: readonly (readonly Walker[])[] | undefined
  #hasMultiTermGroups = false
  /** Ordered by position, then place in the phrase. */
  readonly #queue: Walker[] = []
  #end = 0

  constructor(slots: readonly PhraseSlot[], slop: number) {
    this.#slop = slop
    this.#walkers = slots.map((slot, ord) => ({ slot, ord, group: -1, indexInGroup: -1, at: 0, position: 0 }))
  }

  /** Frequency in the document whose positions the slots hold, a 32-bit float. */
  frequency(): number {
    const walkers = this.#walkers
    this.#end = Number.NEGATIVE_INFINITY
    for (const walker of walkers) {
      walker.at = 0
      walker.position = walker.slot.positions[0] as number
    }
    this.#groups ??= this.#gatherGroups()
    for (const group of this.#groups) if (!this.#separate(group)) return 0
    const queue = this.#queue
    queue.length = 0
    for (const walker of walkers) {
      if (walker.position > this.#end) this.#end = walker.position
      this.#enqueue(walker)
    }
    const slop = this.#slop
    let freq = 0
    let walker = queue.shift() as Walker
    let width = this.#end - walker.position
    let next = (queue[0] as Walker).position
    while (this.#advance(walker)) {
      if (walker.group >= 0 && !this.#resolve(walker)) break
      if (walker.position > next) {
        if (width <= slop) freq = Math.fround(freq + Math.fround(1 / (width + 1)))
        this.#enqueue(walker)
        walker = queue.shift() as Walker
        next = (queue[0] as Walker).position
        width = this.#end - walker.position
      } else width = Math.min(width, this.#end - walker.position)
    }
    if (width <= slop) freq = Math.fround(freq + Math.fround(1 / (width + 1)))
    return freq
  }

  /**
   * Slots that terms occurring twice in the phrase connect. As in Lucene, slots of one term each are told by the first
   * place they have in the first document: words that stand on one place there (synonyms) make one group.
   */
  #gatherGroups(): Walker[][] {
    const counts = new Map<string, number>()
    for (const { slot } of this.#walkers) for (const term of slot.terms) counts.set(term, (counts.get(term) ?? 0) + 1)
    const isRepeated = (term: string): boolean => (counts.get(term) as number) > 1
    const repeating = this.#walkers.filter(({ slot }) => slot.terms.some(isRepeated))
    this.#hasMultiTermGroups = repeating.some(({ slot }) => slot.terms.length > 1)
    const marksOf = (walker: Walker): readonly (string | number)[] =>
      this.#hasMultiTermGroups ? walker.slot.terms.filter(isRepeated) : [walker.position + walker.slot.offset]
    let groups: { readonly marks: Set<string | number>; readonly walkers: Walker[] }[] = []
    for (const walker of repeating) {
      const marks = marksOf(walker)
      const connected = groups.filter((group) => marks.some((mark) => group.marks.has(mark)))
      const joined = {
        marks: new Set([...marks, ...connected.flatMap((group) => [...group.marks])]),
        walkers: [...connected.flatMap(({ walkers }) => walkers), walker].sort((a, b) => a.ord - b.ord),
      }
      groups = [...groups.filter((group) => !connected.includes(group)), joined]
    }
    const found = groups.map(({ walkers }) => walkers)
    for (const [group, walkers] of found.entries()) {
      for (const [indexInGroup, walker] of walkers.entries()) Object.assign(walker, { group, indexInGroup })
    }
    return found
  }

  /** Moves to the next position; false at the end of them. */
  #advance(walker: Walker): boolean {
    if (!step(walker)) return false
    if (walker.position > this.#end) this.#end = walker.position
    return true
  }

  /** Spreads a group's slots over different occurrences at the start. */
  #separate(group: readonly Walker[]): boolean {
    if (!this.#hasMultiTermGroups) {
      for (let j = 1; j < group.length; j++) for (let k = 0; k < j; k++) if (!step(group[j] as Walker)) return false
      return true
    }
    for (let i = 0; i < group.length; ) {
      let stay = false
      const walker = group[i] as Walker
      for (let other = this.#colliding(walker); other !== undefined; other = this.#colliding(walker)) {
        const behind = lesser(walker, other)
        if (!this.#advance(behind)) return false
        if (behind.indexInGroup < i) {
          stay = true
          break
        }
      }
      if (!stay) i++
    }
    return true
  }

  /** Ends collisions that an advance caused: the one behind moves on. */
  #resolve(start: Walker): boolean {
    let walker = start
    const moved = new Set<Walker>()
    for (let other = this.#colliding(walker); other !== undefined; other = this.#colliding(walker)) {
      walker = lesser(walker, other)
      if (!this.#advance(walker)) return false
      if (walker !== start) moved.add(walker)
    }
    if (moved.size === 0) return true
    const queue = this.#queue
    const again = queue.filter((w) => moved.has(w))
    const rest = queue.filter((w) => !moved.has(w))
    queue.length = 0
    queue.push(...rest)
    for (const w of again) this.#enqueue(w)
    return true
  }

  /** Another of the group that stands on the same place of the document. */
  #colliding(walker: Walker): Walker | undefined {
    const place = walker.position + walker.slot.offset
    return ((this.#groups as readonly (readonly Walker[])[])[walker.group] as readonly Walker[]).find(
      (other) => other !== walker && other.position + other.slot.offset === place,
    )
  }

  #enqueue(walker: Walker): void {
    const queue = this.#queue
    let at = queue.length
    while (at > 0 && isBefore(walker, queue[at - 1] as Walker)) at--
    queue.splice(at, 0, walker)
  }
}

function step(walker: Walker): boolean {
  const { slot } = walker
  if (++walker.at >= slot.count) return false
  walker.position = slot.positions[walker.at] as number
  return true
}

function lesser(a: Walker, b: Walker): Walker {
  return a.position < b.position || (a.position === b.position && a.slot.offset < b.slot.offset) ? a : b
}

function isBefore(a: Walker, b: Walker): boolean {
  if (a.position !== b.position) return a.position < b.position
  return a.slot.offset !== b.slot.offset ? a.slot.offset < b.slot.offset : a.ord < b.ord
}
