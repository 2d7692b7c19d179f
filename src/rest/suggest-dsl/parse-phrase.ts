import type { CandidateGenerator, PhraseSuggestion } from '../../engine/suggest/phrase-suggester.ts'
import type { SmoothingModel } from '../../engine/suggest/word-scorer.ts'
import type { ServiceError } from '../../errors.ts'
import { illegalArgument } from '../../illegal-argument.ts'
import { isObject } from '../../is-object.ts'
import { parseFault } from '../../parse-fault.ts'
import { tokenName } from '../../token-name.ts'
import type { JsonValue } from '../body/parse-json.ts'
import { readFloat } from '../body/read-float.ts'
import { readInt } from '../body/read-int.ts'
import { tokenBoolean } from '../body/token-boolean.ts'
import { tokenText } from '../body/token-text.ts'
import { parsingException } from '../parsing-exception.ts'
import { parseObject } from '../query-dsl/object-parser.ts'
import { readCollate } from './collate.ts'
import { commonMembers, commonOf, type MemberReader, textOf } from './common-members.ts'
import { inLists } from './in-lists.ts'
import { spellCheckOf } from './parse-term.ts'
import { checkFrequencies, distanceNamed, modeNamed, SPELL_CHECK_DEFAULTS, sortNamed } from './spell-check-options.ts'
import type { SuggesterScope, SuggestTexts } from './suggester-scope.ts'

type Members = { readonly [name: string]: JsonValue }

/** Reads a `phrase` suggester. @throws {ServiceError} parsing_exception, illegal_argument_exception and others */
export function parsePhrase(json: Members, scope: SuggesterScope): (texts: SuggestTexts) => PhraseSuggestion {
  const values = valueMembers(scope)
  const objects: Readonly<Record<string, (value: Members) => unknown>> = {
    smoothing: (value) => readModel(value),
    highlight: readTags,
    collate: (value) => readCollate(value, scope),
  }
  const read: Record<string, unknown> = {}
  const fault = (what: string): ServiceError => parsingException(`suggester[phrase]${what}`)
  for (const [name, value] of Object.entries(json)) {
    const reader = Object.hasOwn(values, name) ? values[name] : undefined
    const objectReader = Object.hasOwn(objects, name) ? objects[name] : undefined
    if (isObject(value) && objectReader !== undefined) read[name] = objectReader(value)
    else if (Array.isArray(value) && name === 'direct_generator') {
      const other = value.findIndex((item) => !isObject(item))
      read[name] = value.slice(0, other < 0 ? undefined : other).map((item) => readGenerator(item, scope))
      if (other >= 0) throw fault(` doesn't support field [${name}]`).at(value, other)
    } else if (value !== null && typeof value === 'object')
      throw fault(`  doesn't support array field [${name}]`).at(json, name)
    else if (value !== null && reader !== undefined) read[name] = reader(value)
    else throw fault(` doesn't support field [${name}]`).at(json, name)
  }
  const common = commonOf(read, scope.late)
  const generators = (read['direct_generator'] ?? []) as readonly CandidateGenerator[]
  const options: Omit<PhraseSuggestion, 'text'> = {
    kind: 'phrase',
    ...common,
    maxErrors: (read['max_errors'] ?? 0.5) as number,
    confidence: (read['confidence'] ?? 1) as number,
    realWordErrorLikelihood: Math.fround((read['real_word_error_likelihood'] ?? 0.95) as number),
    separator: (read['separator'] ?? ' ') as string,
    gramSize: read['gram_size'] as number | undefined,
    forceUnigrams: (read['force_unigrams'] ?? true) as boolean,
    tokenLimit: (read['token_limit'] ?? 10) as number,
    model: (read['smoothing'] ?? DEFAULT_MODEL) as SmoothingModel,
    highlight: read['highlight'] as PhraseSuggestion['highlight'],
    hasDefaultGenerator: generators.length === 0,
    generators: generators.length === 0 ? [defaultGenerator(common.field)] : generators,
    ...(read['collate'] === undefined ? {} : { collate: read['collate'] as NonNullable<PhraseSuggestion['collate']> }),
  }
  return (texts) => ({ ...options, text: textOf(texts) })
}

function valueMembers(scope: SuggesterScope): Readonly<Record<string, MemberReader>> {
  const { typed } = scope.dialect
  const checked =
    (read: (value: JsonValue) => number, isRight: (number: number) => boolean, reason: string): MemberReader =>
    (value) => {
      const number = read(value)
      if (isRight(number)) return number
      throw illegalArgument(reason)
    }
  const int = (value: JsonValue): number => readInt(value, typed)
  const above0 = (number: number): boolean => number > 0
  return {
    ...commonMembers(scope),
    max_errors: checked(readFloat, above0, 'max_error must be > 0.0'),
    confidence: checked(readFloat, (number) => number >= 0, 'confidence must be >= 0.0'),
    real_word_error_likelihood: checked(readFloat, above0, 'real_word_error_likelihood must be > 0.0'),
    separator: tokenText,
    gram_size: checked(int, above0, 'gramSize must be >= 1'),
    force_unigrams: tokenBoolean,
    token_limit: checked(int, above0, 'token_limit must be >= 1'),
  }
}

