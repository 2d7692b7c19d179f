import { byte4ToInt } from '../../../index/small-float.ts'

/** Term saturation, as a 32-bit float. */
export const K1 = Math.fround(1.2)
/** Length normalization, as a 32-bit float. */
export const B = Math.fround(0.75)
/** Field length by norm byte, as 32-bit floats. */
export const LENGTHS = Float32Array.from({ length: 256 }, (_, norm) => byte4ToInt(norm))

/** idf = (float) log(1 + (docCount - docFreq + 0.5) / (docFreq + 0.5)) */
export function bm25Idf(docFreq: number, docCount: number): number {
  return Math.fround(Math.log(1 + (docCount - docFreq + 0.5) / (docFreq + 0.5)))
}
