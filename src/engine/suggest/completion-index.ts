import type { Analyzer } from '../analysis/analyzer.ts'
import type { IndexSearcher } from '../index/index-searcher.ts'
import { parseSource } from '../index/parse-source.ts'
import type { SegmentReader } from '../index/segment-reader.ts'
import { isPointArray, parseGeoPoint } from '../mapping/geo-point-value.ts'
import { encodeGeohash } from '../mapping/geohash.ts'
import type { CompletionContext, CompletionSettings } from './completion-settings.ts'

/** An input that can be suggested. */
export interface CompletionEntry {
  /** As analyzed: tokens with separators between them. */
  readonly form: string
  /** As given, cut to the longest input allowed. */
  readonly text: string
  readonly weight: number
  readonly doc: number
  /** Values by context. */
  readonly contexts: Readonly<Record<string, readonly string[]>>
}

/** Between tokens, and in the place of a token left out; neither is part of a word. */
const SEPARATOR = '\u001f'
const HOLE = '\u001e'

/** Readings of a text at most, where its tokens have alternatives. */
const MAX_FORMS = 64

const known = new WeakMap<object, Map<string, readonly CompletionEntry[]>>()

/** All inputs of a field in a segment, by form. Kept as long as the segment is. */
export function completionEntries(
  settings: CompletionSettings,
  segment: SegmentReader,
  searcher: IndexSearcher,
): readonly CompletionEntry[] {
  const ofSegment = known.get(segment.typeOrdinals) ?? new Map<string, readonly CompletionEntry[]>()
  known.set(segment.typeOrdinals, ofSegment)
  const found = ofSegment.get(settings.path)
  if (found !== undefined) return found
  const entries = readEntries(settings, segment, searcher)
  entries.sort((a, b) => (a.form < b.form ? -1 : a.form > b.form ? 1 : a.doc - b.doc))
  ofSegment.set(settings.path, entries)
  return entries
}

/** The forms of a text: more than one where tokens stand in one place. */
export function formsOf(text: string, analyzer: Analyzer, settings: CompletionSettings): string[] {
  const tokens = analyzer.analyze(text)
  const separator = settings.preserveSeparators ? SEPARATOR : ''
  let forms: string[] = []
  let before: string[] = ['']
  for (let i = 0; i < tokens.length; i++) {
    const term = tokens.terms[i] as string
    const increment = tokens.positionIncrements[i] as number
    if (increment > 0 || i === 0) {
      if (i > 0) before = forms.map((form) => form + separator)
      if (settings.preservePositionIncrements && increment > 1) {
        before = before.map((form) => form + `${HOLE}${separator}`.repeat(increment - 1))
      }
      forms = []
    }
    forms.push(...before.map((form) => form + term))
    if (forms.length > MAX_FORMS) forms.length = MAX_FORMS
  }
  return [...new Set(forms)]
}

function readEntries(settings: CompletionSettings, segment: SegmentReader, searcher: IndexSearcher): CompletionEntry[] {
  const column = segment.field(settings.path)?.docValues
  if (column?.kind !== 'binary') return []
  const { present, offsets } = column
  const entries: CompletionEntry[] = []
  const needsSource = settings.contexts.some(({ path }) => path !== undefined)
  for (let doc = 0; doc < segment.maxDoc; doc++) {
    if (present !== undefined && ((present[doc >>> 5] as number) & (1 << (doc & 31))) === 0) continue
    const from = offsets === undefined ? doc : (offsets[doc] as number)
    const to = offsets === undefined ? doc + 1 : (offsets[doc + 1] as number)
    if (from === to) continue
    const source = needsSource ? sourceOf(segment, doc, searcher) : undefined
    for (let at = from; at < to; at++) {
      const bytes = column.value(at)
      const value: unknown = JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString())
      for (const one of Array.isArray(value) ? value : [value]) addEntries(entries, one, doc, settings, source)
    }
  }
  return entries
}

function sourceOf(segment: SegmentReader, doc: number, searcher: IndexSearcher): unknown {
  // A deleted document's record may be gone.
  const { liveDocs } = segment
  if (liveDocs !== undefined && ((liveDocs[doc >>> 5] as number) & (1 << (doc & 31))) === 0) return undefined
  const { source } = searcher.document(segment, doc)
  return source === undefined ? undefined : parseSource(source)
}

function addEntries(
  entries: CompletionEntry[],
  value: unknown,
  doc: number,
  settings: CompletionSettings,
  source: unknown,
): void {
  const object =
    typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : { input: value }
  const inputs = Array.isArray(object['input']) ? object['input'] : [object['input']]
  const given = (object['contexts'] ?? {}) as Readonly<Record<string, unknown>>
  const contexts: Record<string, readonly string[]> = {}
  for (const context of settings.contexts) {
    const values = [
      ...contextValues(given[context.name], context),
      ...(context.path === undefined ? [] : contextValues(valueAt(source, context.path.split('.')), context)),
    ]
    if (values.length > 0) contexts[context.name] = [...new Set(values)]
  }
  const weight = object['weight'] === undefined ? 1 : Number(object['weight'])
  for (const input of inputs) {
    if (input === undefined || input === null || input === '') continue
    const text = cut(String(input), settings.maxInputLength)
    for (const form of formsOf(text, settings.analyzer, settings)) entries.push({ form, text, weight, doc, contexts })
  }
}

function cut(text: string, length: number): string {
  if (text.length <= length) return text
  const code = text.charCodeAt(length - 1)
  // Half a character would be none.
  return text.slice(0, code >= 0xd800 && code < 0xdc00 ? length + 1 : length)
}

/** Values of a context as they are matched: categories as texts, points as geohashes. */
export function contextValues(value: unknown, context: CompletionContext): string[] {
  if (value === undefined || value === null) return []
  if (context.type === 'category') return (Array.isArray(value) ? value : [value]).map(String)
  const points = Array.isArray(value) && !isPointArray(value) ? value : [value]
  return points.map((point) => geohashOf(point, context.precision))
}

/** A geohash of so many letters of a point, or of a geohash. */
export function geohashOf(point: unknown, letters: number): string {
  if (typeof point === 'string' && !point.includes(',')) return point.slice(0, letters)
  const { lat, lon } = parseGeoPoint(point, true)
  return encodeGeohash(lat, lon, letters)
}

function valueAt(json: unknown, path: readonly string[]): unknown {
  if (path.length === 0 || typeof json !== 'object' || json === null) return path.length === 0 ? json : undefined
  const object = json as Readonly<Record<string, unknown>>
  for (let length = 1; length <= path.length; length++) {
    const name = path.slice(0, length).join('.')
    if (Object.hasOwn(object, name)) return valueAt(object[name], path.slice(length))
  }
  return undefined
}
