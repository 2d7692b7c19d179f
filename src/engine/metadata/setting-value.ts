import { ServiceError } from '../../errors.ts'
import { parseBoolean } from '../../parse-boolean.ts'
import { parseTimeMs } from './time-value.ts'

/** How a setting's value is read. */
export type SettingKind =
  | { readonly kind: 'boolean' }
  | { readonly kind: 'integer' | 'long' | 'double'; readonly min?: number; readonly max?: number }
  /** `500ms`, `1s`, `-1`. */
  | { readonly kind: 'time'; readonly minMs?: number }
  /** `10mb`, `-1`. */
  | { readonly kind: 'bytes' }
  /** A size or a part of the heap or disk: `10mb`, `60%`. */
  | { readonly kind: 'memory' }
  | { readonly kind: 'text'; readonly check?: (value: string, name: string) => void }
  | { readonly kind: 'list' }

const SIZE_UNITS: readonly (readonly [suffix: string, bytes: number])[] = [
  ['kb', 2 ** 10],
  ['mb', 2 ** 20],
  ['gb', 2 ** 30],
  ['tb', 2 ** 40],
  ['pb', 2 ** 50],
  ['k', 2 ** 10],
  ['m', 2 ** 20],
  ['g', 2 ** 30],
  ['t', 2 ** 40],
  ['p', 2 ** 50],
  ['b', 1],
]

/**
 * Checks a value.
 *
 * @throws {ServiceError} illegal_argument_exception, in the real server's words
 */
export function checkSettingValue(name: string, value: string | readonly string[], kind: SettingKind): void {
  if (kind.kind === 'list') return
  const text = typeof value === 'string' ? value : `[${value.join(', ')}]`
  switch (kind.kind) {
    case 'boolean':
      parseBoolean(text)
      return
    case 'integer':
    case 'long':
    case 'double':
      checkNumber(name, text, kind)
      return
    case 'time': {
      const ms = parseTimeMs(text, name)
      if (kind.minMs !== undefined && ms < kind.minMs) {
        throw illegal(`failed to parse value [${text}] for setting [${name}], must be >= [${kind.minMs}ms]`)
      }
      return
    }
    case 'bytes':
      parseSizeSetting(name, text)
      return
    case 'memory':
      if (!/^\d+(\.\d+)?%$/.test(text)) parseSizeSetting(name, text)
      return
    case 'text':
      kind.check?.(text, name)
  }
}

/**
 * Reads a size.
 *
 * @returns bytes; -1 for «none»
 * @throws {ServiceError} illegal_argument_exception
 */
export function parseSizeSetting(name: string, text: string): number {
  const trimmed = text.trim().toLowerCase()
  if (trimmed === '-1' || trimmed === '0') return Number(trimmed)
  const unit = SIZE_UNITS.find(([suffix]) => trimmed.endsWith(suffix))
  const digits = unit === undefined ? '' : trimmed.slice(0, trimmed.length - unit[0].length).trim()
  if (unit === undefined) {
    const reason = `failed to parse setting [${name}] with value [${text}] as a size in bytes: unit is missing or unrecognized`
    throw illegal(reason, new ServiceError('parse_exception', reason))
  }
  if (!/^\d+(\.\d+)?$/.test(digits)) {
    const reason = `failed to parse [${text}]`
    throw illegal(reason, new ServiceError('number_format_exception', `For input string: "${digits}"`))
  }
  return Math.floor(Number(digits) * unit[1])
}

function checkNumber(
  name: string,
  text: string,
  kind: { readonly kind: 'integer' | 'long' | 'double'; readonly min?: number; readonly max?: number },
): void {
  const isDouble = kind.kind === 'double'
  const valid = isDouble ? /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/.test(text) : /^[+-]?\d+$/.test(text)
  const number = Number(text)
  const tooLarge = kind.kind === 'integer' && Math.abs(number) > 2147483647
  if (!valid || tooLarge) {
    throw illegal(
      `Failed to parse value [${text}] for setting [${name}]`,
      new ServiceError(
        'number_format_exception',
        text === '' && isDouble ? 'empty String' : `For input string: "${text}"`,
      ),
    )
  }
  const bound = (limit: number): string => (isDouble && Number.isInteger(limit) ? `${limit}.0` : String(limit))
  if (kind.min !== undefined && number < kind.min) {
    throw illegal(`Failed to parse value [${text}] for setting [${name}] must be >= ${bound(kind.min)}`)
  }
  if (kind.max !== undefined && number > kind.max) {
    throw illegal(`Failed to parse value [${text}] for setting [${name}] must be <= ${bound(kind.max)}`)
  }
}

function illegal(reason: string, cause?: ServiceError): ServiceError {
  return new ServiceError('illegal_argument_exception', reason, { cause })
}
