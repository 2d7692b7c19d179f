import type { Analyzer } from '../../engine/analysis/analyzer.ts'
import type { KeywordField, TextField } from '../../engine/mapping/field-mapping.ts'
import type { IndexMapping } from '../../engine/mapping/index-mapping.ts'
import { matchWildcard } from '../../engine/mapping/wildcard.ts'
import { ServiceError } from '../../errors.ts'
import type { TermVectorsOptions } from './term-vectors-options.ts'

/** One occurrence of a term. */
export interface TermOccurrence {
  readonly position: number
  readonly startOffset: number
  readonly endOffset: number
}

/** A field of a document: its terms in byte order, each with where it stands. */
export interface FieldVector {
  readonly field: TextField | KeywordField
  readonly terms: ReadonlyMap<string, readonly TermOccurrence[]>
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
 * Takes a document apart as indexing does.
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
  const { type, id, routing } = document
  const parsed = mapping.parse(type, id, document.source, document.raw, routing)
  const values = new Map<string, string[]>()
  const fields = new Map<string, TextField | KeywordField>()
  for (const { field, value } of parsed.documents.at(-1)?.fields ?? []) {
    if ((field.kind !== 'text' && field.kind !== 'keyword') || typeof value !== 'string') continue
    // What a join field holds is not in the source as it is.
    if (field.kind === 'keyword' && (field.typeName !== undefined || (isLucene7 && options.doc !== undefined))) continue
    if (!field.index || mapping.field(field.path) === undefined || !isWanted(field, options)) continue
    const list = values.get(field.path)
    if (list === undefined) {
      fields.set(field.path, field)
      values.set(field.path, [value])
    } else list.push(value)
  }
  return [...fields].map(([path, field]) => ({
    field,
    terms: termsOf(field, values.get(path) as string[], analyzerOf(mapping, field, options)),
  }))
}

/** Without names, a document of the index shows what keeps vectors, and one that is not shows all it has. */
function isWanted(field: TextField | KeywordField, { fields, doc }: TermVectorsOptions): boolean {
  if (fields !== undefined) return fields.some((pattern) => matchWildcard(pattern, field.path))
  return doc !== undefined || (field.kind === 'text' && field.termVector !== 'no')
}

function analyzerOf(
  mapping: IndexMapping,
  field: TextField | KeywordField,
  { perFieldAnalyzer }: TermVectorsOptions,
): Analyzer | undefined {
  const name = perFieldAnalyzer[field.path]
  if (name === undefined) return field.kind === 'text' ? field.analyzer : undefined
  const analyzer = mapping.analyzers.analyzer(name)
  if (analyzer === undefined) {
    throw new ServiceError(
      'illegal_argument_exception',
      `No analyzer found for field [${field.path}] and name [${name}]`,
    )
  }
  return analyzer
}

/** @param analyzer  undefined: each value is one term */
function termsOf(
  field: TextField | KeywordField,
  values: readonly string[],
  analyzer: Analyzer | undefined,
): ReadonlyMap<string, readonly TermOccurrence[]> {
  const terms = new Map<string, TermOccurrence[]>()
  const add = (term: string, occurrence: TermOccurrence): void => {
    const list = terms.get(term)
    if (list === undefined) terms.set(term, [occurrence])
    else list.push(occurrence)
  }
  const gap = field.kind === 'text' ? field.positionIncrementGap : 0
  let position = -1
  let offset = 0
  for (const [i, value] of values.entries()) {
    if (i > 0) position += gap
    if (analyzer === undefined) {
      position++
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
      })
    }
    position += tokens.trailingPositionIncrement
    offset += tokens.finalOffset + 1
  }
  return new Map([...terms].sort(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b))))
}
