import { ServiceError } from '../../errors.ts'
import { mix64, murmur32 } from '../murmur.ts'
import { luceneRegexp } from '../search/terms/lucene-regexp.ts'
import type { StringInput } from './string-input.ts'
import type { ValueFormat } from './value-format.ts'

/** Which terms a terms aggregation takes. */
export interface IncludeExclude {
  /** A Lucene regular expression, or exact values. */
  readonly include?: string | readonly (string | number | bigint | boolean)[]
  readonly exclude?: string | readonly (string | number | bigint | boolean)[]
  readonly partition?: { readonly partition: number; readonly count: number }
}

const PARTITION_SEED = 31

/**
 * Which global ordinals of a string field are taken, as one byte each.
 *
 * @throws {ServiceError} aggregation_execution_exception for regular expressions over addresses
 */
export function acceptedOrdinals(
  filter: IncludeExclude,
  input: StringInput,
  parse: (text: string) => Uint8Array,
  name: string,
): Uint8Array {
  if (input.isIp && (typeof filter.include === 'string' || typeof filter.exclude === 'string')) {
    throw new ServiceError(
      'aggregation_execution_exception',
      `Aggregation [${name}] cannot support regular expression style include/exclude settings as they can only be applied to string fields. Use an array of values for include/exclude clauses`,
      { inQueryPhase: true, status: 500 },
    )
  }
  const accepted = new Uint8Array(input.size)
  const { include, exclude, partition } = filter
  if (partition !== undefined) {
    for (let ordinal = 0; ordinal < input.size; ordinal++) {
      const hash = murmur32(input.term(ordinal), PARTITION_SEED)
      accepted[ordinal] = ((hash % partition.count) + partition.count) % partition.count === partition.partition ? 1 : 0
    }
    return accepted
  }
  const included = stringTest(include, parse)
  const excluded = stringTest(exclude, parse)
  for (let ordinal = 0; ordinal < input.size; ordinal++) {
    const term = input.term(ordinal)
    const isIn = included === undefined || included(term)
    accepted[ordinal] = isIn && !(excluded?.(term) ?? false) ? 1 : 0
  }
  return accepted
}

function stringTest(
  filter: IncludeExclude['include'],
  parse: (text: string) => Uint8Array,
): ((term: Uint8Array) => boolean) | undefined {
  if (filter === undefined) return undefined
  const text = (term: Uint8Array): string => Buffer.from(term.buffer, term.byteOffset, term.byteLength).toString()
  if (typeof filter === 'string') {
    const matches = luceneRegexp(filter)
    return (term) => matches(text(term))
  }
  const values = new Set(filter.map((value) => Buffer.from(parse(String(value))).toString('latin1')))
  return (term) => values.has(Buffer.from(term.buffer, term.byteOffset, term.byteLength).toString('latin1'))
}

/**
 * Which numbers of a numeric field are taken.
 *
 * @throws {ServiceError} aggregation_execution_exception for regular expressions
 */
export function numberTest(
  filter: IncludeExclude,
  name: string,
  format: ValueFormat,
  isFloating: boolean,
  now: number,
): (value: number) => boolean {
  const { include, exclude, partition } = filter
  if (typeof include === 'string' || typeof exclude === 'string') {
    throw new ServiceError(
      'aggregation_execution_exception',
      `Aggregation [${name}] cannot support regular expression style include/exclude settings as they can only be applied to string fields. Use an array of numeric values for include/exclude clauses used to filter numeric fields`,
      { inQueryPhase: true },
    )
  }
  if (partition !== undefined) {
    const bits = new DataView(new ArrayBuffer(8))
    return (value) => {
      if (isFloating) bits.setFloat64(0, value)
      else bits.setBigInt64(0, BigInt(value))
      const count = BigInt(partition.count)
      const hash = BigInt.asIntN(64, mix64(bits.getBigUint64(0)))
      return ((hash % count) + count) % count === BigInt(partition.partition)
    }
  }
  const numbers = (values: readonly (string | number | bigint | boolean)[]): Set<number> =>
    new Set(values.map((value) => (typeof value === 'number' ? value : format.parse(String(value), false, now))))
  const included = include === undefined ? undefined : numbers(include)
  const excluded = exclude === undefined ? undefined : numbers(exclude)
  return (value) => (included === undefined || included.has(value)) && !(excluded?.has(value) ?? false)
}
