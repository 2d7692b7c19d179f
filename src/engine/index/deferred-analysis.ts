import type { Analyzer } from '../analysis/analyzer.ts'
import { ChainAnalyzer } from '../analysis/chain-analyzer.ts'
import type { FlatAnalysisSettings } from '../analysis/component-settings.ts'
import type { IndexAnalyzers } from '../analysis/index-analyzers.ts'
import type { EngineVersion } from '../engine-version.ts'
import type { TextField } from '../mapping/field-mapping.ts'
import type { ParsedDocument } from '../mapping/parsed-document.ts'
import { isStandard } from './standard-words.ts'
import { checkTerm, SAFE_TERM_UNITS } from './term-length.ts'

/** What another thread makes an index' analyzers of, to analyze there after a write was answered. */
export interface DeferredAnalysis {
  readonly engineVersion: EngineVersion
  /** Flat settings of the index. */
  readonly settings: FlatAnalysisSettings
  /** Whether every text is analyzed before the write is answered too: its terms may be too long whatever its length is. */
  readonly isChecked: boolean
  /** Whether a text may become many times as many tokens as it has characters, so that a short one is much work. */
  readonly multiplies: boolean
}

/** Tokenizers whose tokens are parts of the text, a little longer at most, and which never fail. */
const TOKENIZERS = new Set(
  'standard classic whitespace letter lowercase keyword ngram nGram edge_ngram edgeNGram uax_url_email nori_tokenizer seunjeon_tokenizer seunjeon_default_tokenizer'.split(
    ' ',
  ),
)
/** Token filters that make no term much longer, and which never fail. */
const FILTERS = new Set(
  'lowercase uppercase asciifolding stop stemmer snowball porter_stem kstem trim unique length truncate reverse elision apostrophe classic decimal_digit cjk_width cjk_bigram ngram nGram edge_ngram edgeNGram keyword_marker limit remove_duplicates nori_part_of_speech nori_readingform arabic_normalization german_normalization hindi_normalization indic_normalization persian_normalization scandinavian_normalization scandinavian_folding serbian_normalization sorani_normalization'.split(
    ' ',
  ),
)
/** Parts that say the same of a text whenever they are asked, but may make terms of any length. */
const LENGTHENING: Readonly<Record<string, ReadonlySet<string>>> = {
  tokenizer: new Set(['path_hierarchy', 'PathHierarchy', 'char_group']),
  filter: new Set(
    'shingle synonym synonym_graph flatten_graph word_delimiter word_delimiter_graph dictionary_decompounder common_grams keep stemmer_override'.split(
      ' ',
    ),
  ),
  char_filter: new Set(['mapping', 'html_strip']),
}
/** Parts that make many tokens of few characters. */
const MULTIPLYING = /^(?:edge_?)?n_?gram$|^shingle$|^synonym|_decompounder$/i
/** Characters of settings up to which the thread may be told them again with every segment. */
const MOST_TOLD_CHARS = 128 * 1024
const OWN_COMPONENT = /^index\.analysis\.(analyzer|tokenizer|filter|char_filter)\.([^.]+)\./

/**
 * How documents of an index can be analyzed after their writes were answered: only where analysis cannot fail, makes no
 * terms much longer than their text, and asks for no file that may have changed meanwhile.
 *
 * @param settings  flat settings of the index
 * @returns         undefined: documents must be analyzed before their writes are answered
 */
export function deferredAnalysis(
  settings: FlatAnalysisSettings,
  analyzers: IndexAnalyzers,
  engineVersion: EngineVersion,
): DeferredAnalysis | undefined {
  const own = new Set<string>()
  for (const key of Object.keys(settings)) {
    const [, kind, name] = OWN_COMPONENT.exec(key) ?? []
    if (kind === undefined || name === undefined) continue
    if (/(?:_path|\.user_dictionary)$/.test(key)) return undefined
    if (kind === 'analyzer') own.add(name)
  }
  const parts = new Parts(settings)
  for (const key of Object.keys(settings)) {
    const [, kind, name] = OWN_COMPONENT.exec(key) ?? []
    if (kind !== undefined && name !== undefined && kind !== 'analyzer') parts.add(kind, name)
  }
  for (const name of own) parts.addAnalyzer(analyzers.analyzer(name))
  if (parts.mayFail || (parts.lengthen && lengthOf(settings) > MOST_TOLD_CHARS)) return undefined
  return { engineVersion, settings, isChecked: parts.lengthen, multiplies: parts.multiply }
}

/** What the parts of an index' analyzers do to texts. */
class Parts {
  readonly #settings: FlatAnalysisSettings
  mayFail = false
  lengthen = false
  multiply = false

  constructor(settings: FlatAnalysisSettings) {
    this.#settings = settings
  }

  /** @param kind  `tokenizer`, `filter` or `char_filter` */
  add(kind: string, name: string): void {
    const type = typeOf(this.#settings, kind, name)
    this.multiply ||= MULTIPLYING.test(type)
    if ((kind === 'tokenizer' && TOKENIZERS.has(type)) || (kind === 'filter' && FILTERS.has(type))) return
    if (LENGTHENING[kind]?.has(type) === true) this.lengthen = true
    else this.mayFail = true
  }

  /** One of a built-in type is safe, but for the one made of a pattern. */
  addAnalyzer(analyzer: Analyzer | undefined): void {
    if (!(analyzer instanceof ChainAnalyzer) || !isUsable(analyzer)) {
      this.mayFail = true
      return
    }
    const { names, charFilters } = analyzer.chain
    if (names === undefined) {
      if (charFilters.length > 0 || typeOf(this.#settings, 'analyzer', analyzer.name) === 'pattern') this.mayFail = true
      return
    }
    this.add('tokenizer', names.tokenizer)
    for (const name of names.tokenFilters) this.add('filter', name)
    for (const name of names.charFilters) this.add('char_filter', name)
  }
}

/** Some parts are refused only when they are used. */
function isUsable(analyzer: Analyzer): boolean {
  try {
    analyzer.analyze('a')
    return true
  } catch {
    return false
  }
}

function lengthOf(settings: FlatAnalysisSettings): number {
  return JSON.stringify(settings).length
}

function typeOf(settings: FlatAnalysisSettings, kind: string, name: string): string {
  return String(settings[`index.analysis.${kind}.${name}.type`] ?? name)
}

/** Length in UTF-16 units up to which no token of a text has too many bytes, were each unit to become six of them. */
const SAFE_TEXT_UNITS = Math.floor(SAFE_TERM_UNITS / 2)

/**
 * Refuses a document whose terms would be too long, before it is inverted: only texts and keywords long enough for that
 * are looked at.
 *
 * @param isChecked  every text is, whatever its length is
 * @throws {ServiceError} illegal_argument_exception, as inverting it would throw
 */
export function checkTerms({ documents }: ParsedDocument, isChecked: boolean): void {
  for (const { fields } of documents) {
    for (const { field, value } of fields) {
      if (typeof value !== 'string') continue
      const isLong = value.length > SAFE_TEXT_UNITS
      if (field.kind === 'text') {
        if (isLong || isChecked) checkText(field, value)
      } else if (isLong && field.kind === 'keyword' && (field.index || field.docValues)) checkTerm(field.path, value)
    }
  }
}

function checkText({ analyzer, path }: TextField, text: string): void {
  // Its tokens are never longer than 255 units.
  if (isStandard(analyzer)) return
  const tokens = analyzer.analyze(text)
  for (let i = 0; i < tokens.length; i++) {
    const term = tokens.terms[i] as string
    if (term.length > SAFE_TERM_UNITS) checkTerm(path, term)
  }
}
