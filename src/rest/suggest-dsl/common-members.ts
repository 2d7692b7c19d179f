import { ServiceError } from '../../errors.ts'
import { illegalArgument } from '../../illegal-argument.ts'
import type { JsonValue } from '../body/parse-json.ts'
import { readInt } from '../body/read-int.ts'
import { tokenText } from '../body/token-text.ts'
import type { LateFaults } from './late-faults.ts'
import type { SuggesterScope, SuggestTexts } from './suggester-scope.ts'

/** Reads a member's value. @throws {ServiceError} */
export type MemberReader = (value: JsonValue) => unknown

/** What a suggester was told, by its members' names. */
export type SuggesterMembers = Readonly<Record<string, unknown>>

/** The members that `term` and `phrase` share. */
export function commonMembers({ dialect }: SuggesterScope): Readonly<Record<string, MemberReader>> {
  return {
    analyzer: tokenText,
    field: tokenText,
    size: (value) => positiveSize(readInt(value, dialect.typed)),
    shard_size: (value) => readInt(value, dialect.typed),
  }
}

/** @throws {ServiceError} illegal_argument_exception */
export function positiveSize(size: number): number {
  if (size > 0) return size
  throw illegalArgument('size must be positive')
}

/** The field, analyzer and sizes that all suggesters have. @throws {ServiceError} parse_exception without a field */
export function commonOf(
  members: SuggesterMembers,
  late: LateFaults,
): {
  readonly field: string
  readonly analyzer: string | undefined
  readonly size: number
  readonly shardSize: number
} {
  const field = members['field'] as string | undefined
  if (field === undefined) throw new ServiceError('parse_exception', 'the required field option [field] is missing')
  if (field === '') throw illegalArgument('suggestion field name is empty')
  const size = (members['size'] ?? 5) as number
  const shardSize = (members['shard_size'] ?? Math.max(size, 5)) as number
  if (shardSize <= 0) late.note(illegalArgument(`ShardSize must be positive but was: ${shardSize}`))
  return { field, analyzer: members['analyzer'] as string | undefined, size, shardSize }
}

/** The text that words are taken from. */
export const textOf = ({ text, prefix, regex }: SuggestTexts): string => text ?? prefix ?? regex ?? ''
