import { NO_REASON, ServiceError } from '../../../errors.ts'
import { matchWildcard } from '../../../match-wildcard.ts'
import { FIELD_NAMES } from '../../index/segment-builder.ts'
import { inJavaHashOrder } from '../../java/java-hash-order.ts'
import type { FieldMapping } from '../../mapping/field-mapping.ts'
import { knowsNoField } from '../../mapping/knows-no-field.ts'
import { isBuiltInField, TYPED_METADATA } from '../../mapping/metadata-fields.ts'
import { BooleanQuery } from '../lucene/boolean-query.ts'
import { ConstantScoreQuery } from '../lucene/constant-score-query.ts'
import { bitsDocSet, type DocSet, listDocSet } from '../lucene/doc-set.ts'
import type { Leaf } from '../lucene/leaf.ts'
import type { LuceneQuery } from '../lucene/lucene-query.ts'
import { MadeSetQuery } from '../lucene/made-set-query.ts'
import { MatchAllDocsQuery } from '../lucene/match-all-docs-query.ts'
import { MatchNoDocsQuery } from '../lucene/match-no-docs-query.ts'
import { docsOfTerms } from '../lucene/multi-term-query.ts'
import { sortedTerms, TermInSetQuery } from '../lucene/term-in-set-query.ts'
import { TermQuery } from '../lucene/term-query.ts'
import { noneAsked } from './no-terms.ts'
import { failedToCreate, fieldOf, illegalQuery, type QueryContext, shardError } from './query-context.ts'

/** Documents that have a value in a field, in any field of an object, or in any field a pattern names. */
export function existsQuery(path: string, context: QueryContext): LuceneQuery {
  const { mapping } = context.search
  if (knowsNoField(mapping)) return new MatchNoDocsQuery('Missing types in "exists" query.')
  const metadata = metadataExists(path, context)
  if (metadata !== undefined) return new ConstantScoreQuery(metadata)
  const paths = path.includes('*')
    ? matching(path, context)
    : mapping.isObject(path)
      ? mapping.matchFields(`${path}.*`)
      : [asked(path, context)]
  if (paths.some((name) => isSubField(name, context))) {
    throw unsupported(NO_REASON, context)
  }
  if (paths.some((name) => typeOf(name, context) === 'rank_features')) {
    const reason = '[rank_features] fields do not support [exists] queries'
    throw illegalQuery(context, reason)
  }
  const { isLucene7 } = context.search
  const [first = ''] = paths
  const isUnknown = paths.length === 1 && !mapping.isObject(path) && fieldOf(first, context) === undefined
  if (paths.length === 0 || (isUnknown && !isBuiltInField(first, mapping)))
    return isLucene7 ? new MatchNoDocsQuery(`No field "${path}" exists in mappings.`) : noneAsked()
  const queries = inJavaHashOrder(paths).map(
    (each) => metadataExists(each, context) ?? partExists(each, context) ?? fieldExists(each, context),
  )
  if (queries.length === 1) return new ConstantScoreQuery(queries[0] as LuceneQuery)
  return new ConstantScoreQuery(new BooleanQuery(queries.map((query) => ({ occur: 'should', query }))))
}

/** Fields that a pattern names, those of the engine among them. */
function matching(pattern: string, { search }: QueryContext): string[] {
  const metadata = [...TYPED_METADATA[search.engineVersion], ...(search.isLucene7 ? [] : ['_feature'])]
  return [...search.mapping.matchFields(pattern), ...metadata.filter((name) => matchWildcard(pattern, name))]
}

/** Documents that have what the engine notes of them, where it is told otherwise than other fields. */
function metadataExists(path: string, context: QueryContext): LuceneQuery | undefined {
  if (path.charCodeAt(0) !== 0x5f) return undefined
  const { engineVersion, isLucene7 } = context.search
  if (EVERYWHERE.has(path) && TYPED_METADATA[engineVersion].has(path)) return everyDocument(path, context)
  if (path === '_routing') return hasRouting(context)
  if (path === '_source') throw shardError(context, 'The _source field is not searchable')
  if (path === '_field_names') throw unsupported('Cannot run exists query on _field_names', context)
  if (path === '_feature' && !isLucene7) throw unsupported('Cannot run exists query on [_feature]', context)
  if (path === '_nested_path' && !isLucene7)
    throw unsupported('Cannot run exists() query against the nested field path', context)
  return undefined
}

const unsupported = (reason: string, context: QueryContext): ServiceError =>
  failedToCreate(context, new ServiceError('unsupported_operation_exception', reason))

/** Where a field's values are; a flat object and its parts stand for themselves. */
function asked(path: string, context: QueryContext): string {
  const field = fieldOf(path, context)
  return (field?.kind === 'keyword' && field.flat !== undefined ? undefined : field?.path) ?? path
}

/** Documents whose flat objects have a part of this name; all of them for a constant. */
function partExists(path: string, context: QueryContext): LuceneQuery | undefined {
  const field = fieldOf(path, context)
  if (field?.kind === 'keyword' && field.constant !== undefined) return new MatchAllDocsQuery()
  if (field?.kind !== 'keyword' || field.flat === undefined) return undefined
  const { object, path: part, prefix } = field.flat
  return prefix === undefined ? fieldExists(object, context) : new TermQuery(object, part)
}

