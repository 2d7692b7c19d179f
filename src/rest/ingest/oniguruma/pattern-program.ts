import type { CharacterSet } from './character-set.ts'
import type { ParsedPattern } from './parse-pattern.ts'
import { fixedLength, leastLength, type PatternNode, type RepeatMode, requiredText } from './pattern-node.ts'
import { PatternSyntaxError } from './pattern-syntax-error.ts'

/** What an instruction does; `a` to `d` are its operands. */
export const OP = {
  MATCH: 0,
  /** A character of set `a`. */
  SET: 1,
  /** On at `a`. */
  JUMP: 2,
  /** On at `a`; at `b` when that fails. */
  SPLIT: 3,
  /** Slot `a` is the place. */
  SAVE: 4,
  /** Assertion `a` holds. */
  ASSERT: 5,
  /** What one of the groups of list `a` took, again; `b`: in any case. */
  BACKREFERENCE: 6,
  /** Characters of set `a`, `b` to `c` of them, as many as there are first; `d`: set that must follow, or -1. */
  RUN_GREEDY: 7,
  /** The same, as few as will do first. */
  RUN_LAZY: 8,
  /** The same, and none given back. */
  RUN_POSSESSIVE: 9,
  /** Slot `a` is the height of the stack. */
  MARK: 10,
  /** Choices made since slot `a` was marked are final. */
  CUT: 11,
  /** The same, and the place is that of slot `b` again. */
  CUT_BACK: 12,
  /** Slot `a` is the height of the stack; on at `b` when what follows fails. */
  MARK_NEGATIVE: 13,
  /** Everything since slot `a` was marked is undone, and this fails. */
  FAIL_TO: 14,
  /** `a` characters back. */
  BACK: 15,
  /** Slot `a` is 0. */
  ZERO: 16,
  /** Head of a loop: slot `a` counts, `b` to `c` turns, the body follows, `d` is what comes after. */
  LOOP_GREEDY: 17,
  LOOP_LAZY: 18,
  /** Beginning of a turn: slot `a` counts it, slot `b` is the place. */
  TURN: 19,
  /** End of a turn: on at `b`, or at `c` when it took nothing since slot `a`. */
  TURN_END: 20,
  /** The place is that of slot `a`. */
  AT: 21,
} as const

/** Instructions, five numbers each: the operation and its operands. */
export interface PatternProgram {
  readonly code: Int32Array
  readonly sets: readonly CharacterSet[]
  readonly assertions: readonly string[]
  readonly groupLists: readonly (readonly number[])[]
  /** Slots 2n and 2n + 1 are where group n begins and ends; what the machine needs itself follows. */
  readonly slots: number
  /**
   * Numbers of the choices, by the index of their instruction, that come out the same whenever the machine stands before them
   * at the same place: a second time they need not be made. -1: it depends on what was before, or it is no choice.
   */
  readonly memo: Int32Array
  /** How many of those there are. */
  readonly memoSize: number
  /** What a match can begin with; undefined: anything, or nothing. */
  readonly first: CharacterSet | undefined
  /** What a text must have in it to match; empty: nothing. */
  readonly required: string
  /** Whether it can match at the beginning only. */
  readonly isAnchored: boolean
}

/** Instructions that leave a choice behind. */
const CHOICES: ReadonlySet<number> = new Set([OP.SPLIT, OP.RUN_GREEDY, OP.RUN_LAZY, OP.LOOP_GREEDY, OP.LOOP_LAZY])

/** Numbers an instruction takes. */
export const INSTRUCTION = 5
/** No end of turns. */
export const ENDLESS = 0x7fffffff
const MAX_INSTRUCTIONS = 500_000

/** Compiles a pattern for the machine that runs it. @throws {PatternSyntaxError} for one too large, or that calls itself */
export function compilePattern(parsed: ParsedPattern): PatternProgram {
  return new Compiler(parsed).run()
}

class Compiler {
  readonly #parsed: ParsedPattern
  readonly #code: number[] = []
  readonly #sets: CharacterSet[] = []
  readonly #setNumbers = new Map<CharacterSet, number>()
  readonly #assertions: string[] = []
  readonly #groupLists: (readonly number[])[] = []
  readonly #calls: number[] = []
  readonly #memo: number[] = []
  #memoSize = 0
  /** Whether what follows at a place depends on nothing but the place. */
  #isFree: boolean
  #slots: number

  constructor(parsed: ParsedPattern) {
    this.#parsed = parsed
    this.#slots = (parsed.groups.length + 1) * 2
    this.#isFree = !hasBackreference(parsed.root)
  }

