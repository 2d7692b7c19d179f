import type { KoreanDictionary } from './korean-dictionary.ts'
import { Lattice } from './lattice.ts'
import { FIRST_LIST, NO_NODE } from './lattice-layout.ts'
import { UNIT_CLASSES, type UnitClassName } from './unit-class.ts'
import {
  SCRIPT_COMMON,
  TRAIT_CLASS,
  TRAIT_DIGIT,
  TRAIT_MARK,
  TRAIT_PUNCTUATION,
  TRAIT_SCRIPT_SHIFT,
  TRAIT_SPACE,
} from './unit-traits.ts'
import type { UserLexicon } from './user-lexicon.ts'

/** What nori's releases do differently. */
export interface NoriRules {
  /** Every user word that matches is tried (7.x); else only the longest that reaches beyond the earlier ones. */
  readonly everyUserWord: boolean
  /** A change between digits and other characters ends an unknown word (8.3 on). */
  readonly digitsApart: boolean
  /** All white space before a word is skipped (to 8.x); else one character, and what follows is a word. */
  readonly skipsSpaceRuns: boolean
}

/** Takes the words of the cheapest path, in the order of the text. */
export interface WordSink {
  /**
   * @param spaceStart  where the word before ended: white space between it and `start` belongs to no word
   * @param entry       see {@link Lattice.entry}
   * @returns           whether it made a token of the word
   */
  word(spaceStart: number, start: number, end: number, entry: number): boolean
}

const MAX_UNKNOWN_WORD_LENGTH = 1024
/** So many places after the last settled one the cheapest path is settled even if others could still win. */
const MAX_BACKTRACE_GAP = 1024

// mecab-ko-dic's flags: unknown words are tried beside known ones; unknown words may be longer than a unit.
const NO_INVOKE: ReadonlySet<UnitClassName> = new Set<UnitClassName>([
  'NGRAM',
  'DEFAULT',
  'SPACE',
  'KANJI',
  'HANGUL',
  'HANJA',
])
const NO_GROUP: ReadonlySet<UnitClassName> = new Set<UnitClassName>(['KANJI', 'HANJA'])
const INVOKES = Uint8Array.from(UNIT_CLASSES, (name) => (NO_INVOKE.has(name) ? 0 : 1))
const GROUPS = Uint8Array.from(UNIT_CLASSES, (name) => (NO_GROUP.has(name) ? 0 : 1))

/**
 * Finds the cheapest sequence of words as nori does: place by place, settling the path wherever only one is alive.
 */
export class NoriLattice {
  readonly #dictionary: KoreanDictionary
  readonly #user: UserLexicon | undefined
  readonly #rules: NoriRules
  readonly #lattice: Lattice
  readonly #traits: Uint16Array
  readonly #unknownLeft: Uint16Array
  readonly #unknownRight: Uint16Array
  readonly #unknownCost: Int32Array
  readonly #endLeft: number
  readonly #startRight: number
  /** Furthest place any path or step has reached. */
  #furthest = 0
  #userReach = -1
  /** End of the units that all have the traits of the one looked at last. */
  #uniformEnd = 0
  #path = new Int32Array(256)

  constructor(options: {
    readonly dictionary: KoreanDictionary
    readonly user: UserLexicon | undefined
    readonly rules: NoriRules
  }) {
    const { columns, meta } = options.dictionary
    this.#dictionary = options.dictionary
    this.#user = options.user
    this.#rules = options.rules
    this.#lattice = new Lattice(options.dictionary)
    this.#traits = columns.unitTraits
    this.#unknownLeft = Uint16Array.from(meta.unknownWords, (word) => columns.leftClasses[word.leftId]!)
    this.#unknownRight = Uint16Array.from(meta.unknownWords, (word) => columns.rightClasses[word.rightId]!)
    this.#unknownCost = Int32Array.from(meta.unknownWords, (word) => word.cost)
    this.#endLeft = columns.leftClasses[0]!
    this.#startRight = columns.rightClasses[0]!
  }

  /** Analyzes the first `length` units and hands every word of the cheapest path to `sink`. */
  analyze(units: Uint16Array, length: number, sink: WordSink): void {
    this.#lattice.begin(units, length)
    try {
      this.#findWords(units, length, sink)
    } finally {
      this.#lattice.done()
    }
  }

  #findWords(units: Uint16Array, length: number, sink: WordSink): void {
    const lattice = this.#lattice
    const traits = this.#traits
    this.#furthest = 0
    this.#userReach = -1
    this.#uniformEnd = 0
    this.#restart(0, this.#startRight)
    let settled = 0
    let place = 0
    while (place < length) {
      if (place > this.#furthest) this.#furthest = place
      const first = lattice.first(place, FIRST_LIST)
      if (first === NO_NODE) {
        place++
        continue
      }
      if (place > settled && first === lattice.last(place, FIRST_LIST) && this.#reach === place) {
        this.#settle(first, sink)
        settled = place
      }
      if (place - settled >= MAX_BACKTRACE_GAP) {
        place = this.#settleCheapest(place, sink)
        settled = place
        continue
      }
      lattice.gatherLive(place)
      let start = place
      if ((traits[units[place]!]! & TRAIT_SPACE) !== 0) {
        start++
        if (this.#rules.skipsSpaceRuns) {
          while (start < length && (traits[units[start]!]! & TRAIT_SPACE) !== 0) start++
        }
        // White space at the end of the text is a word.
        if (start === length) start = place
      }
      const spaced = start > place
      const matched =
        (this.#user !== undefined && this.#addUser(this.#user, units, start, length)) || lattice.addKnown(start, spaced)
      if (!matched || INVOKES[traits[units[start]!]! & TRAIT_CLASS] === 1) this.#addUnknown(units, start, length)
      place = start + 1
    }
    if (length === 0) return
    lattice.gatherLive(length)
    if (lattice.hasLive) this.#emit(lattice.bestFor(this.#endLeft), sink)
  }

  /** Furthest place a path or step has reached. */
  get #reach(): number {
    return Math.max(this.#furthest, this.#lattice.furthest)
  }

  /** Makes a place the start of all paths. */
  #restart(place: number, rightClass: number): void {
    this.#lattice.reset(place, rightClass)
    this.#lattice.listRoot()
  }

