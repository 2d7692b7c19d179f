import type { UnknownWord } from './dictionary-columns.ts'
import type { KoreanDictionary } from './korean-dictionary.ts'
import { Lattice } from './lattice.ts'
import { FIRST_LIST, NO_NODE, SECOND_LIST } from './lattice-layout.ts'
import { hasSpacePenalty } from './seunjeon-pos.ts'
import { seunjeonUnitClasses, unitClassNumber } from './unit-class.ts'
import type { UserLexicon } from './user-lexicon.ts'
import type { WordTrie } from './word-trie.ts'

const SPACE = 0x20
const classes = seunjeonUnitClasses()

// Classes whose unknown words have a length of their own, and whether a short run is also one word; runs of every other
// class are one unknown word, however long.
const LENGTHS = new Uint8Array(16)
const GROUPS = new Uint8Array(16).fill(1)
LENGTHS[unitClassNumber('SPACE')] = 1
LENGTHS[unitClassNumber('SYMBOL')] = 1
LENGTHS[unitClassNumber('HANJA')] = 1
LENGTHS[unitClassNumber('HANGUL')] = 2
GROUPS[unitClassNumber('SPACE')] = 0
GROUPS[unitClassNumber('SYMBOL')] = 0

const BEGINS = 1
const ENDS = 2
const FILLER = 4

/** Nodes after which what is settled of a very long line is moved to the path. */
const SETTLE_NODES = 1 << 17

/**
 * Finds the cheapest sequence of words for a line, as seunjeon does: known, user and unknown words compete by cost.
 *
 * The result stands in `pathStart`, `pathEnd` and `pathEntry` (see {@link Lattice.entry}) until the next call.
 */
export class SeunjeonLattice {
  pathLength = 0
  pathStart = new Int32Array(1024)
  pathEnd = new Int32Array(1024)
  pathEntry = new Int32Array(1024)

  readonly #dictionary: KoreanDictionary
  readonly #user: UserLexicon | undefined
  readonly #userEntries: number
  readonly #maxUnknownLength: number
  readonly #lattice: Lattice
  readonly #unknownLeft: Uint16Array
  readonly #unknownRight: Uint16Array
  readonly #unknownCost: Int32Array
  readonly #unknownPenalty: Uint8Array
  readonly #endLeft: number
  readonly #startRight: number

  #marks = new Uint8Array(1024)
  /** End of the run whose holes are marked. */
  #fillersUntil = 0
  #settleAt = SETTLE_NODES

  constructor(options: {
    readonly dictionary: KoreanDictionary
    readonly user: UserLexicon | undefined
    readonly maxUnknownLength: number
  }) {
    const { columns, meta } = options.dictionary
    this.#dictionary = options.dictionary
    this.#user = options.user
    this.#userEntries = options.dictionary.entryCount
    this.#maxUnknownLength = options.maxUnknownLength
    this.#lattice = new Lattice(options.dictionary)
    const unknown: readonly UnknownWord[] = meta.unknownWords
    this.#unknownLeft = Uint16Array.from(unknown, (word) => columns.leftClasses[word.leftId]!)
    this.#unknownRight = Uint16Array.from(unknown, (word) => columns.rightClasses[word.rightId]!)
    this.#unknownCost = Int32Array.from(unknown, (word) => word.cost)
    this.#unknownPenalty = Uint8Array.from(unknown, (word) => (hasSpacePenalty(word.tag) ? 1 : 0))
    this.#endLeft = columns.leftClasses[0]!
    this.#startRight = columns.rightClasses[0]!
  }

  /** Analyzes units `[from, to)`, which hold no line feed; places of the result are counted from `from`. */
  analyze(text: Uint16Array, from: number, to: number): void {
    const units = text.subarray(from, to)
    this.#clear(units)
    try {
      this.#findPath(units)
    } finally {
      this.#lattice.done()
    }
  }