  run(): PatternProgram {
    const { root } = this.#parsed
    this.#node(root)
    this.#emit(OP.MATCH)
    return {
      code: Int32Array.from(this.#code),
      sets: this.#sets,
      assertions: this.#assertions,
      groupLists: this.#groupLists,
      slots: this.#slots,
      memo: Int32Array.from(this.#memo),
      memoSize: this.#memoSize,
      first: beginningOf(root),
      required: requiredText(root),
      isAnchored: isAnchored(root),
    }
  }

  get #here(): number {
    return this.#code.length
  }

  #emit(op: number, a = 0, b = 0, c = 0, d = 0): number {
    const at = this.#code.length
    if (at > MAX_INSTRUCTIONS * INSTRUCTION) throw new PatternSyntaxError('too big pattern')
    this.#code.push(op, a, b, c, d)
    this.#memo.push(this.#isFree && CHOICES.has(op) ? this.#memoSize++ : -1)
    return at
  }

  /** Sets an operand of an instruction that was emitted before it was known. */
  #patch(at: number, operand: 1 | 2 | 3 | 4, value: number): void {
    this.#code[at + operand] = value
  }

  /** Compiles something within which choices depend on how it was come to. */
  #bound(compile: () => void): void {
    const before = this.#isFree
    this.#isFree = false
    compile()
    this.#isFree = before
  }

  #set(set: CharacterSet): number {
    let number = this.#setNumbers.get(set)
    if (number === undefined) {
      number = this.#sets.push(set) - 1
      this.#setNumbers.set(set, number)
    }
    return number
  }

  #node(node: PatternNode, follows = -1): void {
    switch (node.kind) {
      case 'set':
        this.#emit(OP.SET, this.#set(node.set))
        return
      case 'sequence':
        this.#sequence(node.parts, follows)
        return
      case 'choice':
        this.#choice(node.options)
        return
      case 'group':
        this.#emit(OP.SAVE, node.number * 2)
        this.#node(node.body)
        this.#emit(OP.SAVE, node.number * 2 + 1)
        return
      case 'atomic': {
        const mark = this.#slots++
        this.#emit(OP.MARK, mark)
        this.#bound(() => this.#node(node.body))
        this.#emit(OP.CUT, mark)
        return
      }
      case 'look':
        this.#bound(() => this.#look(node))
        return
      case 'repeat':
        this.#repeat(node, follows)
        return
      case 'assertion':
        this.#emit(OP.ASSERT, this.#assertions.push(node.what) - 1)
        return
      case 'backreference':
        this.#emit(OP.BACKREFERENCE, this.#groupLists.push(node.groups) - 1, node.ignoreCase ? 1 : 0)
        return
      case 'call':
        this.#call(node.group)
        return
    }
  }

  #sequence(parts: readonly PatternNode[], follows: number): void {
    for (const [index, part] of parts.entries()) {
      const next = parts[index + 1]
      this.#node(part, next === undefined ? follows : next.kind === 'set' ? this.#set(next.set) : -1)
    }
  }

  #choice(options: readonly PatternNode[]): void {
    const jumps: number[] = []
    for (const [index, option] of options.entries()) {
      if (index === options.length - 1) {
        this.#node(option)
        break
      }
      const split = this.#emit(OP.SPLIT, this.#here + INSTRUCTION)
      this.#node(option)
      jumps.push(this.#emit(OP.JUMP))
      this.#patch(split, 2, this.#here)
    }
    for (const jump of jumps) this.#patch(jump, 1, this.#here)
  }

  #look({ behind, negative, body }: Extract<PatternNode, { kind: 'look' }>): void {
    const mark = this.#slots++
    const place = this.#slots++
    this.#emit(OP.SAVE, place)
    const start = this.#emit(negative ? OP.MARK_NEGATIVE : OP.MARK, mark)
    if (behind) this.#behind(body.kind === 'choice' ? body.options : [body], place)
    else this.#node(body)
    if (negative) {
      this.#emit(OP.FAIL_TO, mark)
      this.#patch(start, 2, this.#here)
    } else this.#emit(OP.CUT_BACK, mark, place)
  }

  #behind(options: readonly PatternNode[], place: number): void {
    const jumps: number[] = []
    for (const [index, option] of options.entries()) {
      const isLast = index === options.length - 1
      const split = isLast ? undefined : this.#emit(OP.SPLIT, this.#here + INSTRUCTION)
      this.#emit(OP.BACK, fixedLength(option) as number)
      this.#node(option)
      this.#emit(OP.AT, place)
      if (split === undefined) break
      jumps.push(this.#emit(OP.JUMP))
      this.#patch(split, 2, this.#here)
    }
    for (const jump of jumps) this.#patch(jump, 1, this.#here)
  }

  #repeat(node: Extract<PatternNode, { kind: 'repeat' }>, follows: number): void {
    const { body, min, mode } = node
    const max = node.max === Number.POSITIVE_INFINITY ? ENDLESS : node.max
    if (max === 0) return
    if (body.kind === 'set') {
      const op = mode === 'greedy' ? OP.RUN_GREEDY : mode === 'lazy' ? OP.RUN_LAZY : OP.RUN_POSSESSIVE
      this.#emit(op, this.#set(body.set), min, max, follows)
      return
    }
    if (mode === 'possessive') {
      const mark = this.#slots++
      this.#emit(OP.MARK, mark)
      this.#bound(() => this.#repeat({ ...node, mode: 'greedy' }, -1))
      this.#emit(OP.CUT, mark)
      return
    }
    if (min === 1 && max === 1) {
      this.#node(body)
      return
    }
    if (min === 0 && max === 1) {
      const split = this.#emit(OP.SPLIT)
      const within = this.#here
      this.#node(body)
      this.#patch(split, mode === 'greedy' ? 1 : 2, within)
      this.#patch(split, mode === 'greedy' ? 2 : 1, this.#here)
      return
    }
    if (min > 1 || max !== ENDLESS || leastLength(body) === 0) this.#bound(() => this.#loop(body, min, max, mode))
    else this.#loop(body, min, max, mode)
  }

  #loop(body: PatternNode, min: number, max: number, mode: RepeatMode): void {
    const count = this.#slots++
    const place = this.#slots++
    this.#emit(OP.ZERO, count)
    const head = this.#emit(mode === 'lazy' ? OP.LOOP_LAZY : OP.LOOP_GREEDY, count, min, max)
    this.#emit(OP.TURN, count, place)
    this.#node(body)
    const end = leastLength(body) > 0 ? this.#emit(OP.JUMP, head) : this.#emit(OP.TURN_END, place, head)
    this.#patch(end, 3, this.#here)
    this.#patch(head, 4, this.#here)
  }

  /** The body of a group in place of its call: a group that calls itself has no end. */
  #call(group: number): void {
    if (group === 0 || this.#calls.includes(group) || this.#calls.length > 20)
      throw new PatternSyntaxError('never ending recursion')
    this.#calls.push(group)
    this.#node({ kind: 'group', number: group, body: this.#parsed.groups[group - 1] as PatternNode })
    this.#calls.pop()
  }
}

