import { type CharacterSet, casesOf, WORD_AT_BOUNDARY } from './character-set.ts'
import { ENDLESS, INSTRUCTION, OP, type PatternProgram } from './pattern-program.ts'

/** What the machine remembers: a choice to come back to, a slot's value to put back, a run that can give back or take more. */
const CHOICE = 0
const RESTORE = 1
const GREEDY = 2
const LAZY = 3
/** Numbers an entry of the stack takes. */
const ENTRY = 4
/** Characters of a run that cost as much as an instruction. */
const RUN_PER_STEP = 16

/** Steps after which a search keeps account of its choices. */
const MEMO_AFTER_STEPS = 20_000
/** Most bits of that account: 16 MB. */
const MAX_MEMO_BITS = 2 ** 27

/** Said when a match takes more steps than it may. */
export class PatternInterrupted extends Error {}

/** Runs a program on a text: one match at a time, with a stack of its own, so that no pattern is too deep. */
export class PatternMachine {
  readonly #program: PatternProgram
  readonly #text: string
  readonly #slots: Int32Array
  #stack = new Int32Array(1024)
  #height = 0
  #searchStart = 0
  #steps: number
  /** Steps left from which on account is kept of the choices that were made. */
  readonly #memoFrom: number
  /** A bit for each choice and place. */
  #made: Uint8Array | undefined

  /** @param maxSteps  instructions a search may take before it is broken off */
  constructor(program: PatternProgram, text: string, maxSteps: number) {
    this.#program = program
    this.#text = text
    this.#slots = new Int32Array(program.slots)
    this.#steps = maxSteps
    this.#memoFrom = maxSteps - MEMO_AFTER_STEPS
  }

  /**
   * The first match from the left.
   *
   * @returns  where each group begins and ends, -1: took no part; undefined: there is none
   * @throws {PatternInterrupted}
   */
  search(): Int32Array | undefined {
    const { first, isAnchored, required } = this.#program
    const text = this.#text
    if (required !== '' && !text.includes(required)) return undefined
    for (let at = 0; at <= text.length; at++) {
      if (first !== undefined) {
        while (at < text.length && !first.has(pointAt(text, at))) at++
        if (at >= text.length) return undefined
      }
      const unit = text.charCodeAt(at)
      if (at > 0 && unit >= 0xdc00 && unit <= 0xdfff && isHigh(text.charCodeAt(at - 1))) continue
      this.#slots.fill(-1)
      this.#height = 0
      const end = this.#run(at)
      if (end >= 0) {
        this.#slots[0] = at
        this.#slots[1] = end
        return this.#slots
      }
      if (isAnchored) return undefined
    }
    return undefined
  }

