import { unpackCounts, unpackDeltas } from './bit-packing.ts'
import { BLOCK_SIZE } from './postings-format.ts'

type UnpackDeltas = (words: Int32Array, at: number, out: Int32Array, last: number) => number
type UnpackCounts = (words: Int32Array, at: number, out: Int32Array) => void

/** Values that end where a word ends, whatever their width. */
const GROUP = 32

const deltas: UnpackDeltas[] = []
const counts: UnpackCounts[] = []

/**
 * {@link unpackDeltas} of a whole block, a quarter of its time: for each width a function without loops over bits, its
 * shifts and masks written out, as Lucene's ForUtil has them. They are made when first needed, 4 KB of text each, since
 * thirty of them would be a thousand lines that nobody reads.
 */
export function unpackBlockDeltas(words: Int32Array, at: number, bits: number, out: Int32Array, last: number): number {
  if (bits === 0) return unpackDeltas(words, at, BLOCK_SIZE, bits, out, last)
  let unpack = deltas[bits]
  if (unpack === undefined) {
    const body = written(bits, (value, i) => `last += ${value} + 1; out[o + ${i}] = last`)
    unpack = new Function('words', 'at', 'out', 'last', `${body}\nreturn last`) as UnpackDeltas
    deltas[bits] = unpack
  }
  return unpack(words, at, out, last)
}

/** {@link unpackCounts} of a whole block, likewise; `bits` is not 0. */
export function unpackBlockCounts(words: Int32Array, at: number, bits: number, out: Int32Array): void {
  let unpack = counts[bits]
  if (unpack === undefined) {
    unpack = new Function(
      'words',
      'at',
      'out',
      written(bits, (value, i) => `out[o + ${i}] = ${value} + 1`),
    ) as UnpackCounts
    counts[bits] = unpack
  }
  unpack(words, at, out)
}

/** A loop over groups of values, each with a statement of its own. */
function written(bits: number, statement: (value: string, i: number) => string): string {
  const mask = bits === 32 ? -1 : 2 ** bits - 1
  const lines = Array.from({ length: bits }, (_, word) => `const w${word} = words[at + ${word}]`)
  for (let i = 0; i < GROUP; i++) {
    const word = (i * bits) >>> 5
    const shift = (i * bits) & 31
    const low = `w${word} >>> ${shift}`
    const value = shift + bits > 32 ? `(${low} | w${word + 1} << ${32 - shift})` : low
    lines.push(statement(`(${value} & ${mask})`, i))
  }
  return `for (let o = 0; o < ${BLOCK_SIZE}; o += ${GROUP}, at += ${bits}) {\n${lines.join('\n')}\n}`
}
