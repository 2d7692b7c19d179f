import type { RegexpOptions } from '../../engine/analysis/lucene-regexp.ts'
import type { CompletionSuggestion, FuzzyCompletion } from '../../engine/suggest/completion-suggester.ts'
import type { CandidateGenerator, PhraseSuggestion } from '../../engine/suggest/phrase-suggester.ts'
import type { NamedSuggestion, Suggestion } from '../../engine/suggest/run-suggestions.ts'
import type { SmoothingModel } from '../../engine/suggest/word-scorer.ts'
import { ServiceError } from '../../errors.ts'
import { isObject } from '../../is-object.ts'
import { failedField } from '../../parse-fault.ts'
import { tokenName } from '../../token-name.ts'
import type { JsonValue } from '../parse-json.ts'
import { unknownField } from '../unknown-field.ts'
import { unknownKey } from '../unknown-key.ts'
import { type CollateScope, readCollate } from './collate.ts'
import { readSpellCheckOptions } from './spell-check-options.ts'
import { illegalSuggest, SuggestBody, textMissing } from './suggest-body.ts'

/**
 * Reads the `suggest` of a search.
 *
 * @throws {ServiceError} parsing_exception, illegal_argument_exception in the real server's words
 */
export function parseSuggest(json: JsonValue, scope: CollateScope): NamedSuggestion[] {
  if (!isObject(json)) throw unknownKey('suggest', json)
  const { text: globalText, ...named } = json
  if (globalText !== undefined && typeof globalText === 'object') throw parsing('[suggest] text must be a string')
  return Object.entries(named).map(([name, definition]) => ({
    name,
    suggestion: parseOne(definition, globalText === undefined ? undefined : String(globalText), scope),
  }))
}

function parseOne(json: JsonValue, globalText: string | undefined, scope: CollateScope): Suggestion {
  if (!isObject(json)) throw parsing(`unexpected token [${tokenName(json)}] after [suggest]`)
  let text = globalText
  let prefix: string | undefined
  let regex: string | undefined
  let found: { readonly type: string; readonly body: { readonly [name: string]: JsonValue } } | undefined
  for (const [field, value] of Object.entries(json)) {
    if (field === 'text') text = scalar(json, field)
    else if (field === 'prefix') prefix = scalar(json, field)
    else if (field === 'regex') regex = scalar(json, field)
    else if (isObject(value)) found = { type: field, body: value }
    else throw parsing(`suggestion does not support [${field}]`).at(json, field)
  }
  if (found === undefined) throw new ServiceError('parse_exception', 'missing suggestion object')
  const { type } = found
  const body = new SuggestBody(found.body, type)
  const wanted = text ?? prefix ?? regex
  const suggestion = ((): Suggestion => {
    switch (type) {
      case 'term':
        return parseTerm(body, wanted)
      case 'phrase':
        return parsePhrase(body, wanted, scope)
      case 'completion':
        return parseCompletion(body, prefix ?? regex ?? text, prefix === undefined && regex !== undefined)
    }
    throw new ServiceError(
      'named_object_not_found_exception',
      scope.dialect.typed
        ? `unable to parse SuggestionBuilder with name [${type}]: parser not found`
        : `unknown field [${type}]`,
    ).at(found.body)
  })()
  body.end()
  return suggestion
}

function scalar(json: { readonly [name: string]: JsonValue }, field: string): string {
  const value = json[field]
  if (typeof value === 'object') throw parsing(`suggestion does not support [${field}]`).at(json, field)
  return String(value)
}

/** The field, analyzer and sizes that all suggesters have. */
function readCommon(
  body: SuggestBody,
  text: string | undefined,
): {
  readonly text: string
  readonly field: string
  readonly analyzer: string | undefined
  readonly size: number
  readonly shardSize: number
} {
  const field = body.string('field')
  if (field === undefined) throw new ServiceError('parse_exception', 'the required field option [field] is missing')
  if (text === undefined) throw textMissing()
  const size = body.positive('size') ?? 5
  const shardSize = body.positive('shard_size') ?? Math.max(size, 5)
  return { text, field, analyzer: body.string('analyzer'), size, shardSize }
}

