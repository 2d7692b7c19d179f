import { ServiceError } from '../../errors.ts'
import { checkGrowth } from './check-growth.ts'
import { translateJavaPattern } from './java-pattern-syntax.ts'
import { withinTime } from './time-limit.ts'

/** Turns a match into what replaces it. */
export type JavaReplacement = (match: RegExpMatchArray) => string

const FLAGS: Readonly<Record<string, string>> = {
  CASE_INSENSITIVE: 'i',
  MULTILINE: 'm',
  DOTALL: 's',
  UNICODE_CASE: 'u',
  UNICODE_CHARACTER_CLASS: 'U',
  UNIX_LINES: 'd',
  LITERAL: 'l',
  COMMENTS: 'x',
  CANON_EQ: '',
}

/** Longest time a pattern may take on one text: nobody else is served meanwhile. */
const TIME_LIMIT_MS = 250
/** Steps that may be taken without a watch. */
const STEPS_UNWATCHED = 1e7
/** Choices (`?`, `|`) that may be made without one: each may double the work. */
const CHOICES_UNWATCHED = 8

/** How long a text may be so that a pattern surely is done with it soon. */
function harmlessLength(pattern: string): number {
  const count = (what: RegExp) => pattern.match(what)?.length ?? 0
  // A repeated group may take exponential time, a run of repetitions the text's length to the power of their number.
  if (/\)[+*{]/.test(pattern) || count(/[?|]/g) > CHOICES_UNWATCHED) return 0
  return STEPS_UNWATCHED ** (1 / (count(/[+*{]/g) + 1))
}

/** A pattern as java.util.regex reads it, run by JavaScript's engine. */
export class JavaPattern {
  readonly #regexp: RegExp
  readonly #sticky: RegExp
  #whole: RegExp | undefined
  #beginning: RegExp | undefined
  /** Number of groups, the whole match not counted. */
  readonly groupCount: number
  readonly #names: ReadonlyMap<string, number>
  readonly #pattern: string
  /** Longest text that is matched without a watch. */
  readonly #harmlessLength: number

  /**
   * @param flags  Java's names joined by `|`: `CASE_INSENSITIVE|COMMENTS`
   * @throws {ServiceError} illegal_argument_exception for an unknown flag, pattern_syntax_exception for a pattern that
   *   does not compile, or one this engine cannot express
   */
  constructor(pattern: string, flags = '') {
    let letters = ''
    for (const name of flags.split('|').filter((f) => f !== '')) {
      const letter = FLAGS[name.toUpperCase()]
      if (letter === undefined)
        throw new ServiceError('illegal_argument_exception', `Unknown regex flag [${name.toUpperCase()}]`)
      letters += letter
    }
    const translated = translateJavaPattern(pattern, letters)
    try {
      this.#regexp = new RegExp(translated.source, translated.ignoreCase ? 'gdiv' : 'gdv')
      this.#sticky = new RegExp(translated.source, translated.ignoreCase ? 'yiv' : 'yv')
    } catch {
      throw new ServiceError('pattern_syntax_exception', `pattern [${pattern}] does not compile`)
    }
    this.groupCount = translated.groupCount
    this.#names = translated.names
    this.#pattern = pattern
    this.#harmlessLength = harmlessLength(pattern)
  }

  /** All matches, left to right. @throws {ServiceError} illegal_argument_exception when it takes too long */
  matches(text: string): readonly RegExpExecArray[] {
    return this.#watched(text, () => [...text.matchAll(this.#regexp)])
  }

  /** The same, one after the other where that needs no watch: a long text may have millions. @throws as {@link matches} */
  each(text: string): Iterable<RegExpExecArray> {
    return text.length <= this.#harmlessLength ? text.matchAll(this.#regexp) : this.matches(text)
  }

  /** The match of the whole text; undefined: there is none. */
  wholeMatch(text: string): RegExpExecArray | undefined {
    // Java backtracks until the end is reached; a look-ahead for the end does the same.
    this.#whole ??= new RegExp(`(?:${this.#sticky.source})(?![\\s\\S])`, `${this.#sticky.flags}d`)
    return this.#matchAt(this.#whole, text)
  }

  /** A match at the text's beginning; undefined: there is none. */
  firstMatch(text: string): RegExpExecArray | undefined {
    this.#beginning ??= new RegExp(this.#sticky.source, `${this.#sticky.flags}d`)
    return this.#matchAt(this.#beginning, text)
  }

  /** The number of a group by its name; undefined: there is none. */
  groupNamed(name: string): number | undefined {
    return this.#names.get(name)
  }

  #matchAt(sticky: RegExp, text: string): RegExpExecArray | undefined {
    sticky.lastIndex = 0
    return this.#watched(text, () => sticky.exec(text)) ?? undefined
  }

  #watched<T>(text: string, match: () => T): T {
    if (text.length <= this.#harmlessLength) return match()
    const result = withinTime(TIME_LIMIT_MS, match)
    if (result !== undefined) return result.value
    throw new ServiceError(
      'illegal_argument_exception',
      `pattern [${this.#pattern}] takes longer than ${TIME_LIMIT_MS} ms on a text of ${text.length} characters`,
    )
  }

  /** What a group matched, with where it stands; undefined when it took no part. */
  group(match: RegExpExecArray, group: number): { readonly text: string; readonly start: number } | undefined {
    if (group === 0) return { text: match[0], start: match.index }
    const text = match.groups?.[`g${group}`]
    if (text === undefined) return undefined
    return { text, start: match.indices?.groups?.[`g${group}`]?.[0] ?? match.index }
  }

  /** Reads a replacement (`$1`, `${name}`, `\$`). @throws {ServiceError} illegal_argument_exception for an unknown group */
  replacement(text: string): JavaReplacement {
    const parts: (string | number)[] = []
    for (let i = 0; i < text.length; i++) {
      const char = text[i] as string
      if (char === '\\') {
        if (++i >= text.length)
          throw new ServiceError('illegal_argument_exception', 'character to be escaped is missing')
        parts.push(text[i] as string)
      } else if (char !== '$') parts.push(char)
      else if (text[i + 1] === '{') {
        const end = text.indexOf('}', i)
        const name = text.slice(i + 2, end < 0 ? undefined : end)
        const number = this.#names.get(name)
        if (end < 0 || number === undefined)
          throw new ServiceError('illegal_argument_exception', `No group with name {${name}}`)
        parts.push(number)
        i = end
      } else {
        const digits = /^\d/.exec(text.slice(i + 1))
        if (digits === null) {
          const why = i + 1 < text.length ? '' : ': group index is missing'
          throw new ServiceError('illegal_argument_exception', `Illegal group reference${why}`)
        }
        let group = Number(digits[0])
        i++
        // Further digits belong to the number as long as there is such a group.
        while (/\d/.test(text[i + 1] ?? '') && group * 10 + Number(text[i + 1]) <= this.groupCount)
          group = group * 10 + Number(text[++i])
        if (group > this.groupCount) throw new ServiceError('index_out_of_bounds_exception', `No group ${group}`)
        parts.push(group)
      }
    }
    return (match) => {
      let made = ''
      for (const part of parts) {
        made += typeof part === 'string' ? part : part === 0 ? match[0] : (match.groups?.[`g${part}`] ?? '')
        checkGrowth(made.length - match[0].length)
      }
      return made
    }
  }

  /** Replaces the first match or all. @throws {ServiceError} illegal_argument_exception where the text gets much longer */
  replace(text: string, replacement: JavaReplacement, all: boolean): string {
    let out = ''
    let last = 0
    for (const match of this.each(text)) {
      out += text.slice(last, match.index) + replacement(match)
      checkGrowth(out.length - match.index)
      last = match.index + match[0].length
      if (!all) break
    }
    return last === 0 && out === '' ? text : out + text.slice(last)
  }
}
