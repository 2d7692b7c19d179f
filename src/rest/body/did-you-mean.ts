import { likeness } from '../../engine/metadata/similar-name.ts'

/**
 * ` did you mean [a]?` where known names are like an unknown one, else nothing. The likest come first, those alike by name.
 *
 * @param known  may name one twice
 */
export function didYouMean(unknown: string, known: Iterable<string>): string {
  const alike = [...new Set(known)].filter((name) => likeness(unknown, name) > 0.5).sort()
  alike.sort((a, b) => likeness(unknown, b) - likeness(unknown, a))
  if (alike.length === 0) return ''
  return alike.length === 1 ? ` did you mean [${alike[0]}]?` : ` did you mean any of [${alike.join(', ')}]?`
}
