/** Java's Character.isLetter. */
export function isLetter(codePoint: number): boolean {
  if (codePoint < 0x80) return (codePoint >= 0x61 && codePoint <= 0x7a) || (codePoint >= 0x41 && codePoint <= 0x5a)
  return codePoint < 0x10000 ? flag(codePoint, LETTER) : /\p{L}/u.test(String.fromCodePoint(codePoint))
}

/** Java's Character.isWhitespace: without the non-breaking spaces, with the file separators. */
export function isWhitespace(codePoint: number): boolean {
  if (codePoint < 0x80)
    return codePoint === 0x20 || (codePoint >= 0x09 && codePoint <= 0x0d) || (codePoint >= 0x1c && codePoint <= 0x1f)
  return codePoint < 0x10000 && codePoint > 0x167f && flag(codePoint, SPACE)
}

/** Java's Character.isDigit. */
export function isDigit(codePoint: number): boolean {
  if (codePoint < 0x80) return codePoint >= 0x30 && codePoint <= 0x39
  return codePoint < 0x10000 ? flag(codePoint, DIGIT) : /\p{Nd}/u.test(String.fromCodePoint(codePoint))
}

const LETTER = 1
const SPACE = 2
const DIGIT = 4
let table: Uint8Array | undefined

function flag(unit: number, bit: number): boolean {
  table ??= makeTable()
  return ((table[unit] as number) & bit) !== 0
}

function makeTable(): Uint8Array {
  const made = new Uint8Array(0x10000)
  for (let unit = 0x80; unit < 0x10000; unit++) {
    if (unit >= 0xd800 && unit < 0xe000) continue
    const char = String.fromCharCode(unit)
    if (/\p{L}/u.test(char)) made[unit] = LETTER
    else if (/\p{Nd}/u.test(char)) made[unit] = DIGIT
    else if (/[\p{Zs}\p{Zl}\p{Zp}]/u.test(char) && unit !== 0xa0 && unit !== 0x2007 && unit !== 0x202f)
      made[unit] = SPACE
  }
  return made
}

/** Value of a decimal digit of any script; undefined for anything else. */
export function digitValue(codePoint: number): number | undefined {
  if (!isDigit(codePoint)) return undefined
  // Digits of a script stand in runs of ten that begin with its zero.
  let zero = codePoint
  while (isDigit(zero - 1)) zero--
  return (codePoint - zero) % 10
}

/** A text without what {@link isWhitespace} at its ends. */
export function trimWhitespace(text: string): string {
  let start = 0
  let end = text.length
  while (start < end && isWhitespace(text.charCodeAt(start))) start++
  while (end > start && isWhitespace(text.charCodeAt(end - 1))) end--
  return text.slice(start, end)
}