function parseTerm(body: SuggestBody, text: string | undefined): Suggestion {
  return { kind: 'term', ...readCommon(body, text), ...readSpellCheckOptions(body) }
}

function parsePhrase(body: SuggestBody, text: string | undefined, scope: CollateScope): PhraseSuggestion {
  const common = readCommon(body, text)
  const collate = readCollate(body.raw('collate'), scope)
  const maxErrors = body.number('max_errors') ?? 0.5
  if (maxErrors <= 0) throw illegalSuggest('max_error must be > 0.0')
  const confidence = body.number('confidence') ?? 1
  if (confidence < 0) throw illegalSuggest('confidence must be >= 0.0')
  const realWord = body.number('real_word_error_likelihood') ?? 0.95
  if (realWord <= 0) throw illegalSuggest('real_word_error_likelihood must be > 0.0')
  const highlight = body.object('highlight')
  const generators = body.raw('direct_generator')
  const list = generators === undefined ? [] : Array.isArray(generators) ? generators : [generators]
  return {
    kind: 'phrase',
    ...common,
    maxErrors,
    confidence,
    realWordErrorLikelihood: realWord,
    separator: body.string('separator') ?? ' ',
    gramSize: readGramSize(body),
    forceUnigrams: body.boolean('force_unigrams') ?? true,
    tokenLimit: body.positive('token_limit') ?? 10,
    model: readModel(body.object('smoothing')),
    highlight:
      highlight === undefined
        ? undefined
        : { preTag: String(highlight['pre_tag'] ?? ''), postTag: String(highlight['post_tag'] ?? '') },
    generators: list.length === 0 ? [defaultGenerator(common.field)] : list.map(readGenerator),
    ...(collate === undefined ? {} : { collate }),
  }
}

function readGramSize(body: SuggestBody): number | undefined {
  const size = body.number('gram_size')
  if (size !== undefined && size < 1) throw illegalSuggest('gramSize must be >= 1')
  return size
}

function defaultGenerator(field: string): CandidateGenerator {
  return readGenerator({ field })
}

function readGenerator(json: JsonValue): CandidateGenerator {
  if (!isObject(json)) throw parsing('[direct_generator] must be an object')
  const body = new SuggestBody(json, 'phrase][direct_generator')
  const field = body.string('field')
  if (field === undefined) throw illegalSuggest('[direct_generator] expects exactly one field parameter, but found []')
  const generator: CandidateGenerator = {
    field,
    size: body.positive('size') ?? 5,
    preFilter: body.string('pre_filter'),
    postFilter: body.string('post_filter'),
    ...readSpellCheckOptions(body),
  }
  body.end()
  return generator
}

function readModel(json: { readonly [name: string]: JsonValue } | undefined): SmoothingModel {
  if (json === undefined) return { kind: 'stupid_backoff', discount: 0.4 }
  const [entry] = Object.entries(json)
  const [kind, options] = entry ?? ['', {}]
  const given: { readonly [name: string]: JsonValue } = isObject(options) ? options : {}
  const number = (name: string, fallback: number): number =>
    given[name] === undefined ? fallback : Number(given[name])
  switch (kind) {
    case 'stupid_backoff':
      return { kind, discount: number('discount', 0.4) }
    case 'laplace':
      return { kind, alpha: number('alpha', 0.5) }
    case 'linear': {
      const [trigramLambda, bigramLambda, unigramLambda] = [
        number('trigram_lambda', 0),
        number('bigram_lambda', 0),
        number('unigram_lambda', 0),
      ]
      if (Math.abs(trigramLambda + bigramLambda + unigramLambda - 1) > 0.001) {
        throw illegalSuggest('linear smoothing lambdas must sum to 1')
      }
      return { kind: 'linear_interpolation', trigramLambda, bigramLambda, unigramLambda }
    }
  }
  throw illegalSuggest(`suggester[phrase] doesn't support object field [${kind}]`)
}

