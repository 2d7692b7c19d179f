/** Bits of a word that are looked at at a time: 2,048 counts stay in the first cache. */
const DIGIT_BITS = 11
const DIGITS = 1 << DIGIT_BITS
const WORD_BITS = 32

/**
 * Numbers in the order of the words that belong to them, those of one word as they stood: counted by eleven bits at a time, from the
 * last. (A native sort of 32,768 took 3 ms in one piece, a comparing one ten times as long.) Both arrays may
 * be changed.
 */
export function sortedByWords(
  numbers: Int32Array<ArrayBuffer>,
  words: Uint32Array<ArrayBuffer>,
): Int32Array<ArrayBuffer> {
  const { length } = numbers
  let [from, fromWords] = [numbers, words]
  let [to, toWords] = [new Int32Array(length), new Uint32Array(length)]
  const starts = new Int32Array(DIGITS)
  for (let shift = 0; shift < WORD_BITS; shift += DIGIT_BITS) {
    starts.fill(0)
    for (let i = 0; i < length; i++) starts[((fromWords[i] as number) >>> shift) & (DIGITS - 1)]!++
    let sum = 0
    for (let digit = 0; digit < DIGITS; digit++) {
      const count = starts[digit] as number
      starts[digit] = sum
      sum += count
    }
    for (let i = 0; i < length; i++) {
      const word = fromWords[i] as number
      const at = starts[(word >>> shift) & (DIGITS - 1)]!++
      to[at] = from[i] as number
      toWords[at] = word
    }
    ;[from, to] = [to, from]
    ;[fromWords, toWords] = [toWords, fromWords]
  }
  return from
}
