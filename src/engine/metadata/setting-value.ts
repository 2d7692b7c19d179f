import { ServiceError } from '../../errors.ts'
import { illegalArgument } from '../../illegal-argument.ts'
import { parseBoolean } from '../../parse-boolean.ts'
import type { EngineVersion } from '../engine-version.ts'
import { javaTrim, parseJavaDouble, parseJavaInteger } from '../java/java-number.ts'
import { javaDouble } from '../java/java-number-text.ts'
import { parseByteSize } from './byte-size-value.ts'
import { listedValues } from './listed-values.ts'
import { parseTimeMs } from './time-value.ts'

/** How a setting's value is read, and what else is asked of it (of each of a list). */
export type SettingKind = ReadKind & { readonly check?: SettingCheck }

/** @throws {ServiceError} for a value that is not allowed */
export type SettingCheck = (value: string, name: string, version: EngineVersion) => void

type ReadKind =
  | { readonly kind: 'boolean' }
  | { readonly kind: 'integer' | 'long' | 'double'; readonly min?: number; readonly max?: number }
  /** `500ms`, `1s`, `-1`. `min` and `max` as messages show them. */
  | { readonly kind: 'time'; readonly min?: string; readonly max?: string }
  /** `10mb`, `-1`. `min` in bytes, `max` as messages show it. */
  | { readonly kind: 'bytes'; readonly min?: number; readonly max?: string }
  /** A size or a part of the heap or disk: `10mb`, `60%`. */
  | { readonly kind: 'memory' }
  | { readonly kind: 'text' }
  | { readonly kind: 'list' }

/** Values of which nothing else is asked. */
export const BOOLEAN: SettingKind = { kind: 'boolean' }
export const TIME: SettingKind = { kind: 'time' }
export const BYTES: SettingKind = { kind: 'bytes' }
export const TEXT: SettingKind = { kind: 'text' }
export const LIST: SettingKind = { kind: 'list' }

/**
 * Checks a value.
 *
 * @throws {ServiceError} illegal_argument_exception, in the real server's words
 */
export function checkSettingValue(
  name: string,
  value: string | readonly string[],
  kind: SettingKind,
  version: EngineVersion,
): void {
  if (kind.kind === 'list') {
    for (const item of listedValues(value)) kind.check?.(item, name, version)
    return
  }
  const text = typeof value === 'string' ? value : `[${value.join(', ')}]`
  readAs(kind, name, text, version)
  kind.check?.(text, name, version)
}

function readAs(kind: ReadKind, name: string, text: string, version: EngineVersion): void {
  switch (kind.kind) {
    case 'boolean':
      parseBoolean(text)
      return
    case 'integer':
    case 'long':
    case 'double':
      checkNumber(name, text, kind, version)
      return
    case 'time':
      checkTime(name, text, kind)
      return
    case 'bytes':
      checkSize(name, text, version, kind)
      return
    case 'memory':
      if (text.endsWith('%')) checkPercentage(text.slice(0, -1))
      else parseSizeSetting(name, text, version)
  }
}

function checkTime(name: string, text: string, { min, max }: { readonly min?: string; readonly max?: string }): void {
  const ms = parseTimeMs(text, name)
  if (min !== undefined && ms < parseTimeMs(min, name)) throw tooSmall(name, text, min)
  if (max !== undefined && ms > parseTimeMs(max, name)) throw tooLarge(name, text, max)
}

/**
 * Reads a size ({@link parseByteSize}).
 *
 * @throws {ServiceError} illegal_argument_exception
 */
export function parseSizeSetting(name: string, text: string, version: EngineVersion): number {
  try {
    return parseByteSize(text, name, version)
  } catch (fault) {
    if (!(fault instanceof ServiceError)) throw fault
    if (fault.type === 'parse_exception') throw illegalArgument(fault.reason, fault)
    throw fault.type === 'number_format_exception' ? unparsed(name, text, fault) : fault
  }
}

function checkSize(
  name: string,
  text: string,
  version: EngineVersion,
  { min, max }: { readonly min?: number; readonly max?: string },
): void {
  const size = parseSizeSetting(name, text, version)
  if (min !== undefined && size < min) throw tooSmall(name, text, min === 0 ? '0' : `${min}b`)
  if (max !== undefined && size > parseByteSize(max, name, version)) throw tooLarge(name, text, max)
}

/** Checks a part of the heap, without its sign. */
function checkPercentage(text: string): void {
  const percent = parseJavaDouble(text)
  if (percent !== undefined && !(percent < 0 || percent > 100)) return
  const [reason, cause] =
    percent === undefined
      ? [`failed to parse [${text}] as a double`, notADouble(text)]
      : [`percentage should be in [0-100], got [${text}]`]
  throw illegalArgument(reason, new ServiceError('parse_exception', reason, { cause }))
}

function checkNumber(
  name: string,
  text: string,
  kind: { readonly kind: 'integer' | 'long' | 'double'; readonly min?: number; readonly max?: number },
  version: EngineVersion,
): void {
  const isDouble = kind.kind === 'double'
  const number = isDouble ? parseJavaDouble(text) : parseJavaInteger(text, kind.kind === 'integer' ? 32 : 64)
  if (number === undefined) throw unparsed(name, text, isDouble ? notADouble(text) : notANumber(text))
  const bound = (limit: number): string => (isDouble ? javaDouble(limit) : String(limit))
  if (kind.min !== undefined && number < kind.min) {
    throw illegalArgument(`Failed to parse value [${text}] for setting [${name}] must be >= ${bound(kind.min)}`)
  }
  const max = kind.max ?? (isDouble && version === 'OpenSearch_2.19' ? Number.MAX_VALUE : Number.POSITIVE_INFINITY)
  if (number > max)
    throw illegalArgument(`Failed to parse value [${text}] for setting [${name}] must be <= ${bound(max)}`)
}

function unparsed(name: string, text: string, cause: ServiceError): ServiceError {
  return illegalArgument(`Failed to parse value [${text}] for setting [${name}]`, cause)
}

function tooSmall(name: string, text: string, least: string): ServiceError {
  return illegalArgument(`failed to parse value [${text}] for setting [${name}], must be >= [${least}]`)
}

function tooLarge(name: string, text: string, most: string): ServiceError {
  return illegalArgument(`failed to parse value [${text}] for setting [${name}], must be <= [${most}]`)
}

/** What Java's `parseDouble` says of what it refuses. */
export function notADouble(text: string): ServiceError {
  const trimmed = javaTrim(text)
  return trimmed === '' ? new ServiceError('number_format_exception', 'empty String') : notANumber(trimmed)
}

function notANumber(text: string): ServiceError {
  return new ServiceError('number_format_exception', `For input string: "${text}"`)
}
