import { matchWildcard } from '../../match-wildcard.ts'
import type { EngineVersion } from '../engine-version.ts'
import { indexNotFound } from '../metadata/missing-index.ts'

/**
 * The indices of a snapshot that names and patterns stand for, as the real server reads them: a `-` takes out, and if it
 * comes first, of all there are.
 *
 * @param available  in the order in which they are answered
 * @throws {ServiceError} index_not_found_exception for a name that is not there
 */
export function selectIndices(
  available: readonly string[],
  expressions: readonly string[],
  options: { readonly ignoreUnavailable: boolean; readonly version: EngineVersion },
): readonly string[] {
  const [first] = expressions
  if (expressions.length === 0 || (expressions.length === 1 && (first === '_all' || first === '*'))) return available
  const known = new Set(available)
  const selected = new Set<string>()
  expressions.forEach((expression, i) => {
    if (known.has(expression)) {
      selected.add(expression)
      return
    }
    const isExclusion = expression.startsWith('-')
    if (isExclusion && i === 0) for (const name of available) selected.add(name)
    const pattern = isExclusion ? expression.slice(1) : expression
    const matching = pattern.includes('*') ? available.filter((name) => matchWildcard(pattern, name)) : [pattern]
    for (const name of matching) {
      if (isExclusion) selected.delete(name)
      else if (known.has(name)) selected.add(name)
      else if (!options.ignoreUnavailable) throw indexNotFound(name, options.version)
    }
  })
  return available.filter((name) => selected.has(name))
}
