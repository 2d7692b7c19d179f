import { type Long, longOf } from '../../engine/algorithms/long.ts'
import { parseJavaDouble, parseJavaInteger } from '../../engine/java/java-number.ts'
import { ServiceError } from '../../errors.ts'
import { illegalArgument } from '../../illegal-argument.ts'
import { parseBoolean } from '../../parse-boolean.ts'
import { didYouMean } from '../body/did-you-mean.ts'

/** Parameters that every endpoint takes. */
export const COMMON_PARAMETERS: ReadonlySet<string> = new Set([
  'pretty',
  'human',
  'error_trace',
  'filter_path',
  'format',
])

/** A request's query parameters, read by type with the real server's complaints. */
export class RequestParameters {
  /** As received. */
  readonly values: ReadonlyMap<string, string>

  constructor(values: ReadonlyMap<string, string>) {
    this.values = values
  }

  has(name: string): boolean {
    return this.values.has(name)
  }

  names(): Iterable<string> {
    return this.values.keys()
  }

  text(name: string): string | undefined
  text(name: string, fallback: string): string
  text(name: string, fallback?: string): string | undefined {
    return this.values.get(name) ?? fallback
  }

  /** `true`, `false`, bare (true) or of blanks (as if it was not there). @throws {ServiceError} illegal_argument_exception */
  boolean(name: string, fallback: boolean): boolean {
    const value = this.values.get(name)
    if (value === undefined) return fallback
    if (value === '') return true
    return value.trim() === '' ? fallback : parseBoolean(value)
  }

  /** @throws {ServiceError} illegal_argument_exception with the number's complaint as cause */
  integer(name: string): number | undefined
  integer(name: string, fallback: number): number
  integer(name: string, fallback?: number): number | undefined {
    const number = this.#number(name, 'int', readInt)
    return number === undefined ? fallback : Number(number)
  }

  /** @throws {ServiceError} as {@link integer} */
  long(name: string): Long | undefined {
    const number = this.#number(name, 'long', readLong)
    return number === undefined ? undefined : longOf(number)
  }

  /** A 32-bit number. @throws {ServiceError} as {@link integer} */
  float(name: string): number | undefined {
    const number = this.#number(name, 'float', parseJavaDouble)
    return number === undefined ? undefined : Math.fround(number)
  }

  #number<T>(name: string, type: string, read: (text: string) => T | undefined): T | undefined {
    const value = this.values.get(name)
    if (value === undefined) return undefined
    const number = read(value)
    if (number === undefined) throw unreadable(name, type, value)
    return number
  }

  /** A comma list; undefined when absent. */
  list(name: string): readonly string[] | undefined {
    const value = this.values.get(name)
    return value === undefined ? undefined : value.split(',').filter((v) => v !== '')
  }

  /** One of a few words. @throws {ServiceError} illegal_argument_exception */
  choice<T extends string>(name: string, choices: readonly T[], complaint: (value: string) => string): T | undefined {
    const value = this.values.get(name)
    if (value === undefined) return undefined
    const found = choices.find((c) => c === value.toLowerCase())
    if (found === undefined) throw illegalArgument(complaint(value))
    return found
  }
}

const readInt = (text: string): bigint | undefined => parseJavaInteger(text, 32)
const readLong = (text: string): bigint | undefined => parseJavaInteger(text, 64)

function unreadable(name: string, type: string, value: string): ServiceError {
  const reason = `Failed to parse ${type} parameter [${name}] with value [${value}]`
  const isEmpty = type === 'float' && value.trim() === ''
  const cause = new ServiceError('number_format_exception', isEmpty ? 'empty String' : `For input string: "${value}"`)
  return illegalArgument(reason, cause)
}

/** Complains of parameters (metrics, index metrics) an endpoint does not know, with the nearest it does. */
export function unrecognizedParameters(
  path: string,
  unknown: readonly string[],
  known: readonly string[],
  what: 'parameter' | 'metric' | 'index metric' = 'parameter',
): ServiceError {
  const parts = [...unknown].sort().map((name) => {
    const near = didYouMean(name, known)
    return near === '' ? `[${name}]` : `[${name}] ->${near}`
  })
  return illegalArgument(
    `request [${path}] contains unrecognized ${what}${unknown.length > 1 ? 's' : ''}: ${parts.join(', ')}`,
  )
}
