import type { EngineVersion } from '../../engine/engine-version.ts'
import { type ErrorType, ServiceError } from '../../errors.ts'

/** Classes of errors that are not the engine's own, where it quotes them. */
export const JAVA_ERROR_CLASSES = {
  array_index_out_of_bounds_exception: 'java.lang.ArrayIndexOutOfBoundsException',
  class_cast_exception: 'java.lang.ClassCastException',
  date_time_exception: 'java.time.DateTimeException',
  date_time_parse_exception: 'java.time.format.DateTimeParseException',
  illegal_argument_exception: 'java.lang.IllegalArgumentException',
  illegal_state_exception: 'java.lang.IllegalStateException',
  index_out_of_bounds_exception: 'java.lang.IndexOutOfBoundsException',
  number_format_exception: 'java.lang.NumberFormatException',
  null_pointer_exception: 'java.lang.NullPointerException',
  pattern_syntax_exception: 'java.util.regex.PatternSyntaxException',
  runtime_exception: 'java.lang.RuntimeException',
  string_index_out_of_bounds_exception: 'java.lang.StringIndexOutOfBoundsException',
  too_complex_to_determinize_exception: 'org.apache.lucene.util.automaton.TooComplexToDeterminizeException',
  unsupported_operation_exception: 'java.lang.UnsupportedOperationException',
  zone_rules_exception: 'java.time.zone.ZoneRulesException',
} as const satisfies Partial<Record<ErrorType, string>>

/** How one version writes errors as texts. */
interface Style {
  readonly product: string
  /** Classes of errors that it has in packages of its own, though they are no errors of the engine's kind. */
  readonly libraryClasses: Readonly<Partial<Record<ErrorType, string>>>
  /** Classes of errors without a cause, whose packages 6.x tells and names no index instead. */
  readonly packages: Readonly<Partial<Record<ErrorType, string>>> | undefined
}

const LEGACY: Style = {
  product: 'Elasticsearch',
  libraryClasses: {
    query_validation_exception: 'org.elasticsearch.index.query.QueryValidationException',
    x_content_parse_exception: 'org.elasticsearch.common.xcontent.XContentParseException',
  },
  packages: { parsing_exception: 'org.elasticsearch.common', query_shard_exception: 'org.elasticsearch.index.query' },
}

const OPENSEARCH: Style = {
  product: 'OpenSearch',
  libraryClasses: {
    named_object_not_found_exception: 'org.opensearch.core.xcontent.NamedObjectNotFoundException',
    query_validation_exception: 'org.opensearch.index.query.QueryValidationException',
    x_content_parse_exception: 'org.opensearch.core.xcontent.XContentParseException',
  },
  packages: undefined,
}

/** An error as one text with all its causes, as answers of `_validate/query` have it. */
export function detailedMessage(error: ServiceError, engineVersion: EngineVersion): string {
  return detailed(error, engineVersion === 'OpenSearch_2.19' ? OPENSEARCH : LEGACY)
}

function detailed(error: ServiceError, style: Style): string {
  const { cause } = error.detail
  const foreign = foreignClass(error.type, style)
  if (foreign !== undefined) return `${foreign}: ${error.reason}`
  if (cause === undefined) {
    const home = style.packages?.[error.type]
    return home === undefined ? quoted(error, style) : `${home}.${simpleName(error.type, style)}: ${error.reason}`
  }
  return `${quoted(error, style)}; ${detailed(cause, style)}`
}

/** An error with its causes one in the other; whatever it is about stands before it. */
function quoted(error: ServiceError, style: Style): string {
  const { index, indexUuid } = error.detail
  const chain: string[] = []
  for (let next: ServiceError | undefined = error; next !== undefined; next = next.detail.cause)
    chain.push(`${simpleName(next.type, style)}[${next.reason}]`)
  const about = indexUuid === undefined ? '' : `[${index}/${indexUuid}] `
  return `${about}${chain.join('; nested: ')}${chain.length > 1 ? ';' : ''}`
}

function foreignClass(type: ErrorType, { libraryClasses }: Style): string | undefined {
  return libraryClasses[type] ?? (JAVA_ERROR_CLASSES as Readonly<Partial<Record<ErrorType, string>>>)[type]
}

function simpleName(type: ErrorType, style: Style): string {
  if (type === 'exception' || type === 'parse_exception') return style.product + camelCase(type)
  return foreignClass(type, style)?.replace(/.*\./, '') ?? camelCase(type)
}

const camelCase = (type: string): string => type.replace(/(?:^|_)(.)/g, (_, letter: string) => letter.toUpperCase())

/** What a shard says of a query that is not looked at before it is made: only its own errors stay as they are. */
export function asShardError(error: ServiceError, index: string, indexUuid: string, text = error.reason): ServiceError {
  if (error.type === 'parsing_exception') return error
  if (error.type === 'query_shard_exception') return error.with({ index, indexUuid })
  const cause = error.with({ index: undefined, inQueryPhase: false })
  return new ServiceError('query_shard_exception', `failed to create query: ${text}`, { index, indexUuid, cause })
}
