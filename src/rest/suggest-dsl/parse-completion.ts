import type { RegexpOptions } from '../../engine/analysis/lucene-regexp.ts'
import type { EngineVersion } from '../../engine/engine-version.ts'
import type { CompletionSuggestion, FuzzyCompletion } from '../../engine/suggest/completion-suggester.ts'
import { ServiceError } from '../../errors.ts'
import { illegalArgument } from '../../illegal-argument.ts'
import { isObject } from '../../is-object.ts'
import { tokenName } from '../../token-name.ts'
import type { JsonValue } from '../body/parse-json.ts'
import { readFloat } from '../body/read-float.ts'
import { readInt } from '../body/read-int.ts'
import { parseObject } from '../query-dsl/object-parser.ts'
import { commonOf, positiveSize } from './common-members.ts'
import type { SuggesterScope, SuggestTexts } from './suggester-scope.ts'

/** Reads a `completion` suggester. @throws {ServiceError} x_content_parse_exception, parse_exception */
export function parseCompletion(
  json: { readonly [name: string]: JsonValue },
  { dialect, late, queries: { warnings } }: SuggesterScope,
): (texts: SuggestTexts) => CompletionSuggestion {
  const isLegacy = dialect.typed
  const members = parseObject(
    'completion',
    json,
    {
      fuzzy: { kind: 'switch', read: (value: JsonValue) => readFuzzy(value, dialect.engineVersion) },
      regex: { kind: 'object', read: (value: JsonValue) => readRegexp(value, isLegacy) },
      field: 'text',
      analyzer: 'text',
      size: { kind: 'int', read: positiveSize },
      shard_size: 'int',
      contexts: 'object',
      context: 'object',
      skip_duplicates: 'boolean',
    },
    isLegacy,
  )
  if (members['context'] !== undefined) warnings?.note('context_member')
  const common = commonOf(members, late)
  const regexp = members['regex'] as RegexpOptions | undefined
  return ({ text, prefix, regex }) => {
    const beginning = prefix ?? text
    return {
      kind: 'completion',
      text: beginning ?? regex,
      isRegexp: beginning === undefined && regex !== undefined,
      ...(regexp === undefined ? {} : { regexp }),
      ...common,
      skipDuplicates: (members['skip_duplicates'] ?? false) as boolean,
      fuzzy: members['fuzzy'] as FuzzyCompletion | undefined,
      contexts: (members['contexts'] ?? members['context']) as CompletionSuggestion['contexts'],
      hearNoContext: warnings && (() => warnings.note('no_context')),
    }
  }
}

function notNegative(name: string): { readonly kind: 'int'; readonly read: (number: number) => number } {
  const read = (number: number): number => {
    if (number >= 0) return number
    throw illegalArgument(`${name} must not be negative`)
  }
  return { kind: 'int', read }
}

function readFuzzy(json: JsonValue, engineVersion: EngineVersion): FuzzyCompletion | undefined {
  if (json === false) return undefined
  const members = parseObject(
    'fuzzy',
    isObject(json) ? json : {},
    {
      min_length: notNegative('fuzzyMinLength'),
      max_determinized_states: notNegative('maxDeterminizedStates'),
      unicode_aware: 'boolean',
      prefix_length: notNegative('fuzzyPrefixLength'),
      transpositions: 'boolean',
      fuzziness: { kind: 'value', read: (value: JsonValue) => readEdits(value, engineVersion === 'OpenSearch_2.19') },
    },
    engineVersion === 'Elasticsearch_6.8',
  )
  return {
    edits: (members['fuzziness'] ?? 1) as number,
    transpositions: (members['transpositions'] ?? true) as boolean,
    minLength: (members['min_length'] ?? 3) as number,
    prefixLength: (members['prefix_length'] ?? 1) as number,
    isUnicodeAware: (members['unicode_aware'] ?? false) as boolean,
  }
}

/** As long as the real servers think a text is that they do not ask for how many edits are `AUTO` for it. */
const USUAL_LENGTH = 5

/** A fuzziness, whatever text there is to be. */
function readEdits(value: JsonValue, isOpenSearch: boolean): number {
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'bigint')
    throw illegalArgument(`Can't parse fuzziness on token: [${tokenName(value)}]`)
  const auto = /^AUTO(?::(\d+),(\d+))?$/i.exec(String(value))
  if (auto !== null) {
    const [, low = 3, high = 6] = auto
    return USUAL_LENGTH < Number(low) ? 0 : USUAL_LENGTH < Number(high) ? 1 : 2
  }
  if (isOpenSearch && (value === '' || !(Number(value) >= 0)))
    throw illegalArgument(`Invalid fuzziness value: ${value}`)
  if (value === '') throw illegalArgument("fuzziness can't be null!")
  const edits = Math.min(2, Math.trunc(readFloat(typeof value === 'string' ? value.toUpperCase() : value)))
  if (edits < 0) throw illegalArgument('fuzziness must be between 0 and 2')
  return edits
}

/** How a regular expression is read. */
function readRegexp(json: JsonValue, isLegacy: boolean): RegexpOptions {
  const flags = { kind: 'value', read: (value: JsonValue) => readFlags(value, isLegacy) } as const
  const shape = { max_determinized_states: notNegative('maxDeterminizedStates'), flags, flags_value: flags }
  const members = parseObject('regex', json, shape, isLegacy)
  const named = (members['flags_value'] ?? members['flags']) as string | undefined
  const maxStates = members['max_determinized_states'] as number | undefined
  return { ...(named === undefined ? {} : { flags: named }), ...(maxStates === undefined ? {} : { maxStates }) }
}

/** Flags by the bit that stands for each; `AUTOMATON` cannot be named. */
const FLAG_BITS = ['INTERSECTION', 'COMPLEMENT', 'EMPTY', 'ANYSTRING', undefined, 'INTERVAL'] as const
const REGEXP_FLAGS: readonly string[] = [...FLAG_BITS.flatMap((flag) => flag ?? []), 'NONE', 'ALL']

function readFlags(value: JsonValue, isLegacy: boolean): string {
  if (typeof value === 'number' || typeof value === 'bigint') return flagsOfBits(readInt(value, isLegacy))
  if (typeof value !== 'string') throw new ServiceError('parse_exception', 'regex flags supports string or number')
  const isKnown = value.split('|').every((name) => name === '' || REGEXP_FLAGS.includes(name.toUpperCase()))
  if (!isKnown) throw illegalArgument(`Unknown regexp flag [${value}]`)
  return value
}

function flagsOfBits(bits: number): string {
  const names = FLAG_BITS.filter((flag, i) => flag !== undefined && (bits & (1 << i)) !== 0)
  return names.length === 0 ? 'NONE' : names.join('|')
}
