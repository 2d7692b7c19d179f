import type { FlatAnalysisSettings } from './component-settings.ts'
import type { TokenizerFactory } from './factories.ts'
import { koreanTokenizerFactories } from './korean/korean-analysis.ts'
import { CharClassTokenizer, KeywordTokenizer } from './tokenizers/char-class-tokenizers.ts'
import { NGramTokenizer, readTokenChars } from './tokenizers/ngram-tokenizer.ts'
import { PathHierarchyTokenizer } from './tokenizers/path-hierarchy-tokenizer.ts'
import { PatternTokenizer } from './tokenizers/pattern-tokenizer.ts'
import { StandardTokenizer } from './tokenizers/standard-tokenizer.ts'
import { UaxUrlEmailTokenizer } from './tokenizers/uax-url-email-tokenizer.ts'
import { isLetter, isWhitespace } from './unicode/java-character.ts'

const standard: TokenizerFactory = ({ settings }) => new StandardTokenizer(settings.integer('max_token_length', 255))
const ngram: TokenizerFactory = ({ settings }) =>
  new NGramTokenizer({
    min: settings.integer('min_gram', 1),
    max: settings.integer('max_gram', 2),
    edge: false,
    isTokenChar: readTokenChars(settings),
  })
const edgeNgram: TokenizerFactory = ({ settings }) =>
  new NGramTokenizer({
    min: settings.integer('min_gram', 1),
    max: settings.integer('max_gram', 2),
    edge: true,
    isTokenChar: readTokenChars(settings),
  })
const pathHierarchy: TokenizerFactory = ({ settings }) => {
  const delimiter = settings.text('delimiter', '/')
  return new PathHierarchyTokenizer({
    delimiter,
    replacement: settings.text('replacement', delimiter),
    skip: settings.integer('skip', 0),
    reverse: settings.boolean('reverse', false),
  })
}

/** Tokenizers by their type in the settings; each also stands ready under its own name, with defaults. */
export const TOKENIZER_TYPES: Readonly<Record<string, TokenizerFactory>> = {
  standard,
  classic: standard,
  keyword: () => new KeywordTokenizer(),
  whitespace: ({ settings }) =>
    new CharClassTokenizer((c) => !isWhitespace(c), { maxTokenLength: settings.integer('max_token_length', 255) }),
  letter: () => new CharClassTokenizer(isLetter),
  lowercase: () => new CharClassTokenizer(isLetter, { lowercase: true }),
  pattern: ({ settings }) =>
    new PatternTokenizer(settings.text('pattern', '\\W+'), settings.text('flags', ''), settings.integer('group', -1)),
  ngram,
  nGram: ngram,
  edge_ngram: edgeNgram,
  edgeNGram: edgeNgram,
  path_hierarchy: pathHierarchy,
  PathHierarchy: pathHierarchy,
  uax_url_email: ({ settings }) => new UaxUrlEmailTokenizer(settings.integer('max_token_length', 255)),
  ...koreanTokenizerFactories,
}

/** Settings of the built-ins that stand ready with others than their type's defaults. */
export const TOKENIZER_PRESETS: Readonly<Record<string, FlatAnalysisSettings>> = {}
