import { likeness } from '../../engine/metadata/similar-name.ts'

/**
 * ` did you mean [a]?` where known names are like an unknown one, else nothing.
 *
 * @param isLikestFirst  whether they come by likeness, then name; else by name alone
 */
export function didYouMean(unknown: string, known: Iterable<string>, isLikestFirst = true): string {
  const alike = [...known].filter((name) => likeness(unknown, name) > 0.5).sort()
  if (isLikestFirst) alike.sort((a, b) => likeness(unknown, b) - likeness(unknown, a))
  if (alike.length === 0) return ''
  return alike.length === 1 ? ` did you mean [${alike[0]}]?` : ` did you mean any of [${alike.join(', ')}]?`
}
