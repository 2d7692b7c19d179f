import type { EngineVersion } from '../../engine-version.ts'
import { isCommentLine } from '../comment-line.ts'
import type { FactoryContext } from '../factories.ts'
import { unescapeRule } from '../rule-escapes.ts'
import { readWordSet } from '../word-lists.ts'
import { wrongRule } from '../wrong-rule.ts'
import {
  ALPHA,
  ALPHANUM,
  DIGIT,
  defaultKinds,
  kindByCategory,
  LOWER,
  SUBWORD_DELIMITER,
  UPPER,
  type WordDelimiterRules,
} from './word-delimiter-iterator.ts'

/** How words are divided and put together again; names as the settings'. */
export interface WordDelimiterOptions extends WordDelimiterRules {
  readonly generateWordParts: boolean
  readonly generateNumberParts: boolean
  readonly catenateWords: boolean
  readonly catenateNumbers: boolean
  readonly catenateAll: boolean
  readonly preserveOriginal: boolean
  /** Leaves terms alone that `keyword_marker` protects. */
  readonly ignoreKeywords: boolean
  readonly isProtected: (term: string) => boolean
  /** Parts of a graph have the offsets they stand at, where these are known. */
  readonly adjustOffsets: boolean
  /** A graph's parts are sorted by where they begin, the whole word first (since Lucene 8); else by their positions. */
  readonly sortsByOffset: boolean
}

/** Reads the settings of `word_delimiter` and `word_delimiter_graph`. @throws {ServiceError} for what they cannot take */
export function readWordDelimiterOptions(context: FactoryContext, isGraph: boolean): WordDelimiterOptions {
  const { settings, engineVersion } = context
  const isOlder = engineVersion === 'Elasticsearch_6.8'
  const flag = (name: string, fallback: boolean) => settings.boolean(name, fallback)
  return {
    kinds: readKinds(settings.words('type_table', context.configDir), engineVersion),
    generateWordParts: flag('generate_word_parts', true),
    generateNumberParts: flag('generate_number_parts', true),
    catenateWords: flag('catenate_words', false),
    catenateNumbers: flag('catenate_numbers', false),
    catenateAll: flag('catenate_all', false),
    splitOnCaseChange: flag('split_on_case_change', true),
    preserveOriginal: flag('preserve_original', false),
    splitOnNumerics: flag('split_on_numerics', true),
    stemEnglishPossessive: flag('stem_english_possessive', true),
    ignoreKeywords: !isOlder && isGraph && flag('ignore_keywords', false),
    isProtected: readWordSet(context, 'protected_words') ?? (() => false),
    adjustOffsets: isOlder || !isGraph || flag('adjust_offsets', true),
    sortsByOffset: !isOlder,
  }
}

/** Whether parts of a kind are emitted by themselves. */
export function generatesParts(o: WordDelimiterOptions, kind: number): boolean {
  return (o.generateWordParts && (kind & ALPHA) !== 0) || (o.generateNumberParts && (kind & DIGIT) !== 0)
}

/** Whether parts of a kind are joined with their neighbours of the same kind. */
export function catenates(o: WordDelimiterOptions, kind: number): boolean {
  return (o.catenateWords && (kind & ALPHA) !== 0) || (o.catenateNumbers && (kind & DIGIT) !== 0)
}

const KINDS: Readonly<Record<string, number>> = {
  LOWER,
  UPPER,
  ALPHA,
  DIGIT,
  ALPHANUM,
  SUBWORD_DELIM: SUBWORD_DELIMITER,
}

function readKinds(rules: readonly string[] | undefined, engineVersion: EngineVersion): Uint8Array {
  if (rules === undefined) return defaultKinds()
  const complain = (rule: string, line: number, why: string) =>
    wrongRule(engineVersion, line, `Invalid Mapping Rule : [${rule}]${why}`, `Invalid mapping rule: [${rule}]${why}`)
  // A table of one's own begins with the general categories everywhere.
  const table = Uint8Array.from(defaultKinds(), (kind, unit) => (unit < 0x100 ? kindByCategory(unit) : kind))
  for (const [i, rule] of rules.entries()) {
    if (isCommentLine(rule, engineVersion)) continue
    const match = /^(.*)\s*=>\s*(.*)\s*$/.exec(rule)
    if (match === null) throw complain(rule, i, '')
    const from = unescapeRule((match[1] as string).trim(), (reason) => wrongRule(engineVersion, i, reason))
    const type = (match[2] as string).trim()
    const kind = Object.hasOwn(KINDS, type) ? KINDS[type] : undefined
    if (from.length !== 1) throw complain(rule, i, '. Only a single character is allowed.')
    if (kind === undefined) throw complain(rule, i, '. Illegal type.')
    table[from.charCodeAt(0)] = kind
  }
  return table
}
