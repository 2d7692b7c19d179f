import { ServiceError } from '../../../errors.ts'
import { JavaPattern } from '../../analysis/java-pattern.ts'
import { fault, ScriptLimit } from '../script-fault.ts'
import type { ScriptRun } from '../script-run.ts'
import { ScriptObject } from './script-object.ts'

/** Java's flags by the letters of literals, with their bits. */
const FLAGS: Readonly<Record<string, readonly [name: string, bit: number]>> = {
  c: ['CANON_EQ', 128],
  i: ['CASE_INSENSITIVE', 2],
  l: ['LITERAL', 16],
  m: ['MULTILINE', 8],
  s: ['DOTALL', 32],
  U: ['UNICODE_CHARACTER_CLASS', 256],
  u: ['UNICODE_CASE', 64],
  x: ['COMMENTS', 4],
}

/** `script.painless.regex.limit-factor`: characters that may be looked at for each of a text. */
const LIMIT_FACTOR = 6

/** Java's `Pattern`, from a literal. */
export class ScriptPattern extends ScriptObject {
  readonly source: string
  readonly flags: number
  readonly compiled: JavaPattern

  /** @throws {ServiceError} pattern_syntax_exception */
  constructor(source: string, letters: string) {
    super()
    const flags = [...letters].map((letter) => FLAGS[letter] as readonly [string, number])
    this.source = source
    this.flags = flags.reduce((bits, [, bit]) => bits | bit, 0)
    this.compiled = new JavaPattern(source, flags.map(([name]) => name).join('|'))
  }

  get className(): string {
    return 'java.util.regex.Pattern'
  }

  override toText(): string {
    return this.source
  }

  /**
   * Matches, and counts the time that takes as turns of loops: a thousand a millisecond.
   *
   * @throws {ScriptLimit} circuit_breaking_exception where it takes too long, which the real server tells by the characters looked at
   */
  timed<T>(text: string, run: ScriptRun, match: () => T): T {
    const started = performance.now()
    let result: T
    try {
      result = match()
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      const limit = LIMIT_FACTOR * text.length
      const reason = `[scripting] Regular expression considered too many characters, pattern: [${this.source}], limit factor: [${LIMIT_FACTOR}], char limit: [${limit}], count: [${limit + 1}], wrapped: [${text}], this limit can be changed by changed by the [script.painless.regex.limit-factor] setting`
      throw new ScriptLimit('circuit_breaking_exception', reason)
    }
    run.step(Math.floor((performance.now() - started) * 1_000))
    return result
  }

  matcher(text: string): ScriptMatcher {
    return new ScriptMatcher(this, text)
  }

  /** Takes a text apart at the matches, as Java does: empty parts at the end go where no limit is given. */
  split(text: string, limit: number, run: ScriptRun): string[] {
    const parts: string[] = []
    let from = 0
    for (const { index, 0: found } of this.timed(text, run, () => this.compiled.matches(text))) {
      if (limit > 0 && parts.length === limit - 1) break
      if (index === 0 && found === '') continue
      parts.push(text.slice(from, index))
      from = index + found.length
    }
    parts.push(text.slice(from))
    if (limit === 0) while (parts.length > 1 && parts.at(-1) === '') parts.pop()
    run.allocate(parts.length * 24)
    return parts
  }
}

/** Java's `Matcher`: a pattern on its way through a text. */
export class ScriptMatcher extends ScriptObject {
  readonly pattern: ScriptPattern
  readonly text: string
  #found: readonly RegExpExecArray[] | undefined
  #match: RegExpExecArray | undefined
  /** Where the next match may begin. */
  #from = 0

  constructor(pattern: ScriptPattern, text: string) {
    super()
    this.pattern = pattern
    this.text = text
  }

  get className(): string {
    return 'java.util.regex.Matcher'
  }

  override toText(): string {
    const last = this.#match?.[0] ?? ''
    return `java.util.regex.Matcher[pattern=${this.pattern.source} region=0,${this.text.length} lastmatch=${last}]`
  }

  find(run: ScriptRun): boolean {
    const match = this.all(run).find(({ index }) => index >= this.#from)
    // Behind an empty match the same place is not looked at again.
    if (match !== undefined) this.#from = match.index + Math.max(1, match[0].length)
    return this.#at(match)
  }

  matches(run: ScriptRun): boolean {
    return this.#at(this.#timed(run, (text, compiled) => compiled.wholeMatch(text)))
  }

  lookingAt(run: ScriptRun): boolean {
    return this.#at(this.#timed(run, (text, compiled) => compiled.firstMatch(text)))
  }

  /** Begins anew. */
  reset(from = 0): this {
    if (from < 0 || from > this.text.length) throw fault('IndexOutOfBoundsException', 'Illegal start index')
    this.#match = undefined
    this.#from = from
    return this
  }

  /** All that `find` finds. */
  all(run: ScriptRun): readonly RegExpExecArray[] {
    this.#found ??= this.#timed(run, (text, compiled) => compiled.matches(text))
    return this.#found
  }

  /** What a group matched; null where it took no part. @throws {ScriptFault} illegal_state_exception, index_out_of_bounds_exception */
  group(group: number): { readonly text: string; readonly start: number } | null {
    if (this.#match === undefined) throw fault('IllegalStateException', 'No match found')
    const { compiled } = this.pattern
    if (group < 0 || group > compiled.groupCount) throw fault('IndexOutOfBoundsException', `No group ${group}`)
    return compiled.group(this.#match, group) ?? null
  }

  /** Goes to a match. */
  go(match: RegExpExecArray): this {
    this.#match = match
    return this
  }

  #timed<T>(run: ScriptRun, match: (text: string, compiled: JavaPattern) => T): T {
    return this.pattern.timed(this.text, run, () => match(this.text, this.pattern.compiled))
  }

  #at(match: RegExpExecArray | undefined): boolean {
    this.#match = match
    return match !== undefined
  }
}
