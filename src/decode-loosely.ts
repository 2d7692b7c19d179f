/** Decodes percent escapes; a text with a `%` that encodes nothing stays as it is. */
export function decodeLoosely(text: string): string {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
