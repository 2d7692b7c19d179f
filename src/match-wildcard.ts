/**
 * True when a text is what a pattern with `*` (any run of characters) describes; all else stands for itself.
 * Time grows with the lengths only, whatever the number of stars.
 */
export function matchWildcard(pattern: string, text: string): boolean {
  let star = pattern.indexOf('*')
  if (star === -1) return pattern === text
  const last = pattern.lastIndexOf('*')
  const tail = pattern.length - last - 1
  if (star + tail > text.length) return false
  if (!text.startsWith(pattern.slice(0, star)) || !text.endsWith(pattern.slice(last + 1))) return false
  // Every piece between two stars goes to the first place where it fits: leaves most to those behind it.
  let at = star
  const end = text.length - tail
  while (star < last) {
    const next = pattern.indexOf('*', star + 1)
    const piece = pattern.slice(star + 1, next)
    const found = text.indexOf(piece, at)
    if (found === -1 || found + piece.length > end) return false
    at = found + piece.length
    star = next
  }
  return true
}
