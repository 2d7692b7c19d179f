import { ServiceError } from '../../../errors.ts'
import { illegalArgument } from '../../../illegal-argument.ts'
import type { CompletionField, FieldMapping } from '../../mapping/field-mapping.ts'
import type { SearchContext } from '../lucene/search-context.ts'

/** Where a query stands while it is made: which index, inside a filter or not, inside which nested path. */
export interface QueryContext {
  readonly search: SearchContext
  /** True inside filter, must_not and constant_score: 6.x reads `should` more strictly there. */
  readonly isFilter: boolean
  /** Path of the nested query around; undefined at the root. */
  readonly nestedPath: string | undefined
  /** True: part of a rule or a text whose patterns are made whatever they cost. */
  readonly mayBeExpensive?: true
  /** True: part of a text in Lucene's query syntax. */
  readonly isParsed?: true
}

/**
 * Refuses a query of a kind that takes long, where the cluster's settings say so.
 *
 * @param what  `[wildcard] queries`
 * @throws {ServiceError} exception
 */
export function requireAllowed(what: string, context: QueryContext, advice = ''): void {
  if (context.mayBeExpensive || context.search.searcher.allowsExpensive !== false) return
  const reason = `${what} cannot be executed when 'search.allow_expensive_queries' is set to false.${advice}`
  throw failedToCreate(context, new ServiceError('exception', reason))
}

/** A field of the index, aliases resolved. */
export function fieldOf(path: string, context: QueryContext): FieldMapping | undefined {
  return context.search.mapping.field(path)
}

/** A limit among the index' settings. */
export function limitOf(setting: string, fallback: number, { search }: QueryContext): number {
  return search.searcher.limit(setting, fallback)
}

/** An error of a query against one index, in the real server's words. */
export function shardError(context: QueryContext, reason: string, cause?: ServiceError): ServiceError {
  const { indexName, indexUuid } = context.search.searcher
  return new ServiceError('query_shard_exception', reason, {
    index: indexName,
    indexUuid,
    inQueryPhase: true,
    ...(cause === undefined ? {} : { cause }),
  })
}

/** «failed to create query», with what went wrong. */
export function failedToCreate(context: QueryContext, cause: ServiceError): ServiceError {
  return shardError(context, `failed to create query: ${cause.reason}`, cause)
}

/** The same of an illegal argument. */
export function illegalQuery(context: QueryContext, reason: string): ServiceError {
  return failedToCreate(context, illegalArgument(reason))
}

/** Runs the making of a whole query that can be quoted: {@link failedToCreate} then tells which one, not only why. */
export function quoting<T>(written: () => string | undefined, make: () => T): T {
  try {
    return make()
  } catch (error) {
    if (!(error instanceof ServiceError) || !isFailure(error)) throw error
    const text = written()
    if (text === undefined) throw error
    throw new ServiceError(error.type, `failed to create query: ${text}`, error.detail)
  }
}

/** Runs the making of a query that the real server does not speak of: what went wrong is answered as it is. */
export function unquoted<T>(make: () => T): T {
  try {
    return make()
  } catch (error) {
    throw error instanceof ServiceError && isFailure(error)
      ? (error.detail.cause as ServiceError).with({ inQueryPhase: true })
      : error
  }
}

/** Whether it is one of {@link failedToCreate} that quotes no query. */
function isFailure({ type, reason, detail: { cause } }: ServiceError): boolean {
  return (
    type === 'query_shard_exception' &&
    cause instanceof ServiceError &&
    reason === `failed to create query: ${cause.reason}`
  )
}

/** Runs something that may find fault with the query. */
export function creating<T>(context: QueryContext, make: () => T): T {
  try {
    return make()
  } catch (error) {
    if (error instanceof ServiceError && !error.detail.inQueryPhase) throw failedToCreate(context, error)
    throw error
  }
}

/** What OpenSearch finds by doc values where it is not indexed. */
const COLUMN_KINDS: ReadonlySet<FieldMapping['kind']> = new Set(['keyword', 'number', 'date', 'boolean', 'ip'])

/** Whether doc values alone are enough to find a field's values. */
export function isFoundByColumn({ kind }: FieldMapping): boolean {
  return COLUMN_KINDS.has(kind)
}

/** @throws {ServiceError} when a field is not indexed */
export function checkSearchable(field: FieldMapping, context: QueryContext): void {
  if (field.index) return
  const takesColumns = context.search.engineVersion === 'OpenSearch_2.19' && COLUMN_KINDS.has(field.kind)
  if (takesColumns && field.docValues) return
  if (!takesColumns) checkIndexed(field, context)
  const reason = `Cannot search on field [${field.path}] since it is both not indexed, and does not have doc_values enabled.`
  throw illegalQuery(context, reason)
}

/** @throws {ServiceError} when a field is not indexed, doc values or not */
export function checkIndexed(field: FieldMapping, context: QueryContext): void {
  if (field.index) return
  const reason = `Cannot search on field [${field.path}] since it is not indexed.`
  throw illegalQuery(context, reason)
}

/** 6.x looks for words like others in `_type` too, which is not indexed. @throws {ServiceError} */
export function checkTypeWords(path: string, context: QueryContext): void {
  if (path !== '_type' || !context.search.isLucene7) return
  const reason = 'Cannot search on field [_type] since it is not indexed.'
  throw illegalQuery(context, reason)
}

/** Whether a field's words have positions, without which there are no phrases. */
export function hasPositions(field: FieldMapping): boolean {
  if (field.kind !== 'text' || !field.index) return false
  return field.indexOptions === 'positions' || field.indexOptions === 'offsets'
}

/** Whether the real server keeps positions of a field's words: for phrases it looks those of `match_only_text` up in sources. */
export function hasOwnPositions(field: FieldMapping): boolean {
  return hasPositions(field) && typeName(field) !== 'match_only_text'
}

/** A field's type as mappings name it. */
export function typeName(field: FieldMapping): string {
  if (field.derived !== undefined) return 'derived'
  if (field.kind === 'text') return field.typeName ?? field.subField?.kind ?? field.kind
  if (field.kind === 'date') return field.inNanos ? 'date_nanos' : 'date'
  if (field.kind === 'keyword') return field.typeName ?? 'keyword'
  return field.kind === 'number' || field.kind === 'opaque' || field.kind === 'range' ? field.type : field.kind
}

/** Whether a field holds completions, whose inputs are found as words. */
export function isCompletion(field: FieldMapping): field is CompletionField {
  return field.kind === 'opaque' && field.type === 'completion'
}

/** A field's path as it was asked for, which is not always where it is indexed. */
export function askedPath(field: FieldMapping): string {
  return (field.kind === 'keyword' ? field.flat?.path : undefined) ?? field.path
}

/** A flat object as parsed texts look for patterns and misspelt words in it: under its path, where its names are. */
export function literally(field: FieldMapping): FieldMapping {
  if (field.kind !== 'keyword' || field.flat === undefined) return field
  return { ...field, path: field.flat.path, normalizer: undefined }
}

/** A keyword's value as it was indexed. */
export function normalized(field: FieldMapping, text: string): string {
  if (field.kind !== 'keyword' || field.normalizer === undefined) return text
  return field.normalizer.analyze(text).terms[0] ?? text
}
