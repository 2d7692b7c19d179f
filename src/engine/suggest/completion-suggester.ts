import { ServiceError } from '../../errors.ts'
import { luceneGeneration } from '../analysis/automaton/lucene-generation.ts'
import type { LuceneGeneration } from '../analysis/automaton/regexp-parser.ts'
import type { EngineVersion } from '../engine-version.ts'
import type { IndexSearcher } from '../index/index-searcher.ts'
import { formsOf } from '../mapping/completion-forms.ts'
import { encodeGeohash, geohashCell } from '../mapping/geohash.ts'
import { partitionPoint } from '../partition-point.ts'
import { RegexpAutomaton, type RegexpOptions } from '../search/terms/lucene-regexp.ts'
import { type CompletionEntry, completionEntries, geohashOf } from './completion-index.ts'
import { type CompletionSettings, completionSettings, geohashLetters } from './completion-settings.ts'
import type { SuggestEntry, SuggestOption } from './suggest-result.ts'

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
  readonly skipDuplicates: boolean
  readonly fuzzy: FuzzyCompletion | undefined
  /** As given, by context: what they mean depends on the mapping. */
  readonly contexts: Readonly<Record<string, unknown>>
}

/** How far beginnings may be from the text. */
export interface FuzzyCompletion {
  /** By length of the text in characters. */
  readonly edits: (length: number) => number
  readonly transpositions: boolean
  readonly minLength: number
  readonly prefixLength: number
}

interface Match {
  readonly entry: CompletionEntry
  readonly searcher: number
  readonly segment: number
  readonly score: number
  readonly contexts: Record<string, string[]> | undefined
}

/** Length of the beginning that matches, -1: none; and what the weight is multiplied with (0: nothing). */
type FormMatcher = (form: string) => number

/** The best inputs of all indices: one a document, by weight, then by text. */
export function suggestCompletions(
  suggestion: CompletionSuggestion,
  searchers: readonly IndexSearcher[],
  engineVersion: EngineVersion,
): SuggestEntry[] {
  // Until 7.0 a field with contexts could be asked without one.
  const needsContexts = engineVersion !== 'Elasticsearch_6.8'
  const lucene = luceneGeneration(engineVersion)
  const { text = '', size, skipDuplicates } = suggestion
  const best = new Map<string, Match>()
  searchers.forEach((searcher, s) => {
    const settings = completionSettings(searcher, suggestion.field, engineVersion)
    if (suggestion.text === undefined) throw illegal('The required text option is missing')
    if (suggestion.isRegexp && suggestion.fuzzy !== undefined) {
      // The reason is the real server's, to the missing mark.
      throw illegal("can not use 'fuzzy' options with 'regex")
    }
    const filter = contextFilter(suggestion, settings, needsContexts)
    searcher.segments.forEach((segment, g) => {
      const { liveDocs } = segment
      for (const [entry, boost] of matching(
        suggestion,
        settings,
        completionEntries(settings, segment, searcher),
        lucene,
      )) {
        const { doc } = entry
        if (liveDocs !== undefined && ((liveDocs[doc >>> 5] as number) & (1 << (doc & 31))) === 0) continue
        const context = filter(entry)
        if (context === undefined) continue
        const score = scoreOf(entry.weight, boost + context.boost)
        const match: Match = { entry, searcher: s, segment: g, score, contexts: context.contexts }
        const key = `${s}/${g}/${doc}`
        const other = best.get(key)
        if (other === undefined || compareMatches(match, other) < 0) best.set(key, match)
      }
    })
  })
  const sorted = [...best.values()].sort(compareMatches)
  const options: SuggestOption[] = []
  const texts = new Set<string>()
  for (const { entry, searcher, segment, score, contexts } of sorted) {
    if (options.length === size) break
    if (skipDuplicates && texts.has(entry.text)) continue
    texts.add(entry.text)
    const hit = { searcher, segment, doc: entry.doc, score }
    options.push({ text: entry.text, score, hit, ...(contexts === undefined ? {} : { contexts }) })
  }
  return [{ text, offset: 0, length: text.length, options }]
}

function scoreOf(weight: number, boost: number): number {
  if (boost === 0) return Math.fround(weight)
  return weight === 0 ? Math.fround(boost) : Math.fround(weight * boost)
}

