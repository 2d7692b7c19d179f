import { compareTexts } from '../../engine/algorithms/text-order.ts'
import type { Analyzer } from '../../engine/analysis/analyzer.ts'
import { payloadOf } from '../../engine/analysis/token-filters/payload-filters.ts'
import type { KeywordField, TextField } from '../../engine/mapping/field-mapping.ts'
import type { IndexMapping } from '../../engine/mapping/index-mapping.ts'
import { javaText } from '../../engine/mapping/java-text.ts'
import { ROUTING_FIELD } from '../../engine/mapping/routing-field.ts'
import { illegalArgument } from '../../illegal-argument.ts'
import { matchWildcard } from '../../match-wildcard.ts'
import type { TermVectorsOptions } from './term-vectors-options.ts'

/** One occurrence of a term. */
export interface TermOccurrence {
  readonly position: number
  readonly startOffset: number
  readonly endOffset: number
  /** Of a field that keeps payloads. */
  readonly payload?: Buffer | undefined
}

/** A field of a document: its terms in byte order, each with where it stands. */
export interface FieldVector {
  /** As it was asked for. */
  readonly path: string
  readonly field: TextField | KeywordField
  /** Whether the index keeps this vector; it is made of the document otherwise. */
  readonly isKept: boolean
  readonly terms: ReadonlyMap<string, readonly TermOccurrence[]>
  /** Whether any of its tokens has a payload. */
  readonly hasPayloads: boolean
}

/** A document whose vectors are asked for. */
export interface VectorSource {
  readonly type: string
  readonly id: string
  readonly routing?: string | undefined
  readonly source: Readonly<Record<string, unknown>>
  /** The JSON it was parsed from. */
  readonly raw: string
}

/**
 * The vectors of a document of the index, kept and made, or of one that is not in it.
 *
 * @param isLucene7  6.x takes no keywords of a document that is not the index's: it holds them as bytes
 * @throws {ServiceError} for documents the mapping refuses
 */
export function fieldVectors(
  mapping: IndexMapping,
  document: VectorSource,
  options: TermVectorsOptions,
  isLucene7 = false,
): readonly FieldVector[] {
  const indexed = indexedTexts(mapping, document)
  const vectors: FieldVector[] = []
  for (const [path, field] of wantedFields(mapping, options, indexed, isLucene7)) {
    const given = Object.hasOwn(options.perFieldAnalyzer, path) ? options.perFieldAnalyzer[path] : undefined
    const isKept = options.doc === undefined && keepsVector(field) && given === undefined
    const isMade = isKept || options.doc !== undefined || field.store || field === ROUTING_FIELD
    // What is neither kept nor stored is read from the source, as long as that is.
    if (!isMade && !mapping.sourceEnabled(document.type)) continue
    const texts = isMade ? indexed.get(path) : sourceTexts(document.source, path.split('.'))
    if (texts === undefined || texts.length === 0) continue
    const analyzer = given === undefined ? ownAnalyzer(mapping, field, isMade) : namedAnalyzer(mapping, path, given)
    const keepsPayloads = isKept && keepsParts(field, 'payloads')
    const gap = given === undefined ? gapOf(field) : OTHER_GAP
    const terms = termsOf(texts, analyzer, { gap, isKept, keepsPayloads })
    // Nothing is kept of a text without a word.
    if (isKept && terms.size === 0) continue
    const hasPayloads = keepsPayloads && [...terms.values()].flat().some(({ payload }) => payload !== undefined)
    vectors.push({ path, field, isKept, terms, hasPayloads })
  }
  return vectors
}

/** What indexing takes of a document's texts and keywords, by path. */
function indexedTexts(mapping: IndexMapping, document: VectorSource): ReadonlyMap<string, string[]> {
  const { type, id, routing } = document
  const parsed = mapping.parse(type, id, document.source, document.raw, routing)
  const texts = new Map<string, string[]>()
  for (const { field, value } of parsed.documents.at(-1)?.fields ?? []) {
    if ((field.kind !== 'text' && field.kind !== 'keyword') || typeof value !== 'string') continue
    const list = texts.get(field.path)
    if (list === undefined) texts.set(field.path, [value])
    else list.push(value)
  }
  return texts
}

/** Texts at a path of a source; what is no object on the way to it stands for all below, as for multi-fields. */
function sourceTexts(value: unknown, path: readonly string[]): string[] {
  if (Array.isArray(value)) return value.flatMap((one) => sourceTexts(one, path))
  if (value === undefined || value === null) return []
  if (typeof value !== 'object') return [javaText(value)]
  for (let length = 1; length <= path.length; length++) {
    const member = (value as Readonly<Record<string, unknown>>)[path.slice(0, length).join('.')]
    if (member !== undefined && member !== null) return sourceTexts(member, path.slice(length))
  }
  return []
}

