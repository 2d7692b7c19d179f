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
    if (/(?:_path|\.user_dictionary)$/.test(key) || kind === 'char_filter') return undefined
    const type = typeOf(settings, kind, name)
    if (kind === 'tokenizer' && !TOKENIZERS.has(type)) return undefined
    if (kind === 'filter' && !FILTERS.has(type)) return undefined
    if (kind === 'analyzer') own.add(name)
  }
  for (const name of own) if (!isSafe(analyzers.analyzer(name), settings)) return undefined
  return { engineVersion, settings }
}

/** Whether an analyzer is made of parts that are safe; one of a built-in type is, but for the one made of a pattern. */
function isSafe(analyzer: Analyzer | undefined, settings: FlatAnalysisSettings): boolean {
  if (!(analyzer instanceof ChainAnalyzer)) return false
  try {
    // Some parts are refused only when they are used.
    analyzer.analyze('a')
  } catch {
    return false
  }
  const { names, charFilters } = analyzer.chain
  if (charFilters.length > 0) return false
  if (names === undefined) return typeOf(settings, 'analyzer', analyzer.name) !== 'pattern'
  return (
    TOKENIZERS.has(typeOf(settings, 'tokenizer', names.tokenizer)) &&
    names.tokenFilters.every((name) => FILTERS.has(typeOf(settings, 'filter', name)))
  )
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
 * @throws {ServiceError} illegal_argument_exception, as inverting it would throw
 */
export function checkTerms({ documents }: ParsedDocument): void {
  for (const { fields } of documents) {
    for (const { field, value } of fields) {
      if (typeof value !== 'string' || value.length <= SAFE_TEXT_UNITS) continue
      if (field.kind === 'keyword') checkTerm(field.path, value)
      else if (field.kind === 'text') checkText(field, value)
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