function compareMatches(a: Match, b: Match): number {
  if (a.score !== b.score) return b.score - a.score
  if (a.entry.text !== b.entry.text) return a.entry.text < b.entry.text ? -1 : 1
  return a.searcher - b.searcher || a.segment - b.segment || a.entry.doc - b.entry.doc
}

/** Entries whose form begins as asked for, with the boost that gives. */
function* matching(
  suggestion: CompletionSuggestion,
  settings: CompletionSettings,
  entries: readonly CompletionEntry[],
  lucene: LuceneGeneration,
): Generator<readonly [entry: CompletionEntry, boost: number]> {
  const { text = '', isRegexp, fuzzy } = suggestion
  if (isRegexp) {
    // As a text does, an empty expression matches nothing.
    if (text === '') return
    const automaton = new RegexpAutomaton(text, { ...suggestion.regexp, lucene })
    const matcher: FormMatcher = (form) => {
      let state = 0
      if (automaton.accepts(state)) return 0
      for (const char of form) {
        state = automaton.step(state, char.codePointAt(0) as number)
        if (state < 0) return -1
        if (automaton.accepts(state)) return 0
      }
      return -1
    }
    yield* scan(entries, matcher)
    return
  }
  const forms = formsOf(text, settings.searchAnalyzer, settings)
  if (text === '' || forms.length === 0) {
    // Nothing asked for matches nothing, as in the real server.
    return
  }
  if (fuzzy !== undefined) {
    yield* scan(entries, fuzzyMatcher(forms, fuzzy))
    return
  }
  for (const form of forms) {
    const first = partitionPoint(entries.length, (i) => (entries[i] as CompletionEntry).form < form)
    for (let at = first; at < entries.length; at++) {
      const entry = entries[at] as CompletionEntry
      if (!entry.form.startsWith(form)) break
      yield [entry, 0]
    }
  }
}

function* scan(
  entries: readonly CompletionEntry[],
  matcher: FormMatcher,
): Generator<readonly [entry: CompletionEntry, boost: number]> {
  // Equal forms stand together: each is looked at once.
  let form: string | undefined
  let boost = -1
  for (const entry of entries) {
    if (entry.form !== form) {
      form = entry.form
      boost = matcher(form)
    }
    if (boost >= 0) yield [entry, boost]
  }
}

/** Boost: how many characters the texts have in common up to where the beginning is near enough. */
function fuzzyMatcher(forms: readonly string[], fuzzy: FuzzyCompletion): FormMatcher {
  return (form) => {
    let boost = -1
    for (const wanted of forms) {
      const length = nearPrefix(wanted, form, fuzzy)
      if (length < 0) continue
      let common = 0
      while (common < Math.min(length, wanted.length) && wanted[common] === form[common]) common++
      boost = Math.max(boost, common)
    }
    return boost
  }
}

/** Length of the shortest beginning of a form that is near a text; -1: there is none. */
function nearPrefix(wanted: string, form: string, fuzzy: FuzzyCompletion): number {
  const { minLength, prefixLength, transpositions } = fuzzy
  const edits = wanted.length < minLength ? 0 : fuzzy.edits(Array.from(wanted).length)
  if (edits === 0) return form.startsWith(wanted) ? wanted.length : -1
  if (wanted.slice(0, prefixLength) !== form.slice(0, prefixLength)) return -1
  let before: number[] = []
  let row = Array.from({ length: wanted.length + 1 }, (_, i) => i)
  if ((row[wanted.length] as number) <= edits) return 0
  for (let i = 1; i <= form.length; i++) {
    const next = [i]
    for (let j = 1; j <= wanted.length; j++) {
      const change = (row[j - 1] as number) + (form[i - 1] === wanted[j - 1] ? 0 : 1)
      let best = Math.min(change, (row[j] as number) + 1, (next[j - 1] as number) + 1)
      if (transpositions && i > 1 && j > 1 && form[i - 1] === wanted[j - 2] && form[i - 2] === wanted[j - 1]) {
        best = Math.min(best, (before[j - 2] as number) + 1)
      }
      next.push(best)
    }
    if ((next[wanted.length] as number) <= edits && i >= prefixLength) return i
    if (Math.min(...next) > edits) return -1
    before = row
    row = next
  }
  return -1
}

interface ContextQuery {
  readonly name: string
  readonly value: string
  readonly isPrefix: boolean
  readonly boost: number
}

interface ContextMatch {
  readonly boost: number
  readonly contexts: Record<string, string[]> | undefined
}

