/**
 * The elements of an array that is a member of a JSON text's root, as they are written, and what stands around it.
 *
 * @returns undefined when there is no such member
 */
export function rawElements(
  text: string,
  member: string,
): { readonly before: string; readonly elements: readonly string[]; readonly after: string } | undefined {
  const start = new RegExp(`"${member}"\\s*:\\s*\\[`).exec(text)
  if (start === null) return undefined
  const first = start.index + start[0].length
  const elements: string[] = []
  let depth = 0
  let from = first
  for (let at = first; at < text.length; at++) {
    const character = text[at]
    if (character === '"') at = endOfText(text, at)
    else if (character === '{' || character === '[') depth++
    else if (character === '}' || (character === ']' && depth > 0)) depth--
    else if (depth === 0 && (character === ',' || character === ']')) {
      const element = text.slice(from, at).trim()
      if (element !== '') elements.push(element)
      from = at + 1
      if (character === ']') return { before: text.slice(0, first - 1), elements, after: text.slice(at + 1) }
    }
  }
  return undefined
}

/** Where the quote stands that ends a text. */
function endOfText(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '\\') at++
    else if (text[at] === '"') return at
  }
  return text.length
}