/** Tags around changed words; undefined: none are asked for. */
function readTags(json: Members): PhraseSuggestion['highlight'] {
  const tags: Record<string, string> = {}
  for (const [name, member] of Object.entries(json)) {
    for (const value of inLists(member).filter((item) => typeof item !== 'object')) {
      if (name !== 'pre_tag' && name !== 'post_tag')
        throw parsingException(`suggester[phrase][highlight] doesn't support field [${name}]`).at(json, name)
      tags[name] = tokenText(value)
    }
  }
  const { pre_tag: preTag, post_tag: postTag } = tags
  if ((preTag === undefined) !== (postTag === undefined))
    throw illegalArgument('Pre and post tag must both be null or both not be null.')
  return preTag === undefined || postTag === undefined ? undefined : { preTag, postTag }
}

function defaultGenerator(field: string): CandidateGenerator {
  return { field, size: 5, preFilter: undefined, postFilter: undefined, ...SPELL_CHECK_DEFAULTS }
}

function readGenerator(json: JsonValue, { dialect, late, queries: { warnings } }: SuggesterScope): CandidateGenerator {
  const { engineVersion, typed } = dialect
  const members = parseObject(
    'direct_generator',
    json,
    {
      field: 'text',
      pre_filter: 'text',
      post_filter: 'text',
      suggest_mode: 'text',
      min_doc_freq: 'float',
      accuracy: 'float',
      size: { kind: 'int', read: sizeOfGenerator },
      sort: 'text',
      string_distance: 'text',
      max_inspections: 'int',
      max_edits: { kind: 'int', read: editsOfGenerator },
      max_term_freq: 'float',
      prefix_length: 'int',
      min_word_length: 'int',
    },
    typed,
  )
  if (members['field'] === undefined) throw illegalArgument('Required [field]')
  const named = <T>(name: string, find: (text: string) => T | undefined, fault: string): T | undefined => {
    const text = members[name] as string | undefined
    if (text === undefined) return undefined
    return late.read(() => {
      const found = find(text)
      if (found === undefined) throw illegalArgument(`${fault} ${text.toLowerCase()}`)
      return found
    }, undefined)
  }
  const options = spellCheckOf({
    ...members,
    suggest_mode: named('suggest_mode', modeNamed, 'Illegal suggest mode'),
    sort: named('sort', (text) => sortNamed(text, engineVersion), ''),
    string_distance: named(
      'string_distance',
      (text) => distanceNamed(text, engineVersion, warnings),
      'Illegal distance option',
    ),
  })
  late.read(() => checkFrequencies(options), undefined)
  return {
    field: members['field'] as string,
    size: (members['size'] ?? 5) as number,
    preFilter: members['pre_filter'] as string | undefined,
    postFilter: members['post_filter'] as string | undefined,
    ...options,
  }
}

function sizeOfGenerator(size: number): number {
  if (size > 0) return size
  throw illegalArgument('Size must be positive')
}

function editsOfGenerator(edits: number): number {
  if (edits === 1 || edits === 2) return edits
  throw illegalArgument(`Illegal max_edits value ${edits}`)
}

const DEFAULT_MODEL: SmoothingModel = { kind: 'stupid_backoff', discount: Math.fround(0.4) }

/** The model by the last member that names one; undefined: none does. */
function readModel(json: Members): SmoothingModel | undefined {
  let model: SmoothingModel | undefined
  for (const [kind, options] of Object.entries(json)) {
    if (!isObject(options))
      throw parsingException(`[smoothing] unknown token [${tokenName(options)}] after [${kind}]`).at(json, kind)
    model = modelOf(kind, options)
  }
  return model
}

function modelOf(kind: string, options: Members): SmoothingModel {
  switch (kind) {
    case 'stupid_backoff':
      return { kind, discount: factor(options, 'discount', 0.4) }
    case 'laplace':
      return { kind, alpha: factor(options, 'alpha', 0.5) }
    case 'linear':
      return linearModel(options)
  }
  throw illegalArgument(`suggester[phrase] doesn't support object field [${kind}]`)
}

/** A number among other members that are not looked at. */
function factor(options: Members, name: string, fallback: number): number {
  const values = inLists(options[name] ?? null).filter((value) => typeof value !== 'object')
  return values.map(readDouble).at(-1) ?? fallback
}

function readDouble(value: JsonValue): number {
  readFloat(value)
  return Number(value)
}

const LAMBDAS = ['trigram_lambda', 'bigram_lambda', 'unigram_lambda']

function linearModel(options: Members): SmoothingModel {
  const lambdas: Record<string, number> = {}
  for (const [name, value] of Object.entries(options)) {
    if (value === null || typeof value === 'object')
      throw parseFault(`[linear] unknown token [${tokenName(value)}] after [${name}]`).at(options, name)
    if (!LAMBDAS.includes(name))
      throw illegalArgument(`suggester[phrase][smoothing][linear] doesn't support field [${name}]`)
    lambdas[name] = readDouble(value)
    if ((lambdas[name] as number) < 0) throw illegalArgument(`${name} must be positive`)
  }
  const [trigramLambda = 0, bigramLambda = 0, unigramLambda = 0] = LAMBDAS.map((name) => lambdas[name])
  if (Math.abs(trigramLambda + bigramLambda + unigramLambda - 1) > 0.001)
    throw illegalArgument('linear smoothing lambdas must sum to 1')
  return { kind: 'linear_interpolation', trigramLambda, bigramLambda, unigramLambda }
}