  #settle(node: number, sink: WordSink): void {
    const place = this.#lattice.end(node)
    const right = this.#lattice.right(node)
    // The original leaves its loop to hand out tokens, and begins anew to count how far user words reached.
    if (this.#emit(node, sink)) this.#userReach = -1
    this.#restart(place, right)
  }

  /** Settles the path to the cheapest of all nodes alive, wherever it ends, and drops the others. */
  #settleCheapest(from: number, sink: WordSink): number {
    const lattice = this.#lattice
    let cheapest = NO_NODE
    for (let place = from; place <= this.#reach; place++) {
      for (let node = lattice.first(place, FIRST_LIST); node !== NO_NODE; node = lattice.next(node)) {
        if (cheapest === NO_NODE || lattice.total(node) < lattice.total(cheapest)) cheapest = node
      }
    }
    lattice.clearPlaces(from, this.#reach)
    const place = lattice.end(cheapest)
    this.#settle(cheapest, sink)
    return place
  }

  #emit(node: number, sink: WordSink): boolean {
    const lattice = this.#lattice
    let count = 0
    for (let n = node; n > lattice.root; n = lattice.previous(n)) {
      if (count === this.#path.length) {
        const path = new Int32Array(count * 2)
        path.set(this.#path)
        this.#path = path
      }
      this.#path[count++] = n
    }
    let emitted = false
    let before = lattice.end(lattice.root)
    while (count > 0) {
      const n = this.#path[--count]!
      const end = lattice.end(n)
      if (sink.word(before, lattice.start(n), end, lattice.entry(n))) emitted = true
      before = end
    }
    return emitted
  }

  /** Adds user words; true when one matches, even if it is not added. They cost no more behind a space. */
  #addUser(user: UserLexicon, units: Uint16Array, start: number, length: number): boolean {
    const { trie } = user
    let node = trie.roots[units[start]!]!
    let longest = -1
    let longestEnd = 0
    for (let end = start + 1; node !== 0; end++) {
      const entry = trie.firstEntry(node)
      if (entry < trie.firstEntry(node + 1)) {
        if (this.#rules.everyUserWord) this.#addUserWord(user, start, end, entry)
        longest = entry
        longestEnd = end
      }
      if (end === length) break
      node = trie.child(node, units[end]!)
    }
    if (longest === -1) return false
    if (!this.#rules.everyUserWord && longestEnd - 1 > this.#userReach) {
      this.#addUserWord(user, start, longestEnd, longest)
      this.#userReach = longestEnd - 1
    }
    return true
  }

  #addUserWord(user: UserLexicon, start: number, end: number, entry: number): void {
    const id = this.#dictionary.entryCount + entry
    this.#lattice.addNode(start, end, user.left[entry]!, user.right[entry]!, user.cost[entry]!, false, id, FIRST_LIST)
  }

  /** Where the traits of the unit at `start` first change: found once a run, or a million exclamation marks take long. */
  #endOfUniform(units: Uint16Array, start: number, length: number): number {
    if (start >= this.#uniformEnd) {
      const traits = this.#traits
      const first = traits[units[start]!]!
      let end = start + 1
      while (end < length && traits[units[end]!] === first) end++
      this.#uniformEnd = end
    }
    return this.#uniformEnd
  }

  #addUnknown(units: Uint16Array, start: number, length: number): void {
    const traits = this.#traits
    const first = traits[units[start]!]!
    let unitClass = first & TRAIT_CLASS
    let script = first >> TRAIT_SCRIPT_SHIFT
    let end = start + 1
    if (GROUPS[unitClass] === 1) {
      const same = this.#rules.digitsApart ? TRAIT_PUNCTUATION | TRAIT_DIGIT : TRAIT_PUNCTUATION
      const limit = Math.min(length, start + MAX_UNKNOWN_WORD_LENGTH)
      for (end = Math.min(this.#endOfUniform(units, start, length), limit); end < limit; end++) {
        const trait = traits[units[end]!]!
        const itsScript = trait >> TRAIT_SCRIPT_SHIFT
        const sameScript =
          itsScript === script || itsScript === SCRIPT_COMMON || script === SCRIPT_COMMON || (trait & TRAIT_MARK) !== 0
        if (!sameScript || ((trait ^ first) & same) !== 0 || GROUPS[trait & TRAIT_CLASS] === 0) break
        if (script === SCRIPT_COMMON && itsScript !== SCRIPT_COMMON) {
          script = itsScript
          unitClass = trait & TRAIT_CLASS
        }
      }
    }
    this.#lattice.addNode(
      start,
      end,
      this.#unknownLeft[unitClass]!,
      this.#unknownRight[unitClass]!,
      this.#unknownCost[unitClass]!,
      // No unknown word's tag is one of those that cost more behind a space.
      false,
      -1 - unitClass,
      FIRST_LIST,
    )
  }
}
