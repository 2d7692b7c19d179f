/** Members that differ from run to run. */
const VARYING: ReadonlySet<string> = new Set(
  'took took_millis ingest_took throttled_millis creation_date uuid index_uuid timestamp node _node'.split(' '),
)

/** An answer's body without what differs from run to run: JSON or text, with `*` in the place of that. */
export function comparableAnswer(text: string): unknown {
  try {
    return comparable(JSON.parse(text))
  } catch {
    return comparable(text)
  }
}

/** The texts of an answer's `Warning` headers, sorted, without where in the body it is. */
export const comparableWarnings = (header: string): string[] =>
  [...header.matchAll(/299 \S+ "((?:[^"\\]|\\.)*)"/g)]
    .map(([, text]) => (text as string).replace(/^\[[\w-]+\]\[\d+:\d+\] /, ''))
    .sort()

const isJavaFrame = (item: unknown): boolean => typeof item === 'string' && /^[\w.$/<>]+\(\w+\.java:\d+\)$/.test(item)

function comparable(value: unknown): unknown {
  // Places in the real server's own code are left out of a script's stack.
  if (Array.isArray(value)) return value.filter((item) => !isJavaFrame(item)).map(comparable)
  if (typeof value === 'string') {
    return (
      value
        // What was parsed, of which the version and the way it came are told.
        .replace(/\[Source: .*?; line: (\d+), column: (\d+)\]/gs, '[Source: *; line: $1, column: $2]')
        .replace(/\[[\w-]{20,22}\]/g, '[*]')
        .replace(/\/[\w-]{22}\]/g, '/*]')
        .replace(/\[[\w-]+\]\[127\.0\.0\.1:\d+\]/g, '[*][*]')
        .replace(/202\d-\d\d-\d\dT\d\d:\d\d:\d\d[.\d]*Z/g, '*')
        .replace(/@[0-9a-f]{5,8}\b/g, '@*')
    )
  }
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, VARYING.has(name) ? '*' : comparable(member)]),
  )
}
