/**
 * JSON text indented for people, its values character for character: parsing would round 64-bit integers and turn `1.0`
 * into `1`.
 *
 * @param text  valid JSON
 */
export function prettyJson(text: string): string {
  let out = ''
  let depth = 0
  // The token before was an opening bracket: its line breaks only if something stands inside.
  let opened = false
  const breakLine = () => {
    out += `\n${'  '.repeat(depth)}`
  }
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{},:]|[^\s"[\]{},:]+/g)) {
    if (token === '}' || token === ']') {
      depth--
      if (!opened) breakLine()
      opened = false
      out += token
      continue
    }
    if (opened) breakLine()
    opened = token === '{' || token === '['
    if (opened) {
      out += token
      depth++
    } else if (token === ',') {
      out += token
      breakLine()
    } else if (token === ':') out += ': '
    else out += token
  }
  return out
}
