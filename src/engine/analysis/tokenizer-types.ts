import { ServiceError } from '../../errors.ts'
import type { FlatAnalysisSettings } from './component-settings.ts'
import type { FactoryContext, TokenizerFactory } from './factories.ts'
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

const complain = (reason: string) => new ServiceError('illegal_argument_exception', reason)

/** Longest token one may ask for. */
const LONGEST_TOKEN = 1024 * 1024

const readTokenLength = ({ settings }: FactoryContext): number => {
  const length = settings.integer('max_token_length', 255)
  if (length < 1) throw complain('maxTokenLength must be greater than zero')
  if (length > LONGEST_TOKEN) throw complain(`maxTokenLength may not exceed ${LONGEST_TOKEN}`)
  return length
}

/** As {@link readTokenLength}, in the words of the tokenizers that test single characters. */
const readRunLength = ({ settings }: FactoryContext): number => {
  const length = settings.integer('max_token_length', 255)
  if (length <= 0 || length > LONGEST_TOKEN)
    throw complain(`maxTokenLen must be greater than 0 and less than ${LONGEST_TOKEN} passed: ${length}`)
  return length
}

const ngram: TokenizerFactory = (context) => {
  const { settings } = context
  const min = settings.integer('min_gram', 1)
  const max = settings.integer('max_gram', 2)
  checkNGramDifference(context, min, max)
  return new NGramTokenizer({ min, max, edge: false, isTokenChar: readTokenChars(settings) })
}
const edgeNgram: TokenizerFactory = ({ settings }) =>
  new NGramTokenizer({
    min: settings.integer('min_gram', 1),
    max: settings.integer('max_gram', 2),
    edge: true,
    isTokenChar: readTokenChars(settings),
  })
const pathHierarchy: TokenizerFactory = ({ settings }) => {
  const bufferSize = settings.integer('buffer_size', 1024)
  const delimiter = settings.text('delimiter', '/')
  if (delimiter.length !== 1) throw complain('delimiter must be a one char value')
  const replacement = settings.text('replacement', delimiter)
  if (replacement.length !== 1) throw complain('replacement must be a one char value')
  const skip = settings.integer('skip', 0)
  const reverse = settings.boolean('reverse', false)
  if (bufferSize < 0) throw complain('bufferSize cannot be negative')
  if (skip < 0) throw complain('skip cannot be negative')
  return new PathHierarchyTokenizer({ delimiter, replacement, skip, reverse })
}
const keyword: TokenizerFactory = ({ settings }) => {
  const bufferSize = settings.integer('buffer_size', 256)
  if (bufferSize <= 0 || bufferSize > LONGEST_TOKEN)
    throw complain(`maxTokenLen must be greater than 0 and less than ${LONGEST_TOKEN} passed: ${bufferSize}`)
  return new KeywordTokenizer()
}

/** Tokenizers by their type in the settings; each also stands ready under its own name, with defaults. */
export const TOKENIZER_TYPES: Readonly<Record<string, TokenizerFactory>> = {
  standard: (context) => new StandardTokenizer(readTokenLength(context)),
  classic: (context) => new ClassicTokenizer(context.settings.integer('max_token_length', 255)),
  keyword,
  whitespace: (context) => new CharClassTokenizer((c) => !isWhitespace(c), { maxTokenLength: readRunLength(context) }),
  letter: () => new CharClassTokenizer(isLetter),
  lowercase: () => new CharClassTokenizer(isLetter, { lowercase: true }),
  char_group: (context) =>
    charGroupTokenizer(
      context.settings.list('tokenize_on_chars') ?? [],
      context.engineVersion === 'OpenSearch_2.19' ? readRunLength(context) : 255,
    ),
  pattern: ({ settings }) =>
    new PatternTokenizer(settings.text('pattern', '\\W+'), settings.text('flags', ''), settings.integer('group', -1)),
  simple_pattern: ({ settings }) => new SimplePatternTokenizer(settings.text('pattern', '')),
  simple_pattern_split: ({ settings }) => new SimplePatternSplitTokenizer(settings.text('pattern', '')),
  ngram,
  nGram: ngram,
  edge_ngram: edgeNgram,
  edgeNGram: edgeNgram,
  path_hierarchy: pathHierarchy,
  PathHierarchy: pathHierarchy,
  thai: ({ name }) => {
    throw complain(`tokenizer [${name}] of type [thai] is not supported; the standard tokenizer keeps Thai runs whole`)
  },
  uax_url_email: (context) => new UaxUrlEmailTokenizer(readTokenLength(context)),
  ...koreanTokenizerFactories,
}

/** Settings of the built-ins that stand ready with others than their type's defaults. */
export const TOKENIZER_PRESETS: Readonly<Record<string, FlatAnalysisSettings>> = {
  edge_ngram: { max_gram: '1' },
  edgeNGram: { max_gram: '1' },
}
