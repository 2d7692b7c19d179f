import { ServiceError } from '../../../errors.ts'
import { latin1Text } from '../../algorithms/latin1-text.ts'
import { mix64, murmur32 } from '../../algorithms/murmur.ts'
import { anyStringAutomaton } from '../../analysis/automaton/basic-automata.ts'
import { complemented, intersected } from '../../analysis/automaton/combine-automata.ts'
import { compileAutomaton } from '../../analysis/automaton/compile-automaton.ts'
import { acceptsNothing } from '../../analysis/automaton/dead-states.ts'
import { determinized } from '../../analysis/automaton/determinize.ts'
import { luceneGeneration } from '../../analysis/automaton/lucene-generation.ts'
import { RunAutomaton } from '../../analysis/automaton/run-automaton.ts'
import { determinizeLimit, regexpAutomaton } from '../../analysis/lucene-regexp.ts'
import { checkRegexLength, MAX_REGEX_LENGTH } from '../../search/queries/regex-length.ts'
import { inQueryPhase } from '../../search/query-phase.ts'
import type { AggregationContext } from '../aggregation-context.ts'
import type { StringInput } from '../values/string-input.ts'
import { UNSIGNED_FORMAT, type ValueFormat } from '../values/value-format.ts'

/** A long beyond 2^53 as all of its digits, any other number as such. */
const longKey = (value: number | bigint): number | bigint => {
  const double = Number(value)
  return Number.isSafeInteger(double) || !Number.isInteger(double) ? double : BigInt(value)
}

const MAX_LONG = 2n ** 63n - 1n
const MAX_UNSIGNED = 2n ** 64n - 1n

/** A whole number beyond 2^53 that a list names, as near as its field comes to it; undefined: any other value. */
function largeLong(text: string, format: ValueFormat): bigint | undefined {
  const isUnsigned = format === UNSIGNED_FORMAT
  if (!(format.isRaw || isUnsigned) || !/^-?\d{16,20}$/.test(text)) return undefined
  const value = BigInt(text)
  if (Number.isSafeInteger(Number(value))) return undefined
  if (isUnsigned) return value < 0n || value > MAX_UNSIGNED ? undefined : value
  return value > MAX_LONG ? MAX_LONG : value < -MAX_LONG - 1n ? -MAX_LONG - 1n : value
}

/** Which terms a terms aggregation takes. */
export interface IncludeExclude {
  /** A Lucene regular expression, or exact values. */
  readonly include?: string | readonly (string | number | bigint | boolean)[]
  readonly exclude?: string | readonly (string | number | bigint | boolean)[]
  readonly partition?: { readonly partition: number; readonly count: number }
}

const PARTITION_SEED = 31

/** Whether terms are chosen by regular expressions, which only strings can be. */
export function hasExpressions(filter: IncludeExclude | undefined): boolean {
  return typeof filter?.include === 'string' || typeof filter?.exclude === 'string'
}

/**
 * Which global ordinals of a string field are taken, as one byte each.
 *
 * @param options.forCaller  of what takes regular expressions for the caller's fault: all but `terms` since 7.x
 * @throws {ServiceError} aggregation_execution_exception or illegal_argument_exception for regular expressions over addresses
 */
