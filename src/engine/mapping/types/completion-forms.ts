import type { Analyzer } from '../../analysis/analyzer.ts'

/** Marks a stored suggestion whose `contexts` hold those of the document's other fields, too. */
export const WITH_ALL_CONTEXTS = 'with_all_contexts'

/** How a completion's tokens become one form. */
export interface CompletionFormOptions {
  readonly preserveSeparators: boolean
  readonly preservePositionIncrements: boolean
}

/** Between tokens, and in the place of a token left out; neither is part of a word. */
const SEPARATOR = '\u001f'
const HOLE = '\u001e'

/** Readings of a text at most, where its tokens have alternatives. */
const MAX_FORMS = 64

/** The forms of a text, its tokens with separators between them: more than one where tokens stand in one place. */
export function formsOf(
  text: string,
  analyzer: Analyzer,
  { preserveSeparators, preservePositionIncrements }: CompletionFormOptions,
): string[] {
  const tokens = analyzer.analyze(text)
  const separator = preserveSeparators ? SEPARATOR : ''
  let forms: string[] = []
  let before: string[] = ['']
  for (let i = 0; i < tokens.length; i++) {
    const term = tokens.terms[i] as string
    const increment = tokens.positionIncrements[i] as number
    if (increment > 0 || i === 0) {
      if (i > 0) before = forms.map((form) => form + separator)
      if (preservePositionIncrements && increment > 1) {
        before = before.map((form) => form + `${HOLE}${separator}`.repeat(increment - 1))
      }
      forms = []
    }
    forms.push(...before.map((form) => form + term))
    if (forms.length > MAX_FORMS) forms.length = MAX_FORMS
  }
  return [...new Set(forms)]
}

/** An input as it is completed: at most so many UTF-16 units. */
export function cutInput(text: string, length: number): string {
  if (text.length <= length) return text
  const code = text.charCodeAt(length - 1)
  // Half a character would be none.
  return text.slice(0, code >= 0xd800 && code < 0xdc00 ? length + 1 : length)
}

/** Whether Java's `trim` leaves nothing of an input: such ones are passed over. */
export function isBlankInput(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 0x20) return false
  return true
}
