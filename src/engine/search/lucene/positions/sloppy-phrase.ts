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
  readonly #queue = new WalkerHeap()
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
    queue.clear()
    for (const walker of walkers) {
      if (walker.position > this.#end) this.#end = walker.position
      queue.add(walker)
    }
    const slop = this.#slop
    let freq = 0
    let walker = queue.pop()
    let width = this.#end - walker.position
    let next = queue.top.position
    while (this.#advance(walker)) {
      if (walker.group >= 0 && !this.#resolve(walker)) break
      if (walker.position > next) {
        if (width <= slop) freq = Math.fround(freq + Math.fround(1 / (width + 1)))
        queue.add(walker)
        walker = queue.pop()
        next = queue.top.position
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
    // Which of the group, inside the heap, one collided with.
    const met = new Set<number>()
    for (let other = this.#colliding(walker); other !== undefined; other = this.#colliding(walker)) {
      walker = lesser(walker, other)
      if (!this.#advance(walker)) return false
      if (other !== start) met.add(other.indexInGroup)
    }
    // As Lucene does: they are looked for from the top, though the heap no longer knows the order of those that moved, and
    // another group's walker of the same number passes for one of them. Documents are found or not by that.
    const queue = this.#queue
    const again: Walker[] = []
    while (met.size > 0) {
      const next = queue.pop()
      again.push(next)
      if (next.group >= 0) met.delete(next.indexInGroup)
    }
    while (again.length > 0) queue.add(again.pop() as Walker)
    return true
  }

  /** Another of the group that stands on the same place of the document. */
  #colliding(walker: Walker): Walker | undefined {
    const place = walker.position + walker.slot.offset
    return ((this.#groups as readonly (readonly Walker[])[])[walker.group] as readonly Walker[]).find(
      (other) => other !== walker && other.position + other.slot.offset === place,
    )
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

/**
 * Walkers by position, then place in the phrase. Lucene's binary heap, step by step: a walker that moves while it is inside
 * decides by where it stood which one comes out next.
 */
class WalkerHeap {
  readonly #walkers: Walker[] = []
  #size = 0

  get top(): Walker {
    return this.#walkers[1] as Walker
  }

  clear(): void {
    this.#size = 0
  }

  add(walker: Walker): void {
    const heap = this.#walkers
    let at = ++this.#size
    for (let parent = at >>> 1; parent > 0 && isBefore(walker, heap[parent] as Walker); parent >>>= 1) {
      heap[at] = heap[parent] as Walker
      at = parent
    }
    heap[at] = walker
  }

  pop(): Walker {
    const heap = this.#walkers
    const top = heap[1] as Walker
    const walker = heap[this.#size--] as Walker
    let at = 1
    for (let child = this.#lesserChild(at); child <= this.#size; child = this.#lesserChild(at)) {
      if (!isBefore(heap[child] as Walker, walker)) break
      heap[at] = heap[child] as Walker
      at = child
    }
    heap[at] = walker
    return top
  }

  #lesserChild(at: number): number {
    const left = at << 1
    const heap = this.#walkers
    return left < this.#size && isBefore(heap[left + 1] as Walker, heap[left] as Walker) ? left + 1 : left
  }
}