function hasBackreference(node: PatternNode): boolean {
  switch (node.kind) {
    case 'backreference':
      return true
    case 'sequence':
      return node.parts.some(hasBackreference)
    case 'choice':
      return node.options.some(hasBackreference)
    case 'group':
    case 'atomic':
    case 'look':
    case 'repeat':
      return hasBackreference(node.body)
    case 'set':
    case 'assertion':
    case 'call':
      return false
  }
}

/** What a match can begin with; undefined: anything, or it may be empty. */
function beginningOf(root: PatternNode): CharacterSet | undefined {
  const first = firstOf(root)
  return first === undefined || first.isEmpty ? undefined : first.set
}

/** What a node can begin with, and whether it may be empty; undefined: not known. */
function firstOf(node: PatternNode): { readonly set: CharacterSet; readonly isEmpty: boolean } | undefined {
  switch (node.kind) {
    case 'set':
      return { set: node.set, isEmpty: false }
    case 'sequence': {
      let set: CharacterSet | undefined
      for (const part of node.parts) {
        if (part.kind === 'look' || part.kind === 'assertion') continue
        const first = firstOf(part)
        if (first === undefined) return undefined
        set = set === undefined ? first.set : set.or(first.set)
        if (!first.isEmpty) return { set, isEmpty: false }
      }
      return undefined
    }
    case 'choice': {
      let set: CharacterSet | undefined
      for (const option of node.options) {
        const first = firstOf(option)
        if (first === undefined || first.isEmpty) return undefined
        set = set === undefined ? first.set : set.or(first.set)
      }
      return set === undefined ? undefined : { set, isEmpty: false }
    }
    case 'group':
    case 'atomic':
      return firstOf(node.body)
    case 'repeat': {
      if (node.max === 0) return undefined
      const first = firstOf(node.body)
      return first === undefined ? undefined : { set: first.set, isEmpty: first.isEmpty || node.min === 0 }
    }
    case 'look':
    case 'assertion':
    case 'backreference':
    case 'call':
      return undefined
  }
}

function isAnchored(node: PatternNode): boolean {
  switch (node.kind) {
    case 'assertion':
      return node.what === 'text-start' || node.what === 'search-start'
    case 'sequence':
      return node.parts[0] !== undefined && isAnchored(node.parts[0])
    case 'choice':
      return node.options.every(isAnchored)
    case 'group':
    case 'atomic':
      return isAnchored(node.body)
    case 'set':
    case 'look':
    case 'repeat':
    case 'backreference':
    case 'call':
      return false
  }
}