/** Without names, a document of the index shows what keeps vectors, and one that is not shows all it has. */
function wantedFields(
  mapping: IndexMapping,
  { fields: names, doc }: TermVectorsOptions,
  indexed: ReadonlyMap<string, string[]>,
  isLucene7: boolean,
): (readonly [path: string, field: TextField | KeywordField])[] {
  const paths =
    doc === undefined && names !== undefined
      ? [...names.flatMap((name) => mapping.matchFields(name)), ROUTING_FIELD.path]
      : [...indexed.keys()]
  return [...new Set(paths)].flatMap((path) => {
    const field = path === ROUTING_FIELD.path ? ROUTING_FIELD : mapping.field(path)
    if ((field?.kind !== 'text' && field?.kind !== 'keyword') || !field.index) return []
    // What a join field holds is not in the source as it is.
    const isOther = field.kind === 'keyword' && (field.typeName !== undefined) !== (field.flat !== undefined)
    if (isOther && field !== ROUTING_FIELD) return []
    if (field.kind === 'keyword' && isLucene7 && doc !== undefined) return []
    // 6.x makes none of its runs of words.
    if (field.kind === 'text' && field.subField?.kind === 'phrase' && isLucene7 && !keepsVector(field)) return []
    if (names === undefined) return doc !== undefined || keepsVector(field) ? [[path, field] as const] : []
    return names.some((name) => matchWildcard(name, path)) ? [[path, field] as const] : []
  })
}

const keepsParts = (field: TextField | KeywordField, parts: string): boolean =>
  field.kind === 'text' && field.termVector.includes(parts)

const keepsVector = (field: TextField | KeywordField): boolean => field.kind === 'text' && field.termVector !== 'no'

/**
 * What a field's texts are taken apart with; undefined: each is one term.
 *
 * @param isNormalized  keywords are already
 */
function ownAnalyzer(
  mapping: IndexMapping,
  field: TextField | KeywordField,
  isNormalized: boolean,
): Analyzer | undefined {
  if (field.kind === 'text') return field.analyzer
  // Flat objects have none of their own.
  if (field.flat !== undefined) return mapping.analyzers.analyzer('default')
  return isNormalized ? undefined : field.normalizer
}

function namedAnalyzer(mapping: IndexMapping, path: string, name: string): Analyzer {
  const analyzer = mapping.analyzers.analyzer(name)
  if (analyzer !== undefined) return analyzer
  throw illegalArgument(`No analyzer found for field [${path}] and name [${name}]`)
}

function gapOf(field: TextField | KeywordField): number {
  if (field.kind === 'text') return field.positionIncrementGap
  return field.flat === undefined ? 0 : OTHER_GAP
}

/** Between values that are taken apart by what is not their field's own. */
const OTHER_GAP = 100

/**
 * @param analyzer  undefined: each value is one term
 * @param isKept    as the index counts places; what is made of a document begins anew until there is a token, and leaves
 *                  no room for words that were left out at a value's end
 */
function termsOf(
  values: readonly string[],
  analyzer: Analyzer | undefined,
  { gap, isKept, keepsPayloads }: { readonly gap: number; readonly isKept: boolean; readonly keepsPayloads: boolean },
): ReadonlyMap<string, readonly TermOccurrence[]> {
  const terms = new Map<string, TermOccurrence[]>()
  const add = (term: string, occurrence: TermOccurrence): void => {
    const list = terms.get(term)
    if (list === undefined) terms.set(term, [occurrence])
    else list.push(occurrence)
  }
  let position = -1
  let offset = 0
  let isFirst = true
  for (const value of values) {
    if (!isFirst) position += gap
    if (analyzer === undefined) {
      position++
      isFirst = false
      add(value, { position, startOffset: offset, endOffset: offset + value.length })
      offset += value.length + 1
      continue
    }
    const tokens = analyzer.analyze(value)
    for (let t = 0; t < tokens.length; t++) {
      position += tokens.positionIncrements[t] as number
      add(tokens.terms[t] as string, {
        position,
        startOffset: offset + (tokens.startOffsets[t] as number),
        endOffset: offset + (tokens.endOffsets[t] as number),
        ...(keepsPayloads ? { payload: payloadOf(tokens, t) } : {}),
      })
    }
    if (isKept) position += tokens.trailingPositionIncrement
    isFirst &&= !isKept && tokens.length === 0
    if (!isFirst) offset += tokens.finalOffset + 1
  }
  return new Map([...terms].sort(([a], [b]) => compareTexts(a, b)))
}
