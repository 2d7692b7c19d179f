import { ServiceError } from '../../errors.ts'
import { setOwn } from '../../set-own.ts'
import { compareTexts } from '../algorithms/text-order.ts'
import type { EngineVersion } from '../engine-version.ts'
import type { IndexSearcher } from '../index/index-searcher.ts'
import { parseSource } from '../index/parse-source.ts'
import type { SegmentReader } from '../index/segment-reader.ts'
import { isPointArray, parseGeoPoint } from '../mapping/geo/geo-point-value.ts'
import { encodeGeohash } from '../mapping/geo/geohash.ts'
import { cutInput, formsOf, isBlankInput, WITH_ALL_CONTEXTS } from '../mapping/types/completion-forms.ts'
import { contextValues } from '../mapping/types/context-values.ts'
import { type SortedTexts, sortedTexts } from './beginning-walk.ts'
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

/** All inputs of a field in a segment, by form; those of one form in the order that searches come to them where scores are equal. */
export interface CompletionInputs {
  readonly entries: readonly CompletionEntry[]
  readonly forms: SortedTexts
}

const known = new WeakMap<object, Map<string, CompletionInputs>>()

/** Kept as long as the segment is. */
export function completionInputs(
  settings: CompletionSettings,
  segment: SegmentReader,
  searcher: IndexSearcher,
): CompletionInputs {
  const ofSegment = known.get(segment.typeOrdinals) ?? new Map<string, CompletionInputs>()
  known.set(segment.typeOrdinals, ofSegment)
  const found = ofSegment.get(settings.path)
  if (found !== undefined) return found
  const entries = readEntries(settings, segment, searcher)
  // By documents within a form.
  entries.sort((a, b) => compareTexts(a.form, b.form))
  orderForms(entries)
  const inputs = { entries, forms: sortedTexts(entries.length, (at) => (entries[at] as CompletionEntry).form) }
  ofSegment.set(settings.path, inputs)
  return inputs
}

/**
 * Brings the inputs of each form into the order of Lucene's graph: that of the array behind a heap, with the greatest weight first,
 * that they were put into by their documents. Where all weights are equal that changes nothing.
 *
 * @source Lucene's NRTSuggesterBuilder
 */
function orderForms(entries: CompletionEntry[]): void {
  let from = 0
  for (let at = 1; at <= entries.length; at++) {
    if (at < entries.length && (entries[at] as CompletionEntry).form === (entries[from] as CompletionEntry).form) {
      siftUp(entries, from, at)
    } else from = at
  }
}

/** Moves the entry at a place up the heap that begins at another. */
function siftUp(entries: CompletionEntry[], from: number, place: number): void {
  const entry = entries[place] as CompletionEntry
  let at = place - from
  while (at > 0) {
    const above = (at - 1) >>> 1
    const parent = entries[from + above] as CompletionEntry
    if (parent.weight >= entry.weight) break
    entries[from + at] = parent
    at = above
  }
  entries[from + at] = entry
}

function readEntries(settings: CompletionSettings, segment: SegmentReader, searcher: IndexSearcher): CompletionEntry[] {
  const column = segment.field(settings.path)?.docValues
  if (column?.kind !== 'binary') return []
  const { present, offsets } = column
  const entries: CompletionEntry[] = []
  for (let doc = 0; doc < segment.maxDoc; doc++) {
    if (present !== undefined && ((present[doc >>> 5] as number) & (1 << (doc & 31))) === 0) continue
    const from = offsets === undefined ? doc : (offsets[doc] as number)
    const to = offsets === undefined ? doc + 1 : (offsets[doc + 1] as number)
    if (from === to) continue
    let read: { readonly source: unknown } | undefined
    const source = (): unknown => {
      read ??= { source: sourceOf(segment, doc, searcher) }
      return read.source
    }
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
  source: () => unknown,
): void {
  const object =
    typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : { input: value }
  const inputs = Array.isArray(object['input']) ? object['input'] : [object['input']]
  const given = (object['contexts'] ?? {}) as Readonly<Record<string, unknown>>
  const contexts: Record<string, readonly string[]> = {}
  const hasAll = object[WITH_ALL_CONTEXTS] === true
  for (const context of settings.contexts) {
    const values = [
      ...namedValues(given[context.name], context, settings.engineVersion),
      ...(context.path === undefined || hasAll ? [] : fieldValues(valueAt(source(), context.path.split('.')), context)),
    ]
    if (values.length > 0) setOwn(contexts, context.name, [...new Set(values)])
  }
  const weight = object['weight'] === undefined ? 1 : Number(object['weight'])
  for (const input of inputs) {
    if (input === undefined || input === null || isBlankInput(String(input))) continue
    const text = cutInput(String(input), settings.maxInputLength)
    for (const form of formsOf(text, settings.analyzer, settings)) entries.push({ form, text, weight, doc, contexts })
  }
}

/** Values that a suggestion names itself. They were checked when the document was written, unless that was long ago. */
function namedValues(value: unknown, context: CompletionContext, engineVersion: EngineVersion): string[] {
  try {
    return value === undefined ? [] : contextValues(value, context, engineVersion)
  } catch (error) {
    if (error instanceof ServiceError) return []
    throw error
  }
}

/** Values that a field of the document gives, where they were not written with the suggestion yet. */
function fieldValues(value: unknown, context: CompletionContext): string[] {
  if (value === undefined || value === null) return []
  if (context.type === 'category') return (Array.isArray(value) ? value : [value]).map(String)
  const points = Array.isArray(value) && !isPointArray(value) ? value : [value]
  return points.map((point) => geohashOf(point, context.precision))
}

/** A geohash of so many letters of a point, or of a geohash. */
function geohashOf(point: unknown, letters: number): string {
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