export function acceptedOrdinals(
  filter: IncludeExclude,
  input: StringInput,
  parse: (text: string) => Uint8Array,
  {
    name,
    context,
    forCaller,
  }: { readonly name: string; readonly context: AggregationContext; readonly forCaller: boolean },
): Uint8Array {
  if (input.isIp && hasExpressions(filter)) {
    throw noExpressions(name, forCaller, 'values for include/exclude clauses')
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
  if (typeof include === 'string' || typeof exclude === 'string') {
    const matches = inQueryPhase(() => patternTest(include, exclude, context))
    for (let ordinal = 0; ordinal < input.size; ordinal++) {
      const term = input.term(ordinal)
      const text = Buffer.from(term.buffer, term.byteOffset, term.byteLength).toString()
      accepted[ordinal] = matches(text) ? 1 : 0
    }
    return accepted
  }
  const included = valueTest(include, parse)
  const excluded = valueTest(exclude, parse)
  for (let ordinal = 0; ordinal < input.size; ordinal++) {
    const term = input.term(ordinal)
    const isIn = included === undefined || included(term)
    accepted[ordinal] = isIn && !(excluded?.(term) ?? false) ? 1 : 0
  }
  return accepted
}

/** Refuses regular expressions, and says what to use an array of. */
function noExpressions(name: string, forCaller: boolean, instead: string): ServiceError {
  return new ServiceError(
    forCaller ? 'illegal_argument_exception' : 'aggregation_execution_exception',
    `Aggregation [${name}] cannot support regular expression style include/exclude settings as they can only be applied to string fields. Use an array of ${instead}`,
    // The official test suite asks for the server's own fault.
    forCaller ? { inQueryPhase: true } : { inQueryPhase: true, status: 500 },
  )
}

/**
 * What texts are taken by regular expressions: those of one that are not of the other.
 *
 * @param include  anything but an expression: all texts
 * @param exclude  anything but an expression: none
 * @throws {ServiceError} illegal_argument_exception for bad syntax, too_complex_to_determinize_exception
 */
export function patternTest(
  include: IncludeExclude['include'],
  exclude: IncludeExclude['exclude'],
  { engineVersion, searchers }: AggregationContext,
): (text: string) => boolean {
  if (engineVersion === 'OpenSearch_2.19') {
    const most = Math.min(...searchers.map((searcher) => searcher.limit(MAX_REGEX_LENGTH, 1_000)))
    for (const regex of [include, exclude]) if (typeof regex === 'string') checkRegexLength(regex, 'request', most)
  }
  const lucene = luceneGeneration(engineVersion)
  const limit = determinizeLimit(lucene)
  const automaton = compileAutomaton(
    () => {
      const included = typeof include === 'string' ? regexpAutomaton(include, { lucene }) : anyStringAutomaton()
      if (typeof exclude !== 'string') return included
      const excluded = regexpAutomaton(exclude, { lucene })
      if (acceptsNothing(included) || acceptsNothing(excluded)) return included
      return intersected(included, complemented(determinized(excluded, limit)))
    },
    limit,
    { looksForEnd: false },
  )
  const run = new RunAutomaton(automaton)
  return (text) => run.matches(text)
}

function valueTest(
  values: Exclude<IncludeExclude['include'], string>,
  parse: (text: string) => Uint8Array,
): ((term: Uint8Array) => boolean) | undefined {
  if (values === undefined) return undefined
  const known = new Set(values.map((value) => latin1Text(parse(String(value)))))
  return (term) => known.has(latin1Text(term))
}

/**
 * Which numbers of a numeric field are taken.
 *
 * @param forCaller  of what takes regular expressions for the caller's fault: all but `terms` since 7.x
 * @throws {ServiceError} aggregation_execution_exception or illegal_argument_exception for regular expressions
 */
export function numberTest(
  filter: IncludeExclude,
  name: string,
  format: ValueFormat,
  isFloating: boolean,
  now: number,
  forCaller = false,
): (value: number | bigint) => boolean {
  const { include, exclude, partition } = filter
  if (typeof include === 'string' || typeof exclude === 'string') {
    throw noExpressions(name, forCaller, 'numeric values for include/exclude clauses used to filter numeric fields')
  }
  if (partition !== undefined) {
    const bits = new DataView(new ArrayBuffer(8))
    return (value) => {
      if (isFloating) bits.setFloat64(0, Number(value))
      else bits.setBigUint64(0, BigInt.asUintN(64, BigInt(value)))
      const count = BigInt(partition.count)
      // Doubles are hashed as longs of the same order.
      const flipped = isFloating && value < 0 ? 0x7fff_ffff_ffff_ffffn : 0n
      const hash = BigInt.asIntN(64, mix64(bits.getBigUint64(0) ^ flipped))
      return ((hash % count) + count) % count === BigInt(partition.partition)
    }
  }
  const among = (values: readonly (string | number | bigint | boolean)[]): ((value: number | bigint) => boolean) => {
    const read = values.map((value) => {
      const text = String(value)
      const long = isFloating ? undefined : largeLong(text, format)
      if (long !== undefined) return long
      const number = format.parse(text, false, now)
      return isFloating ? number : Math.trunc(number)
    })
    const numbers = new Set<number | bigint>(read)
    // Sets do not tell the zeros of floats apart.
    const isMinus = (value: number | bigint): boolean => isFloating && Object.is(value, -0)
    const zeros = new Set(read.filter((value) => value === 0).map(isMinus))
    return (value) =>
      value === 0 ? zeros.has(isMinus(value)) : numbers.has(isFloating ? Number(value) : longKey(value))
  }
  // To take none of them is to take all.
  const included = include === undefined || include.length === 0 ? undefined : among(include)
  const excluded = exclude === undefined ? undefined : among(exclude)
  return (value) => included?.(value) !== false && excluded?.(value) !== true
}
