import { illegalArgument } from '../../illegal-argument.ts'
import type { EngineVersion } from '../engine-version.ts'
import type { Tokenizer } from './analyzer.ts'
import { luceneGeneration } from './automaton/lucene-generation.ts'
import type { LuceneGeneration } from './automaton/regexp-parser.ts'
import type { FlatAnalysisSettings } from './component-settings.ts'
import type { TokenizerFactory } from './factories.ts'
import { JavaPattern } from './java-pattern.ts'
import { koreanTokenizerFactories } from './korean/korean-analysis.ts'
import { checkNGramDifference } from './ngram-limits.ts'
import { CharClassTokenizer, KeywordTokenizer } from './tokenizers/char-class-tokenizers.ts'
import { charGroupTokenizer } from './tokenizers/char-group-tokenizer.ts'
import { ClassicTokenizer } from './tokenizers/classic-tokenizer.ts'
import { NGramTokenizer, readTokenChars } from './tokenizers/ngram-tokenizer.ts'
import { PathHierarchyTokenizer } from './tokenizers/path-hierarchy-tokenizer.ts'
import { PatternTokenizer } from './tokenizers/pattern-tokenizer.ts'
import { SimplePatternSplitTokenizer, SimplePatternTokenizer } from './tokenizers/simple-pattern-tokenizers.ts'
import { StandardTokenizer } from './tokenizers/standard-tokenizer.ts'
import { UaxUrlEmailTokenizer } from './tokenizers/uax-url-email-tokenizer.ts'
import { isLetter, isWhitespace } from './unicode/java-character.ts'
import { unicodeVersion } from './unicode/word-break.ts'
import { refuseWhenUsed } from './unusable.ts'

/** Longest token one may ask for. */
const LONGEST_TOKEN = 1024 * 1024

/** @throws {ServiceError} illegal_argument_exception for a length no token can have */
export const checkTokenLength = (length: number): number => {
  if (length < 1) throw illegalArgument('maxTokenLength must be greater than zero')
  if (length > LONGEST_TOKEN) throw illegalArgument(`maxTokenLength may not exceed ${LONGEST_TOKEN}`)
  return length
}

/** As {@link checkTokenLength}, in the words of the tokenizers that test single characters. */
const checkRunLength = (length: number): number => {
  if (length <= 0 || length > LONGEST_TOKEN)
    throw illegalArgument(`maxTokenLen must be greater than 0 and less than ${LONGEST_TOKEN} passed: ${length}`)
  return length
}

const ngram: TokenizerFactory = (context) => {
  const { settings } = context
  const min = settings.integer('min_gram', 1)
  const max = settings.integer('max_gram', 2)
  checkNGramDifference(context, min, max)
  const isTokenChar = readTokenChars(context)
  return refuseWhenUsed(() => new NGramTokenizer({ min, max, edge: false, isTokenChar }))
}
const edgeNgram: TokenizerFactory = (context) => {
  const { settings } = context
  const min = settings.integer('min_gram', 1)
  const max = settings.integer('max_gram', 2)
  const isTokenChar = readTokenChars(context)
  return refuseWhenUsed(() => new NGramTokenizer({ min, max, edge: true, isTokenChar }))
}
const pathHierarchy: TokenizerFactory = ({ settings }) => {
  const bufferSize = settings.integer('buffer_size', 1024)
  const delimiter = settings.text('delimiter', '/')
  if (delimiter.length !== 1) throw illegalArgument('delimiter must be a one char value')
  const replacement = settings.text('replacement', delimiter)
  if (replacement.length !== 1) throw illegalArgument('replacement must be a one char value')
  const skip = settings.integer('skip', 0)
  const reverse = settings.boolean('reverse', false)
  return refuseWhenUsed(() => {
    if (bufferSize < 0) throw illegalArgument('bufferSize cannot be negative')
    if (skip < 0) throw illegalArgument('skip cannot be negative')
    return new PathHierarchyTokenizer({ delimiter, replacement, skip, reverse })
  })
}
const keyword: TokenizerFactory = ({ settings }) => {
  const bufferSize = settings.integer('buffer_size', 256)
  return refuseWhenUsed(() => {
    checkRunLength(bufferSize)
    return new KeywordTokenizer()
  })
}

/** A tokenizer that takes the longest token one may ask for. */
const upToLength =
  (make: (maxTokenLength: number, engineVersion: EngineVersion) => Tokenizer): TokenizerFactory =>
  ({ settings, engineVersion }) => {
    const length = settings.integer('max_token_length', 255)
    return refuseWhenUsed(() => make(length, engineVersion))
  }

/** A tokenizer made of a pattern. */
const ofPattern =
  (make: (pattern: string, lucene: LuceneGeneration) => Tokenizer): TokenizerFactory =>
  ({ settings, engineVersion }) =>
    refuseWhenUsed(() => make(settings.text('pattern', ''), luceneGeneration(engineVersion)))

/** Tokenizers by their type in the settings; each also stands ready under its own name, with defaults. */
export const TOKENIZER_TYPES: Readonly<Record<string, TokenizerFactory>> = {
  standard: upToLength((length, version) => new StandardTokenizer(unicodeVersion(version), checkTokenLength(length))),
  classic: upToLength((length) => new ClassicTokenizer(length)),
  keyword,
  whitespace: upToLength(
    (length) => new CharClassTokenizer((c) => !isWhitespace(c), { maxTokenLength: checkRunLength(length) }),
  ),
  letter: () => new CharClassTokenizer(isLetter),
  lowercase: () => new CharClassTokenizer(isLetter, { lowercase: true }),
  char_group: (context) =>
    charGroupTokenizer(
      context.settings.list('tokenize_on_chars') ?? [],
      context.engineVersion !== 'Elasticsearch_6.8'
        ? checkRunLength(context.settings.integer('max_token_length', 255))
        : 255,
    ),
  pattern: ({ settings }) => {
    const pattern = new JavaPattern(settings.text('pattern', '\\W+'), settings.text('flags', ''))
    const group = settings.integer('group', -1)
    return refuseWhenUsed(() => new PatternTokenizer(pattern, group))
  },
  simple_pattern: ofPattern((pattern, lucene) => new SimplePatternTokenizer(pattern, lucene)),
  simple_pattern_split: ofPattern((pattern, lucene) => new SimplePatternSplitTokenizer(pattern, lucene)),
  ngram,
  nGram: ngram,
  edge_ngram: edgeNgram,
  edgeNGram: edgeNgram,
  path_hierarchy: pathHierarchy,
  PathHierarchy: pathHierarchy,
  thai: ({ name }) => {
    throw illegalArgument(
      `tokenizer [${name}] of type [thai] is not supported; the standard tokenizer keeps Thai runs whole`,
    )
  },
  uax_url_email: upToLength(
    (length, version) => new UaxUrlEmailTokenizer(unicodeVersion(version), checkTokenLength(length)),
  ),
  ...koreanTokenizerFactories,
}

/** Settings of the built-ins that in 6.8 stand ready with others than their type's defaults. */
export const TOKENIZER_PRESETS: Readonly<Record<string, FlatAnalysisSettings>> = {
  edge_ngram: { max_gram: '1' },
  edgeNGram: { max_gram: '1' },
}