/** Which entries carry a context asked for; undefined for those that do not. */
function contextFilter(
  { contexts: given, field }: CompletionSuggestion,
  settings: CompletionSettings,
  needsContexts: boolean,
): (entry: CompletionEntry) => ContextMatch | undefined {
  const { contexts } = settings
  for (const name of Object.keys(given)) {
    if (!contexts.some((context) => context.name === name)) {
      throw illegal(
        contexts.length === 0
          ? `suggester [${field}] doesn't expect any context`
          : `Unknown context name [${name}], must be one of ${JSON.stringify(contexts.map((c) => c.name)).replaceAll('"', '')}`,
      )
    }
  }
  if (contexts.length === 0) return () => ({ boost: 0, contexts: undefined })
  const queries = contexts.flatMap((context) => readQueries(given[context.name], context, field))
  if (needsContexts && queries.length === 0) throw illegal('Missing mandatory contexts in context query')
  return (entry) => {
    const matched: Record<string, string[]> = {}
    let boost = 0
    for (const [name, values] of Object.entries(entry.contexts)) {
      for (const value of values) {
        const found = queries.filter(
          (query) => query.name === name && (query.isPrefix ? value.startsWith(query.value) : value === query.value),
        )
        if (queries.length > 0 && found.length === 0) continue
        matched[name] = [...(matched[name] ?? []), value]
        for (const query of found) boost = Math.max(boost, query.boost)
      }
    }
    if (queries.length > 0 && Object.keys(matched).length === 0) return undefined
    return { boost, contexts: matched }
  }
}

function readQueries(json: unknown, context: CompletionSettings['contexts'][number], field: string): ContextQuery[] {
  if (json === undefined || json === null) return []
  const { name, type, precision } = context
  const isPoint = (value: unknown): boolean =>
    Array.isArray(value) ? value.length === 2 && value.every((n) => typeof n === 'number') : false
  const list = Array.isArray(json) && !isPoint(json) ? json : [json]
  return list.flatMap((one: unknown): ContextQuery[] => {
    const object =
      typeof one === 'object' && one !== null && !Array.isArray(one) ? (one as Record<string, unknown>) : undefined
    const wrapped = object !== undefined && Object.hasOwn(object, 'context') ? object : undefined
    const boost = wrapped?.['boost'] === undefined ? 1 : Number(wrapped['boost'])
    const value = wrapped === undefined ? one : wrapped['context']
    if (type === 'category') {
      if (typeof value === 'object') throw illegal(`category context must be a string, number or boolean in [${field}]`)
      const isPrefix = wrapped?.['prefix'] === true || wrapped?.['prefix'] === 'true'
      return [{ name, value: String(value), isPrefix, boost }]
    }
    const letters =
      wrapped?.['precision'] === undefined ? precision : Math.min(precision, geohashLetters(wrapped['precision']))
    const center = geohashOf(value, letters)
    const near = wrapped?.['neighbours'] ?? wrapped?.['neighbors']
    const wider = (near === undefined ? [] : Array.isArray(near) ? near : [near])
      .map((ring) => geohashLetters(ring))
      .filter((ring) => ring < letters)
    // Unasked, the cells around the finest one count too.
    const rings = near === undefined ? (letters === precision ? [letters] : []) : wider
    const cells = [center, ...rings.flatMap((ring) => [center.slice(0, ring), ...neighbours(center.slice(0, ring))])]
    return [...new Set(cells)].map((cell) => ({ name, value: cell, isPrefix: cell.length < precision, boost }))
  })
}

/** The eight cells around a geohash. */
function neighbours(cell: string): string[] {
  const { south, north, west, east } = geohashCell(cell)
  const height = north - south
  const width = east - west
  const found: string[] = []
  for (const dy of [-1, 0, 1]) {
    const lat = (south + north) / 2 + dy * height
    if (lat < -90 || lat > 90) continue
    for (const dx of [-1, 0, 1]) {
      if (dx === 0 && dy === 0) continue
      const lon = (west + east) / 2 + dx * width
      found.push(encodeGeohash(lat, lon < -180 ? lon + 360 : lon > 180 ? lon - 360 : lon, cell.length))
    }
  }
  return found
}

function illegal(reason: string): ServiceError {
  return new ServiceError('illegal_argument_exception', reason, { inQueryPhase: true })
}
