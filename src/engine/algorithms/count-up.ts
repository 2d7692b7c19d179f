/** The whole numbers from one on, so many of them. (`Int32Array.from` with a function takes ten times as long.) */
export function countUp(length: number, from = 0): Int32Array<ArrayBuffer> {
  const numbers = new Int32Array(length)
  for (let i = 0; i < length; i++) numbers[i] = from + i
  return numbers
}
