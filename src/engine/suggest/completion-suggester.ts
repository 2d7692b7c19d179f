import { partitionPoint } from '../algorithms/partition-point.ts'
import { selectTop } from '../algorithms/select-top.ts'
import { compareTexts } from '../algorithms/text-order.ts'
import { luceneGeneration } from '../analysis/automaton/lucene-generation.ts'
import type { LuceneGeneration } from '../analysis/automaton/regexp-parser.ts'
import { RegexpAutomaton, type RegexpOptions } from '../analysis/lucene-regexp.ts'
import type { EngineVersion } from '../engine-version.ts'
import type { IndexSearcher } from '../index/index-searcher.ts'
import type { SegmentReader } from '../index/segment-reader.ts'
import { inJavaHashOrder } from '../java/java-hash-order.ts'
import { formsOf } from '../mapping/types/completion-forms.ts'
import { illegalInQueryPhase, inQueryPhase } from '../search/query-phase.ts'
import { type BeginningReader, type MatchedRun, type SortedTexts, walkBeginnings } from './beginning-walk.ts'
import { type ContextFilter, contextFilter, everywhere } from './completion-contexts.ts'
import { type CompletionEntry, type CompletionInputs, completionInputs } from './completion-index.ts'
import { comparePaths, type FormMatch, pathsAnywhere, pathsUnder } from './completion-paths.ts'
import { type CompletionSettings, completionSettings } from './completion-settings.ts'
import { NearBeginning, type NearState } from './near-beginning.ts'
import { analyzerNamed } from './suggest-analyzer.ts'
import type { SuggestEntry, SuggestOption } from './suggest-result.ts'
import { utf8Units } from './utf8-units.ts'

/** `completion`: inputs that begin like a text. */
export interface CompletionSuggestion {
  readonly kind: 'completion'
  /** Undefined: none was given, which is found out after the field. */
  readonly text: string | undefined
  readonly isRegexp: boolean
  /** How a regular expression is read. */
  readonly regexp?: RegexpOptions
  readonly field: string
  readonly size: number
  /** Documents that each index gives at most. */
  readonly shardSize: number
  readonly skipDuplicates: boolean
  readonly fuzzy: FuzzyCompletion | undefined
  /** Of no effect, but it has to be there. */
  readonly analyzer: string | undefined
  /** As given, by context: what they mean depends on the mapping. */
  readonly contexts: Readonly<Record<string, unknown>> | undefined
  /** Told where a field with contexts is asked without one. */
  readonly hearNoContext?: (() => void) | undefined
}

/** How far beginnings may be from the text. */
export interface FuzzyCompletion {
  readonly edits: number
  readonly transpositions: boolean
  /** Of a text that is not asked for as it is, and of its beginning that is: in bytes, or in characters. */
  readonly minLength: number
  readonly prefixLength: number
  /** Whether characters count, not bytes. */
  readonly isUnicodeAware: boolean
}

interface Match {
  readonly entry: CompletionEntry
  readonly searcher: number
  readonly segment: number
  readonly score: number
  /** What it was found under, once for each time. */
  readonly contexts: { readonly name: string; readonly value: string }[]
}

/** The best inputs of all indices: one a document, by weight, then by text. */
export function suggestCompletions(
  suggestion: CompletionSuggestion,
  searchers: readonly IndexSearcher[],
  engineVersion: EngineVersion,
): SuggestEntry[] {
  // Until 7.0 a field with contexts could be asked without one.
  const needsContexts = engineVersion !== 'Elasticsearch_6.8'
  const { text = '', size, shardSize, skipDuplicates } = suggestion
  const found = searchers.flatMap((searcher, s) => {
    const settings = completionSettings(searcher, suggestion.field, engineVersion)
    if (suggestion.analyzer !== undefined) analyzerNamed(searcher, suggestion.analyzer)
    const filter = contextFilter(suggestion.contexts, settings, needsContexts, suggestion.hearNoContext)
    if (suggestion.text === undefined) throw illegalInQueryPhase('The required text option is missing')
    if (suggestion.isRegexp && suggestion.fuzzy !== undefined) {
      // The reason is the real server's, to the missing mark.
      throw illegalInQueryPhase("can not use 'fuzzy' options with 'regex")
    }
    const matching = formMatcher(suggestion, settings, luceneGeneration(engineVersion))
    const ofIndex = searcher.segments.flatMap((segment, g) =>
      bestOfSegment(completionInputs(settings, segment, searcher), matching, filter, segment, suggestion).map(
        ({ entry, score, contexts }): Match => ({ entry, score, contexts, searcher: s, segment: g }),
      ),
    )
    return best(ofIndex, shardSize, skipDuplicates)
  })
  const options = best(found, size, skipDuplicates).map(
    ({ entry, searcher, segment, score, contexts }): SuggestOption => {
      const hit = { searcher, segment, doc: entry.doc, score }
      return { text: entry.text, score, hit, ...(contexts.length === 0 ? {} : { contexts: byName(contexts) }) }
    },
  )
  return [{ text, offset: 0, length: text.length, options }]
}

function best(matches: readonly Match[], size: number, skipDuplicates: boolean): Match[] {
  const texts = new Set<string>()
  const out: Match[] = []
  for (const match of [...matches].sort(compareMatches)) {
    if (out.length === size) break
    if (skipDuplicates && texts.has(match.entry.text)) continue
    texts.add(match.entry.text)
    out.push(match)
  }
  return out
}

