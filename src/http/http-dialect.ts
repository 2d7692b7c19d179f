/** What the real servers answer differently before a request reaches their handlers. */
export interface HttpDialect {
  /** `error.type` of a request line or headers beyond their limit. */
  readonly longLineType: string
  readonly longHeaderType: string
  /** Whether `+` in a path stands for a blank, as it does in queries. */
  readonly plusIsBlank: boolean
  /** Status of the in-flight breaker. */
  readonly breakerStatus: number
  /** Type and reason of the error for a length of a body that is none. */
  readonly badLength: (text: string) => readonly [type: string, reason: string]
}

/** Elasticsearch 6.8. */
export const HTTP_ELASTICSEARCH_6: HttpDialect = {
  longLineType: 'too_long_frame_exception',
  longHeaderType: 'too_long_frame_exception',
  plusIsBlank: true,
  breakerStatus: 503,
  badLength: (text) => ['number_format_exception', `For input string: "${text}"`],
}

/** Elasticsearch 7.10. */
export const HTTP_ELASTICSEARCH_7: HttpDialect = { ...HTTP_ELASTICSEARCH_6, plusIsBlank: false, breakerStatus: 429 }

/** OpenSearch 2.19. */
export const HTTP_OPENSEARCH_2: HttpDialect = {
  longLineType: 'too_long_http_line_exception',
  longHeaderType: 'too_long_http_header_exception',
  plusIsBlank: false,
  breakerStatus: 429,
  badLength: (text) => ['illegal_argument_exception', `Content-Length value is not a number: ${text}`],
}
