/**
 * Lower-cases as Java's `String.toLowerCase` does for any locale but Turkish, Azeri and Lithuanian; JavaScript's own
 * function follows the same Unicode rules. Text without a letter that has case is returned as it is, found out in one
 * pass without allocating.
 */
export function javaLowerCase(text: string): string {
  for (let i = 0; i < text.length; i++) if (mayHaveCase(text.charCodeAt(i))) return text.toLowerCase()
  return text
}

// The blocks that hold upper-case letters, generously: ASCII, Latin to Cherokee, phonetic to number forms, letterlike,
// Glagolitic to Georgian, Latin and Cyrillic extensions, full-width forms, surrogates.
function mayHaveCase(unit: number): boolean {
  if (unit < 0xc0) return unit >= 0x41 && unit <= 0x5a
  if (unit < 0x1100) return true
  if (unit < 0x1200) return false
  if (unit < 0x2e00) return unit < 0x2000 || (unit >= 0x2100 && unit < 0x2190) || unit >= 0x2400
  if (unit < 0xa640) return false
  if (unit < 0xac00) return true
  if (unit < 0xd800) return false
  return unit < 0xe000 || unit >= 0xfb00
}
