/** The longest of some texts for which something holds; undefined: for none. */
export function longestOf(texts: readonly string[], holds: (text: string) => boolean): string | undefined {
  let longest: string | undefined
  for (const text of texts) if (text.length > (longest?.length ?? -1) && holds(text)) longest = text
  return longest
}
