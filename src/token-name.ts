/** What the real servers' parsers (`XContentParser.Token`) call the token that a parsed value begins with, for messages. */
export function tokenName(value: unknown): string {
  if (value === null || value === undefined) return 'VALUE_NULL'
  if (Array.isArray(value)) return 'START_ARRAY'
  switch (typeof value) {
    case 'object':
      return 'START_OBJECT'
    case 'string':
      return 'VALUE_STRING'
    case 'boolean':
      return 'VALUE_BOOLEAN'
    default:
      return 'VALUE_NUMBER'
  }
}