  #push(kind: number, x: number, y: number, z: number): void {
    if (this.#height + ENTRY > this.#stack.length) {
      const wider = new Int32Array(this.#stack.length * 2)
      wider.set(this.#stack)
      this.#stack = wider
    }
    const stack = this.#stack
    stack[this.#height++] = kind
    stack[this.#height++] = x
    stack[this.#height++] = y
    stack[this.#height++] = z
  }

  #put(slot: number, value: number): void {
    // Nothing can come back to before the first choice.
    if (this.#height > 0) this.#push(RESTORE, slot, this.#slots[slot] as number, 0)
    this.#slots[slot] = value
  }

  /** Forgets the choices above a height; values to put back stay for choices before. */
  #cut(height: number): void {
    const stack = this.#stack
    let to = height
    for (let from = height; from < this.#height; from += ENTRY) {
      if (stack[from] !== RESTORE) continue
      stack.copyWithin(to, from, from + ENTRY)
      to += ENTRY
    }
    this.#height = to
  }

  /** Puts back the values of the slots since a height, and forgets the rest. */
  #undo(height: number): void {
    const stack = this.#stack
    while (this.#height > height) {
      this.#height -= ENTRY
      if (stack[this.#height] === RESTORE)
        this.#slots[stack[this.#height + 1] as number] = stack[this.#height + 2] as number
    }
  }

  /** Where the match that begins at a place ends; -1: there is none. */
  #run(start: number): number {
    const { code, sets } = this.#program
    const text = this.#text
    const slots = this.#slots
    const { length } = text
    this.#searchStart = 0
    let pc = 0
    let at = start
    for (;;) {
      if (--this.#steps < 0) throw new PatternInterrupted()
      const a = code[pc + 1] as number
      let fails = false
      switch (code[pc]) {
        case OP.MATCH:
          return at
        case OP.SET: {
          const point = pointAt(text, at)
          if (at < length && (sets[a] as CharacterSet).has(point)) {
            at += point > 0xffff ? 2 : 1
            pc += INSTRUCTION
          } else fails = true
          break
        }
        case OP.JUMP:
          pc = a
          break
        case OP.SPLIT:
          this.#push(CHOICE, code[pc + 2] as number, at, pc)
          pc = a
          break
        case OP.SAVE:
          this.#put(a, at)
          pc += INSTRUCTION
          break
        case OP.ASSERT:
          if (this.#holds(this.#program.assertions[a] as string, at)) pc += INSTRUCTION
          else fails = true
          break
        case OP.BACKREFERENCE: {
          const end = this.#again(this.#program.groupLists[a] as readonly number[], at, code[pc + 2] === 1)
          if (end < 0) fails = true
          else {
            at = end
            pc += INSTRUCTION
          }
          break
        }
        case OP.RUN_GREEDY:
        case OP.RUN_POSSESSIVE: {
          const min = code[pc + 2] as number
          const most = code[pc + 3] as number
          const set = sets[a] as CharacterSet
          let count = 0
          let least = at
          const from = at
          while (count < most && at < length) {
            const point = pointAt(text, at)
            if (!set.has(point)) break
            at += point > 0xffff ? 2 : 1
            count++
            if (count === min) least = at
          }
          this.#steps -= ((at - from) / RUN_PER_STEP) | 0
          if (count < min) fails = true
          else {
            if (code[pc] === OP.RUN_GREEDY && at > least) this.#push(GREEDY, pc, least, at)
            pc += INSTRUCTION
          }
          break
        }
        case OP.RUN_LAZY: {
          const min = code[pc + 2] as number
          const set = sets[a] as CharacterSet
          let count = 0
          while (count < min && at < length) {
            const point = pointAt(text, at)
            if (!set.has(point)) break
            at += point > 0xffff ? 2 : 1
            count++
          }
          if (count < min) fails = true
          else {
            if (count < (code[pc + 3] as number)) this.#push(LAZY, pc, at, count)
            pc += INSTRUCTION
          }
          break
        }
        case OP.MARK:
          this.#mark(a)
          pc += INSTRUCTION
          break
        case OP.CUT:
          this.#cut(slots[a] as number)
          pc += INSTRUCTION
          break
        case OP.CUT_BACK:
          at = slots[code[pc + 2] as number] as number
          this.#cut(slots[a] as number)
          pc += INSTRUCTION
          break
        case OP.MARK_NEGATIVE:
          this.#mark(a)
          this.#push(CHOICE, code[pc + 2] as number, at, pc)
          pc += INSTRUCTION
          break
        case OP.FAIL_TO:
          this.#undo(slots[a] as number)
          fails = true
          break
        case OP.BACK: {
          let left = a
          while (left > 0 && at > 0) {
            at = before(text, at)
            left--
          }
          if (left > 0) fails = true
          else pc += INSTRUCTION
          break
        }
        case OP.ZERO:
          this.#put(a, 0)
          pc += INSTRUCTION
          break
        case OP.LOOP_GREEDY:
        case OP.LOOP_LAZY: {
          const count = slots[a] as number
          const most = code[pc + 3] as number
          const after = code[pc + 4] as number
          if (count < (code[pc + 2] as number)) pc += INSTRUCTION
          else if (most !== ENDLESS && count >= most) pc = after
          else if (code[pc] === OP.LOOP_GREEDY) {
            this.#push(CHOICE, after, at, pc)
            pc += INSTRUCTION
          } else {
            this.#push(CHOICE, pc + INSTRUCTION, at, pc)
            pc = after
          }
          break
        }
        case OP.TURN:
          this.#put(a, (slots[a] as number) + 1)
          this.#put(code[pc + 2] as number, at)
          pc += INSTRUCTION
          break
        case OP.TURN_END:
          pc = (at === slots[a] ? code[pc + 3] : code[pc + 2]) as number
          break
        case OP.AT:
          if (at === slots[a]) pc += INSTRUCTION
          else fails = true
          break
      }
      if (!fails) continue
      // Back to the choice made last.
      const resumed = this.#back()
      if (resumed < 0) return -1
      pc = resumed
      at = this.#at
    }
  }

  /** Where the machine goes on after coming back. */
  #at = 0

  /** Comes back to the last choice. @returns the instruction to go on with; -1: there is none */
  #back(): number {
    const { code, sets } = this.#program
    const text = this.#text
    while (this.#height > 0) {
      const stack = this.#stack
      this.#height -= ENTRY
      const entry = this.#height
      const x = stack[entry + 1] as number
      switch (stack[entry]) {
        case CHOICE: {
          const at = stack[entry + 2] as number
          if (this.#isKnown(stack[entry + 3] as number, at)) break
          this.#at = at
          return x
        }
        case RESTORE:
          this.#slots[x] = stack[entry + 2] as number
          break
        case GREEDY: {
          const least = stack[entry + 2] as number
          const follows = code[x + 4] as number
          let at = before(text, stack[entry + 3] as number)
          if (follows >= 0) {
            const set = sets[follows] as CharacterSet
            const from = at
            while (at > least && !set.has(pointAt(text, at))) at = before(text, at)
            this.#steps -= ((from - at) / RUN_PER_STEP) | 0
          }
          if (at > least) {
            stack[entry + 3] = at
            this.#height += ENTRY
          }
          if (this.#isKnown(x, at)) break
          this.#at = at
          return x + INSTRUCTION
        }
        case LAZY: {
          const at = stack[entry + 2] as number
          const point = pointAt(text, at)
          if (at >= text.length || !(sets[code[x + 1] as number] as CharacterSet).has(point)) break
          const after = at + (point > 0xffff ? 2 : 1)
          const count = (stack[entry + 3] as number) + 1
          if (count < (code[x + 3] as number)) {
            stack[entry + 2] = after
            stack[entry + 3] = count
            this.#height += ENTRY
          }
          if (this.#isKnown(x, after)) break
          this.#at = after
          return x + INSTRUCTION
        }
      }
    }
    return -1
  }

  /**
   * Whether it is known that an instruction's choice comes to nothing at a place: it was made there before. Begins to keep
   * account when a search takes long; without it patterns like `(a+)+b` would take time that doubles with each character.
   */
  #isKnown(pc: number, at: number): boolean {
    const { memo, memoSize } = this.#program
    const number = memo[pc / INSTRUCTION] as number
    if (number < 0 || this.#steps > this.#memoFrom) return false
    const places = this.#text.length + 1
    if (this.#made === undefined) {
      if (memoSize * places > MAX_MEMO_BITS) return false
      this.#made = new Uint8Array(Math.ceil((memoSize * places) / 8))
    }
    const bit = number * places + at
    const mask = 1 << (bit & 7)
    const byte = this.#made[bit >>> 3] as number
    if ((byte & mask) !== 0) return true
    this.#made[bit >>> 3] = byte | mask
    return false
  }

  /** Notes the height of the stack; the value before is put back when this is undone. */
  #mark(slot: number): void {
    const old = this.#slots[slot] as number
    if (this.#height > 0) this.#push(RESTORE, slot, old, 0)
    this.#slots[slot] = this.#height
  }

  #holds(what: string, at: number): boolean {
    const text = this.#text
    switch (what) {
      case 'line-start':
        return at === 0 || (text.charCodeAt(at - 1) === 0x0a && at < text.length)
      case 'line-end':
        return at === text.length || text.charCodeAt(at) === 0x0a
      case 'text-start':
        return at === 0
      case 'text-end':
        return at === text.length
      case 'text-end-or-last-line-end':
        return at === text.length || (at === text.length - 1 && text.charCodeAt(at) === 0x0a)
      case 'search-start':
        return at === this.#searchStart
      default: {
        const isBefore = at > 0 && WORD_AT_BOUNDARY.has(pointAt(text, before(text, at)))
        const isAfter = at < text.length && WORD_AT_BOUNDARY.has(pointAt(text, at))
        return (isBefore !== isAfter) === (what === 'word-boundary')
      }
    }
  }

  /** Where what a group took ends when it stands here again; -1: it does not. */
  #again(groups: readonly number[], at: number, ignoreCase: boolean): number {
    for (let index = groups.length - 1; index >= 0; index--) {
      const group = groups[index] as number
      const from = this.#slots[group * 2] as number
      const to = this.#slots[group * 2 + 1] as number
      if (from < 0 || to < 0) continue
      const part = this.#text.slice(from, to)
      this.#steps -= (part.length / RUN_PER_STEP) | 0
      const there = this.#text.slice(at, at + part.length)
      if (there === part || (ignoreCase && isSameIgnoringCase(there, part))) return at + part.length
    }
    return -1
  }
}

function isSameIgnoringCase(a: string, b: string): boolean {
  const there = [...a]
  const wanted = [...b]
  return (
    there.length === wanted.length &&
    there.every((letter, index) =>
      casesOf(letter.codePointAt(0) as number).includes((wanted[index] as string).codePointAt(0) as number),
    )
  )
}

function isHigh(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff
}

/** The code point at a place; NaN at the end. */
function pointAt(text: string, at: number): number {
  const unit = text.charCodeAt(at)
  return isHigh(unit) ? (text.codePointAt(at) as number) : unit
}

/** The place one character before. */
function before(text: string, at: number): number {
  const unit = text.charCodeAt(at - 1)
  return at > 1 && unit >= 0xdc00 && unit <= 0xdfff && isHigh(text.charCodeAt(at - 2)) ? at - 2 : at - 1
}
