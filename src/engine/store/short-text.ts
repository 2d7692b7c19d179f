/** Longer texts are written sooner by node. */
const SHORT_UNITS = 32

/** Writes a text in UTF-8; answers where it ends. (A call to node takes longer than most names do.) */
export function writeText(bytes: Buffer, at: number, text: string): number {
  if (text.length > SHORT_UNITS) return at + bytes.write(text, at)
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    if (unit > 127) return at + bytes.write(text, at)
    bytes[at + i] = unit
  }
  return at + text.length
}