function parseCompletion(body: SuggestBody, text: string | undefined, isRegexp: boolean): CompletionSuggestion {
  const { field, size } = readCommon(body, text ?? '')
  const regex = body.object('regex')
  const fuzzy = body.raw('fuzzy')
  return {
    kind: 'completion',
    text,
    isRegexp,
    ...(regex === undefined ? {} : { regexp: readRegexp(regex) }),
    field,
    size,
    skipDuplicates: body.boolean('skip_duplicates') ?? false,
    fuzzy: fuzzy === undefined || fuzzy === false ? undefined : readFuzzy(isObject(fuzzy) ? fuzzy : {}),
    contexts: body.object('contexts') ?? {},
  }
}

/** How a regular expression is read. @throws {ServiceError} x_content_parse_exception */
function readRegexp(json: { readonly [name: string]: JsonValue }): RegexpOptions {
  const unknown = Object.keys(json).find((key) => !['flags', 'flags_value', 'max_determinized_states'].includes(key))
  if (unknown !== undefined) {
    throw unknownField('regex', unknown, true, [], json)
  }
  const body = new SuggestBody(json, 'regex')
  const given = body.raw('flags_value') ?? body.raw('flags')
  const maxStates = body.number('max_determinized_states')
  const flags = typeof given === 'number' ? flagsOfBits(given) : given === undefined ? undefined : String(given)
  const isKnown = flags?.split('|').every((name) => name === '' || REGEXP_FLAGS.includes(name.toUpperCase())) ?? true
  if (!isKnown) {
    throw failedField('regex', 'flags', illegalSuggest(`Unknown regexp flag [${flags}]`))
  }
  return { ...(flags === undefined ? {} : { flags }), ...(maxStates === undefined ? {} : { maxStates }) }
}

/** Flags by the bit that stands for each; `AUTOMATON` cannot be named. */
const FLAG_BITS = ['INTERSECTION', 'COMPLEMENT', 'EMPTY', 'ANYSTRING', undefined, 'INTERVAL'] as const
const REGEXP_FLAGS: readonly string[] = [...FLAG_BITS.flatMap((flag) => flag ?? []), 'NONE', 'ALL']

function flagsOfBits(bits: number): string {
  const names = FLAG_BITS.filter((flag, i) => flag !== undefined && (bits & (1 << i)) !== 0)
  return names.length === 0 ? 'NONE' : names.join('|')
}

function readFuzzy(json: { readonly [name: string]: JsonValue }): FuzzyCompletion {
  const body = new SuggestBody(json, 'fuzzy')
  const fuzziness = (body.string('fuzziness') ?? '1').toUpperCase()
  const auto = /^AUTO(?::(\d+),(\d+))?$/.exec(fuzziness)
  if (auto === null && !/^[0-2](?:\.0)?$/.test(fuzziness)) {
    throw illegalSuggest(`Valid edit distances are [0, 1, 2] but was [${fuzziness}]`)
  }
  const low = Number(auto?.[1] ?? 3)
  const high = Number(auto?.[2] ?? 6)
  body.raw('unicode_aware')
  body.raw('max_determinized_states')
  const options: FuzzyCompletion = {
    edits: (length) => (auto === null ? Number(fuzziness) : length < low ? 0 : length < high ? 1 : 2),
    transpositions: body.boolean('transpositions') ?? true,
    minLength: body.number('min_length') ?? 3,
    prefixLength: body.number('prefix_length') ?? 1,
  }
  body.end()
  return options
}

function parsing(reason: string): ServiceError {
  return new ServiceError('parsing_exception', reason)
}
