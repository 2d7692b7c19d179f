import type { CharFilter, FilteredText } from '../analyzer.ts'
import { JavaPattern, type JavaReplacement } from '../java-pattern.ts'
import { OffsetCorrections } from './offset-corrections.ts'

/** Replaces what a Java pattern matches. */
export class PatternReplaceCharFilter implements CharFilter {
  readonly #pattern: JavaPattern
  readonly #replacement: JavaReplacement

  constructor(pattern: string, replacement: string, flags: string) {
    this.#pattern = new JavaPattern(pattern, flags)
    this.#replacement = this.#pattern.replacement(replacement)
  }

  filter(text: string): FilteredText {
    const corrections = new OffsetCorrections()
    let out = ''
    let last = 0
    let found = false
    for (const match of this.#pattern.each(text)) {
      found = true
      out += text.slice(last, match.index)
      const replaced = this.#replacement(match)
      out += replaced
      last = match.index + match[0].length
      corrections.replace(out.length, match[0].length, replaced.length)
    }
    if (!found) return { text }
    return filtered(out + text.slice(last), corrections)
  }
}

/** A filter's answer. */
export function filtered(text: string, corrections: OffsetCorrections): FilteredText {
  const correctOffset = corrections.corrector()
  return correctOffset === undefined ? { text } : { text, correctOffset }
}
