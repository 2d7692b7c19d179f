const ASCII: readonly (readonly number[])[] = Array.from({ length: 0x80 }, (_, byte) => [byte])

/** The UTF-8 bytes of a character; of half a pair of surrogates those of U+FFFD. */
export function utf8Units(codePoint: number): readonly number[] {
  if (codePoint < 0x80) return ASCII[codePoint] as readonly number[]
  const c = codePoint >= 0xd800 && codePoint < 0xe000 ? 0xfffd : codePoint
  if (c < 0x800) return [0xc0 | (c >> 6), 0x80 | (c & 0x3f)]
  if (c < 0x10000) return [0xe0 | (c >> 12), 0x80 | ((c >> 6) & 0x3f), 0x80 | (c & 0x3f)]
  return [0xf0 | (c >> 18), 0x80 | ((c >> 12) & 0x3f), 0x80 | ((c >> 6) & 0x3f), 0x80 | (c & 0x3f)]
}
