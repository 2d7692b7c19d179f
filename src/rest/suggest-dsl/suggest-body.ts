import { ServiceError } from '../../errors.ts'
import { isObject } from '../../is-object.ts'
import { parseBoolean } from '../../parse-boolean.ts'
import { tokenName } from '../../token-name.ts'
import type { JsonValue } from '../parse-json.ts'

/** The body of one suggester, read member by member; what was not asked for is refused at the end. */
export class SuggestBody {
  readonly type: string
  readonly #json: { readonly [name: string]: JsonValue }
  readonly #known = new Set<string>()

  constructor(json: { readonly [name: string]: JsonValue }, type: string) {
    this.#json = json
    this.type = type
  }

  raw(...names: readonly string[]): JsonValue | undefined {
    let found: JsonValue | undefined
    for (const name of names) {
      this.#known.add(name)
      if (Object.hasOwn(this.#json, name) && this.#json[name] !== null) found = this.#json[name]
    }
    return found
  }

  string(...names: readonly string[]): string | undefined {
    const value = this.raw(...names)
    if (value === undefined) return undefined
    if (typeof value === 'object') {
      throw illegalSuggest(`[${this.type}] ${names[0]} doesn't support values of type: ${tokenName(value)}`)
    }
    return String(value)
  }

  number(...names: readonly string[]): number | undefined {
    const value = this.string(...names)
    if (value === undefined) return undefined
    const number = Number(value)
    if (value.trim() !== '' && !Number.isNaN(number)) return number
    throw new ServiceError('number_format_exception', `For input string: "${value}"`)
  }

  /** A whole number above 0. */
  positive(...names: readonly string[]): number | undefined {
    const number = this.number(...names)
    if (number === undefined) return undefined
    if (number > 0) return Math.trunc(number)
    throw illegalSuggest(`${names[0]} must be positive`)
  }

  boolean(name: string): boolean | undefined {
    const value = this.raw(name)
    return value === undefined ? undefined : parseBoolean(value)
  }

  object(name: string): { readonly [name: string]: JsonValue } | undefined {
    const value = this.raw(name)
    if (value === undefined || isObject(value)) return value
    throw illegalSuggest(`[${this.type}] ${name} doesn't support values of type: ${tokenName(value)}`)
  }

  /** @throws {ServiceError} for a member nobody asked for */
  end(): void {
    for (const name of Object.keys(this.#json)) {
      if (!this.#known.has(name)) {
        throw new ServiceError('parsing_exception', `suggester[${this.type}] doesn't support field [${name}]`).at(
          this.#json,
          name,
        )
      }
    }
  }
}

export function illegalSuggest(reason: string): ServiceError {
  return new ServiceError('illegal_argument_exception', reason)
}

/** A suggestion is asked for without anything to suggest for. */
export function textMissing(): ServiceError {
  return new ServiceError('illegal_argument_exception', 'The required text option is missing', { inQueryPhase: true })
}
