import { TokenBuffer } from '../../analysis/token-buffer.ts'
import type { FieldMapping, TextField } from '../../mapping/field-mapping.ts'
import { isUnanalyzed } from '../../mapping/metadata-fields.ts'
import { phrasePairs, phraseShingles } from '../../mapping/types/phrase-shingles.ts'
import type { PhrasePlace } from '../lucene/positions/phrase-query.ts'
import { type QueryContext, shardError } from './query-context.ts'
import { searchAnalyzer } from './search-analyzer.ts'
import { type GraphWay, type TokenGraph, tokenGraph } from './token-graph.ts'

/** A text as an analyzer takes it apart. */
export interface AnalyzedText {
  /** Place by place; several words at a place are alternatives. */
  readonly places: PhrasePlace[]
  /** Set where tokens span several places. */
  readonly graph: TokenGraph | undefined
  /** Whether nothing follows the last word. */
  readonly endsInWord: boolean
}

/**
 * The words a text is for a field.
 *
 * @param analyzer  named in the query, instead of the field's own
 * @param isQuoted  phrases have an analyzer of their own (`search_quote_analyzer`)
 */
export function analyzeText(
  field: FieldMapping,
  text: string,
  analyzer: string | undefined,
  isQuoted: boolean,
  context: QueryContext,
): AnalyzedText {
  const tokens = tokensOf(field, text, analyzer, isQuoted, context)
  if (tokens === undefined) return oneWord(text)
  return { places: placesOf(tokens), graph: tokenGraph(tokens), endsInWord: endsInWord(tokens, text) }
}

/**
 * A phrase's runs of words, as a field of such has them.
 *
 * @returns the field and its places; undefined where the text has no such field, or the phrase gaps or but one place
 */
export function shinglePlaces(
  field: TextField,
  text: string,
  analyzer: string | undefined,
  context: QueryContext,
): { readonly field: TextField; readonly places: PhrasePlace[] } | undefined {
  if (field.phrases === undefined && field.shingles === undefined) return undefined
  const tokens = tokensOf(field, text, analyzer, true, context)
  return tokens === undefined ? undefined : runsOf(field, tokens)
}

/** The same of a text already taken apart. */
export function runsOf(
  field: TextField,
  tokens: TokenBuffer,
): { readonly field: TextField; readonly places: PhrasePlace[] } | undefined {
  let count = 0
  for (let i = 0; i < tokens.length; i++) {
    const increment = tokens.positionIncrements[i] as number
    if (increment > 1) return undefined
    count += increment
  }
  const runs = shingleField(field, count)
  if (runs === undefined || count < 2) return undefined
  const { subField } = runs
  const options =
    subField?.kind === 'phrase'
      ? phrasePairs(subField.followsGraph)
      : ({ size: runSize(runs), filler: '_', followsGraph: true } as const)
  return { field: runs, places: placesOf(phraseShingles(tokens, options, new TokenBuffer())) }
}

/** The field of the longest runs of words that a phrase of so many places has. */
function shingleField({ phrases, shingles }: TextField, places: number): TextField | undefined {
  return phrases ?? shingles?.[Math.min(places - 2, shingles.length - 1)]
}

/** How many words the runs of such a field have. */
function runSize({ subField }: TextField): number {
  return subField?.kind === 'shingle' ? subField.size : 2
}

/** A way through a graph of tokens as a phrase: of its words, or of runs of them where a field has those and none is missing. */
export function wayPlaces(field: FieldMapping, way: GraphWay): { readonly path: string; readonly places: GraphWay } {
  const hasGaps = way.some(({ position }, i) => position !== i)
  const runs = field.kind === 'text' && !hasGaps ? shingleField(field, way.length) : undefined
  if (runs === undefined) return { path: field.path, places: way }
  const words = way.map(({ terms }) => terms[0])
  const size = runSize(runs)
  const places = words.slice(size - 1).map((_, i) => ({ terms: [words.slice(i, i + size).join(' ')], position: i }))
  return { path: runs.path, places }
}

/** The same place by place, however many a token spans. */
export function textPlaces(
  field: FieldMapping,
  text: string,
  analyzer: string | undefined,
  isQuoted: boolean,
  context: QueryContext,
): PhrasePlace[] {
  return analyzeText(field, text, analyzer, isQuoted, context).places
}

/** As {@link analyzeText}, for intervals: long tokens of every kind make a graph. */
export function intervalText(
  field: FieldMapping,
  text: string,
  analyzer: string | undefined,
  context: QueryContext,
): AnalyzedText {
  const tokens = tokensOf(field, text, analyzer, false, context)
  if (tokens === undefined) return oneWord(text)
  return { places: placesOf(tokens), graph: tokenGraph(tokens, new Set()), endsInWord: endsInWord(tokens, text) }
}

/** Checks that an analyzer a query names, in its member `analyzer` or another, is there. @throws {ServiceError} query_shard_exception */
export function checkAnalyzer(
  query: string,
  analyzer: string | undefined,
  context: QueryContext,
  member = 'analyzer',
): void {
  if (analyzer === undefined || context.search.mapping.analyzers.analyzer(analyzer) !== undefined) return
  throw shardError(context, `[${query}] ${member} [${analyzer}] not found`)
}

/**
 * Whether a text has no words for a field that has no analyzer, which is looked at with the index' own: nothing is then looked
 * for that the field could not take.
 */
export function isWithoutWords(
  path: string,
  field: FieldMapping | undefined,
  text: string,
  analyzer: string | undefined,
  { search }: QueryContext,
): boolean {
  if (field === undefined ? !isUnanalyzed(path, search.engineVersion) : field.kind !== 'binary') return false
  const { analyzers } = search.mapping
  const used = analyzers.analyzer(analyzer ?? 'default_search') ?? analyzers.analyzer('default')
  return used?.analyze(text).length === 0
}

/** Tokens of a text; undefined: it is one word as it stands. */
function tokensOf(
  field: FieldMapping,
  text: string,
  analyzer: string | undefined,
  isQuoted: boolean,
  context: QueryContext,
): TokenBuffer | undefined {
  if (analyzer !== undefined) {
    const named = context.search.mapping.analyzers.analyzer(analyzer)
    if (named === undefined) throw shardError(context, `[match] analyzer [${analyzer}] not found`)
    return named.analyze(text)
  }
  return searchAnalyzer(field, isQuoted)?.analyze(text)
}

function oneWord(text: string): AnalyzedText {
  return { places: [{ terms: [text], position: 0 }], graph: undefined, endsInWord: true }
}

/** Whether nothing follows the last word of a text. */
export function endsInWord(tokens: TokenBuffer, text: string): boolean {
  return tokens.length === 0 || tokens.endOffsets[tokens.length - 1] === text.length
}

function placesOf(tokens: TokenBuffer): PhrasePlace[] {
  const places: { terms: string[]; position: number }[] = []
  let position = -1
  for (let i = 0; i < tokens.length; i++) {
    const increment = tokens.positionIncrements[i] as number
    position += increment
    const term = tokens.terms[i] as string
    const last = places.at(-1)
    if (increment === 0 && last !== undefined) last.terms.push(term)
    else places.push({ terms: [term], position })
  }
  return places
}