  #findPath(units: Uint16Array): void {
    const { length } = units
    const lattice = this.#lattice
    lattice.reset(0, this.#startRight)
    let runEnd = 0
    let spaced = false
    for (let place = 0; place < length; place++) {
      const unit = units[place]!
      const unitClass = classes[unit]!
      if (place > 0 && !spaced) lattice.gatherLive(place)
      const entersRun = place >= runEnd
      if (entersRun) {
        runEnd = endOfRun(units, place)
        if (LENGTHS[unitClass] === 0 && runEnd - place > 1) this.#markFillers(units, place, runEnd)
      }
      // Words of a single space drop out: what follows sees the nodes before it, a gap away.
      if (unit !== SPACE && lattice.hasLive) {
        lattice.addKnown(place, spaced)
        if (this.#user !== undefined) this.#addUser(this.#user, units, place, spaced)
        this.#addUnknown(place, runEnd, unitClass, spaced)
        if (entersRun) this.#addWholeRun(place, runEnd, unitClass, spaced)
      }
      spaced = unit === SPACE
      if (lattice.nodeCount > this.#settleAt) this.#settle(place + 1)
    }
    if (length > 0 && !spaced) lattice.gatherLive(length)
    this.#appendPath(lattice.bestFor(this.#endLeft))
  }

  #clear(units: Uint16Array): void {
    const { length } = units
    this.#lattice.begin(units, length)
    if (this.#marks.length < length) this.#marks = new Uint8Array(Math.max(length, this.#marks.length * 2))
    this.#fillersUntil = 0
    this.#settleAt = SETTLE_NODES
    this.pathLength = 0
  }

  /**
   * Finds the holes of a run that is one unknown word: places inside it where a word begins and none ends. From the end
   * to the start each gets a one-unit unknown word before it, which in turn needs something that ends where it begins.
   */
  #markFillers(units: Uint16Array, from: number, to: number): void {
    const marks = this.#marks
    marks.fill(0, from, to)
    for (let place = from; place < to; place++) {
      if (this.#lattice.first(place, FIRST_LIST) !== NO_NODE) marks[place]! |= ENDS
      this.#markWords(this.#dictionary.trie, units, place, to)
      if (this.#user !== undefined) this.#markWords(this.#user.trie, units, place, to)
    }
    for (let place = to - 1; place > from; place--) {
      if ((marks[place]! & (BEGINS | ENDS)) === BEGINS) marks[place - 1]! |= BEGINS | FILLER
    }
    this.#fillersUntil = to
  }

  #markWords(trie: WordTrie, units: Uint16Array, place: number, to: number): void {
    const marks = this.#marks
    let node = trie.roots[units[place]!]!
    for (let end = place + 1; node !== 0; end++) {
      if (trie.firstEntry(node) < trie.firstEntry(node + 1)) {
        marks[place]! |= BEGINS
        if (end < to) marks[end]! |= ENDS
      }
      if (end === units.length) break
      node = trie.child(node, units[end]!)
    }
  }

  #addUser(user: UserLexicon, units: Uint16Array, place: number, spaced: boolean): void {
    const { trie } = user
    let node = trie.roots[units[place]!]!
    for (let end = place + 1; node !== 0; end++) {
      const last = trie.firstEntry(node + 1)
      for (let entry = trie.firstEntry(node); entry < last; entry++) {
        const penalized = spaced && user.spacePenalty[entry] === 1
        const id = this.#userEntries + entry
        this.#lattice.addNode(
          place,
          end,
          user.left[entry]!,
          user.right[entry]!,
          user.cost[entry]!,
          penalized,
          id,
          FIRST_LIST,
        )
      }
      if (end === units.length) break
      node = trie.child(node, units[end]!)
    }
  }

  #addUnknown(place: number, runEnd: number, unitClass: number, spaced: boolean): void {
    const length = LENGTHS[unitClass]!
    if (length === 0) {
      const filled = place < this.#fillersUntil && (this.#marks[place]! & FILLER) !== 0
      if (filled) this.#addUnknownWord(place, place + 1, unitClass, spaced)
      return
    }
    const longest = Math.max(1, Math.min(length, runEnd - place, this.#maxUnknownLength))
    for (let end = place + 1; end <= place + longest; end++) this.#addUnknownWord(place, end, unitClass, spaced)
  }

  #addWholeRun(place: number, runEnd: number, unitClass: number, spaced: boolean): void {
    const length = LENGTHS[unitClass]!
    const runLength = runEnd - place
    const whole = length === 0 || (GROUPS[unitClass] === 1 && runLength <= this.#maxUnknownLength)
    // A run no longer than the words of its class is among them already.
    if (whole && runLength > length) this.#addUnknownWord(place, runEnd, unitClass, spaced)
  }

  #addUnknownWord(place: number, end: number, unitClass: number, spaced: boolean): void {
    this.#lattice.addNode(
      place,
      end,
      this.#unknownLeft[unitClass]!,
      this.#unknownRight[unitClass]!,
      this.#unknownCost[unitClass]!,
      spaced && this.#unknownPenalty[unitClass] === 1,
      -1 - unitClass,
      SECOND_LIST,
    )
  }

  /** Moves what no longer depends on the rest of the line to the path. */
  #settle(place: number): void {
    this.#lattice.prune(place, (node) => this.#appendPath(node))
    this.#settleAt = Math.max(SETTLE_NODES, this.#lattice.nodeCount * 2)
  }

  /** Appends the words from behind the root up to and with `node`. */
  #appendPath(node: number): void {
    const lattice = this.#lattice
    let count = 0
    for (let n = node; n > lattice.root; n = lattice.previous(n)) count++
    const length = this.pathLength + count
    if (length > this.pathStart.length) this.#growPath(length)
    let i = length
    for (let n = node; n > lattice.root; n = lattice.previous(n)) {
      i--
      this.pathStart[i] = lattice.start(n)
      this.pathEnd[i] = lattice.end(n)
      this.pathEntry[i] = lattice.entry(n)
    }
    this.pathLength = length
  }

  #growPath(length: number): void {
    const size = Math.max(length, this.pathStart.length * 2)
    const grow = (from: Int32Array): Int32Array<ArrayBuffer> => {
      const to = new Int32Array(size)
      to.set(from)
      return to
    }
    this.pathStart = grow(this.pathStart)
    this.pathEnd = grow(this.pathEnd)
    this.pathEntry = grow(this.pathEntry)
  }
}

function endOfRun(units: Uint16Array, place: number): number {
  const unitClass = classes[units[place]!]
  let end = place + 1
  while (end < units.length && classes[units[end]!] === unitClass) end++
  return end
}