/** Sets of values by context, as Java lists them. */
function byName(contexts: Match['contexts']): Record<string, string[]> {
  const names = inJavaHashOrder([...new Set(contexts.map(({ name }) => name))])
  const valuesOf = (name: string): string[] => contexts.flatMap((one) => (one.name === name ? [one.value] : []))
  return Object.fromEntries(names.map((name) => [name, inJavaHashOrder([...new Set(valuesOf(name))])]))
}

/**
 * The best documents of a segment. As many paths are gone as there are to be documents, for each beginning that matches under each
 * context: several inputs of one document may take the places of others.
 *
 * @source Lucene's NRTSuggester, Elasticsearch's TopSuggestGroupDocsCollector
 */
function bestOfSegment(
  { entries, forms }: CompletionInputs,
  matching: FormMatcher,
  filter: ContextFilter,
  { liveDocs }: SegmentReader,
  { shardSize, skipDuplicates }: CompletionSuggestion,
): Pick<Match, 'entry' | 'score' | 'contexts'>[] {
  const runs = [...matching(forms)]
  const { paths, beginnings } =
    filter === everywhere
      ? pathsAnywhere(entries, runs, liveDocs, skipDuplicates ? Number.POSITIVE_INFINITY : shardSize)
      : pathsUnder(filter, entries, runs, liveDocs)
  let left = shardSize * beginnings
  const ordered = skipDuplicates ? paths.sort(comparePaths) : selectTop(paths, left, comparePaths)
  const texts = new Set<string>()
  const byDoc = new Map<number, Pick<Match, 'entry' | 'score' | 'contexts'>>()
  for (const { at, context, score } of ordered) {
    if (left === 0) break
    const entry = entries[at] as CompletionEntry
    if (skipDuplicates && texts.has(entry.text)) continue
    texts.add(entry.text)
    left--
    const known = byDoc.get(entry.doc) ?? { entry, score, contexts: [] }
    byDoc.set(entry.doc, known)
    if (context !== undefined) known.contexts.push(context)
  }
  return [...byDoc.values()]
}

function compareMatches(a: Match, b: Match): number {
  if (a.score !== b.score) return b.score - a.score
  if (a.entry.text !== b.entry.text) return a.entry.text < b.entry.text ? -1 : 1
  return a.searcher - b.searcher || a.segment - b.segment || a.entry.doc - b.entry.doc
}

/** Finds the runs of forms that begin as asked for. */
type FormMatcher = (forms: SortedTexts) => Iterable<MatchedRun<FormMatch>>

/** @throws {ServiceError} for an expression that is none */
function formMatcher(
  { text = '', isRegexp, regexp, fuzzy }: CompletionSuggestion,
  settings: CompletionSettings,
  lucene: LuceneGeneration,
): FormMatcher {
  if (isRegexp) {
    const automaton = inQueryPhase(() => new RegexpAutomaton(text, { ...regexp, lucene }))
    // As a text does, an empty expression matches nothing.
    return (texts) => (text === '' ? [] : walkBeginnings(texts, utf8Units, regexpReader(automaton)))
  }
  // Nothing asked for matches nothing, as in the real server.
  const forms = text === '' ? [] : formsOf(text, settings.searchAnalyzer, settings)
  if (fuzzy !== undefined && forms.length > 0) return fuzzyMatcher(forms, fuzzy)
  return (texts) => forms.map((form) => beginningWith(form, texts))
}

function beginningWith(form: string, { count, textAt }: SortedTexts): MatchedRun<FormMatch> {
  const from = partitionPoint(count, (at) => compareTexts(textAt(at), form) < 0)
  const to = partitionPoint(count, (at) => textAt(at).startsWith(form) || compareTexts(textAt(at), form) < 0)
  return { from, to, match: { prefix: form, boost: 0 } }
}

/** Expressions are over characters, forms over bytes: only what is ASCII is found by its characters. */
function regexpReader(automaton: RegexpAutomaton): BeginningReader<number, FormMatch> {
  return {
    start: 0,
    step(state, byte) {
      const next = automaton.step(state, byte)
      return next < 0 ? undefined : next
    },
    match: (state, bytes) => (automaton.accepts(state) ? { prefix: textOf(bytes), boost: 0 } : undefined),
  }
}

/** Boost: how many bytes the texts have in common up to where the beginning is near enough. */
function fuzzyMatcher(forms: readonly string[], fuzzy: FuzzyCompletion): FormMatcher {
  const unitsOf = fuzzy.isUnicodeAware ? (codePoint: number) => [codePoint] : utf8Units
  const wanted = forms.map((form) => codePoints(form).flatMap(unitsOf))
  const near = new NearBeginning(wanted, fuzzy)
  const found = (units: readonly number[]): FormMatch => {
    const bytes = fuzzy.isUnicodeAware ? units.flatMap(utf8Units) : units
    return { prefix: textOf(units), boost: Math.max(...wanted.map((one) => inCommon(one, bytes))) }
  }
  const reader: BeginningReader<NearState, FormMatch> = {
    start: near.start,
    step: (state, unit) => near.step(state, unit),
    match: (state, units) => (near.accepts(state) ? found(units) : undefined),
  }
  return (texts) => walkBeginnings(texts, unitsOf, reader)
}

const codePoints = (text: string): number[] => Array.from(text, (character) => character.codePointAt(0) as number)

/** Tells beginnings apart. */
const textOf = (units: readonly number[]): string => String.fromCodePoint(...units)

function inCommon(wanted: readonly number[], bytes: readonly number[]): number {
  let common = 0
  while (common < bytes.length && wanted[common] === bytes[common]) common++
  return common
}
