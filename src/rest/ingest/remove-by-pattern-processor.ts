import { inJavaHashOrder } from '../../engine/java/java-hash-order.ts'
import { matchWildcard } from '../../match-wildcard.ts'
import { METADATA } from './ingest-document.ts'
import type { ProcessorFactory } from './processor.ts'
import type { ProcessorConfig } from './processor-config.ts'

/** `remove_by_pattern` (OpenSearch): fields at the top that patterns of names mean, or do not. */
export const removeByPattern: ProcessorFactory = (config) => {
  const meant = patternsOf(config, 'field_pattern')
  const spared = patternsOf(config, 'exclude_field_pattern')
  if ((meant === undefined) === (spared === undefined))
    throw config.fault('field_pattern', 'either field_pattern or exclude_field_pattern must be set')
  const patterns = meant ?? spared ?? []
  return (document) => {
    if (patterns.length === 0) return
    // In the order of Java's table: a name with dots ends it, as it leads elsewhere as a path.
    for (const name of inJavaHashOrder(Object.keys(document.source))) {
      if ((METADATA as readonly string[]).includes(name)) continue
      const isMatched = patterns.some((pattern) => matchWildcard(pattern, name))
      if (isMatched === (meant !== undefined)) document.remove(name)
    }
    return undefined
  }
}

/** In the order that the real server's set of them has. */
const FORBIDDEN = [' ', '"', '*', '\\', '<', '|', ',', '>', '/', '?']

function patternsOf(config: ProcessorConfig, name: string): readonly string[] | undefined {
  const given = config.raw(name)
  if (given === undefined) return undefined
  const patterns = (Array.isArray(given) ? given : [given]).map((pattern) => {
    if (pattern !== null) return String(pattern)
    const reason = `Cannot invoke "String.contains(java.lang.CharSequence)" because "fieldPattern" is null`
    throw config.failure('null_pointer_exception', 'java.lang.NullPointerException', reason)
  })
  const faults = patterns.flatMap((pattern) => {
    const about = `${name} [${pattern}] must not`
    return [
      ...['#', ':'].filter((char) => pattern.includes(char)).map((char) => `${about} contain a '${char}'`),
      ...(pattern.startsWith('_') ? [`${about} start with '_'`] : []),
      ...(FORBIDDEN.some((char) => char !== '*' && pattern.includes(char))
        ? [`${about} contain the following characters [${FORBIDDEN.join(', ')}]`]
        : []),
    ]
  })
  if (faults.length === 0) return patterns
  throw config.fault(name, `Validation Failed: ${faults.map((fault, index) => `${index + 1}: ${fault};`).join('')}`)
}