function typeOf(path: string, context: QueryContext): string | undefined {
  const field = fieldOf(path, context)
  return field?.kind === 'opaque' ? field.type : undefined
}

function isSubField(path: string, context: QueryContext): boolean {
  const field = fieldOf(path, context)
  return field?.kind === 'text' && field.subField !== undefined && field.subField.kind !== 'shingle'
}

/** Metadata fields that every document has. */
const EVERYWHERE: ReadonlySet<string> = new Set(['_id', '_index', '_type', '_uid', '_version', '_seq_no'])

function everyDocument(path: string, context: QueryContext): LuceneQuery {
  if (path !== '_seq_no' && path !== '_version') return new MatchAllDocsQuery()
  const { text, kind } = existsTold(path, context)
  return new MadeSetQuery(text, ({ segment }) => ({ kind: 'all', count: segment.maxDoc }), true, kind)
}

/** Documents with a routing of their own: only their records know. */
function hasRouting({ search }: QueryContext): LuceneQuery {
  return new MadeSetQuery('_routing:*', ({ segment }) => {
    const docs: number[] = []
    for (let doc = 0; doc < segment.maxDoc; doc++) {
      const isAlive =
        segment.liveDocs === undefined || ((segment.liveDocs[doc >>> 5] as number) & (1 << (doc & 31))) !== 0
      if (isAlive && search.searcher.name(segment, doc).routing !== undefined) docs.push(doc)
    }
    return listDocSet(Int32Array.from(docs))
  })
}

const isFlat = (field: FieldMapping): boolean => field.kind === 'keyword' && field.flat !== undefined

/** What a field is found by, as the real server tells and profiles it. */
interface ExistsTold {
  readonly text: string
  /** Undefined: the text begins with it. */
  readonly kind?: string
}

/** By what a field has by document: its values or how long its text is. Of others their names are indexed. */
function existsTold(path: string, context: QueryContext): ExistsTold {
  const field = fieldOf(path, context)
  const hasNorms = (field?.kind === 'text' || (field?.kind === 'keyword' && field.index)) && field.norms
  const hasValues = field === undefined || (field.docValues && field.kind !== 'opaque') || isFlat(field)
  if (!hasValues && !hasNorms) return { text: `_field_names:${path}` }
  const kind = `${hasValues ? 'DocValues' : 'Norms'}FieldExistsQuery`
  return { text: `${context.search.isLucene9 ? 'FieldExistsQuery' : kind} [field=${path}]`, kind }
}

/**
 * Documents by the name of a field of theirs, which only those have that are found by it.
 *
 * @throws {ServiceError} query_shard_exception where names are not kept
 */
export function namedField(name: string, context: QueryContext): LuceneQuery {
  const { mapping } = context.search
  if (!mapping.keepsFieldNames) {
    const reason = 'Cannot run [exists] queries if the [_field_names] field is disabled'
    throw failedToCreate(context, new ServiceError('illegal_state_exception', reason))
  }
  return isNoted(name, context) ? new TermQuery(FIELD_NAMES, name) : new MatchNoDocsQuery(`${FIELD_NAMES}:${name}`)
}

/** Documents by the names of any of some fields; unlike one, they are found where names are not kept: none are. */
export function namedFields(names: readonly string[], context: QueryContext): LuceneQuery {
  const { mapping } = context.search
  const noted = names.filter((name) => mapping.keepsFieldNames && isNoted(name, context))
  return new TermInSetQuery(FIELD_NAMES, sortedTerms(new Set(noted)))
}

const isNoted = (name: string, context: QueryContext): boolean =>
  fieldOf(name, context)?.path === name
    ? existsTold(name, context).kind === undefined
    : context.search.mapping.isObject(name)

/** Documents with anything in one field. */
export function fieldExists(path: string, context: QueryContext): LuceneQuery {
  const { text, kind } = existsTold(path, context)
  const field = fieldOf(path, context)
  // How long its text is nobody knows of a text that is not indexed, even where the names of its multi-fields tell of it.
  if (field?.kind === 'text' && field.norms && !field.index) return new MadeSetQuery(text, () => undefined, true, kind)
  // What has neither values nor norms is found by its name alone, which some mappings do not keep.
  if (kind === undefined && !context.search.mapping.keepsFieldNames)
    return new MadeSetQuery(text, () => undefined, true, kind)
  const docSet = ({ segment }: Leaf): DocSet | undefined => {
    const column = segment.field(path)?.docValues
    if (column !== undefined) {
      return column.present === undefined ? { kind: 'all', count: segment.maxDoc } : bitsDocSet(column.present)
    }
    const names = segment.field(FIELD_NAMES)?.terms
    const ordinal = names?.find(Buffer.from(path)) ?? -1
    return names === undefined || ordinal < 0 ? undefined : docsOfTerms(names, [ordinal], segment.maxDoc)
  }
  return new MadeSetQuery(text, docSet, true, kind)
}
