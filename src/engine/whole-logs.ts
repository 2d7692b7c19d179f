/** Digits behind the binary point that sums are kept to. */
const SCALE = 128n

/** Those that were asked for, and the last of them at {@link SCALE}. */
const logs: number[] = []
let last = 0n

/**
 * Natural logarithms of the whole numbers from 1, each the nearest double: what `Math.log` gives is off by the last digit for some
 * (3 among them) where Java's is not.
 *
 * @param count  how many, at least
 */
export function wholeLogs(count: number): readonly number[] {
  while (logs.length < count) {
    const n = BigInt(logs.length + 1)
    if (n > 1n) last += ratioLog(n)
    logs.push(Number(last) / 2 ** Number(SCALE))
  }
  return logs
}

/** ln(n / (n − 1)) = 2 Σ 1 / ((2i + 1) (2n − 1)^(2i + 1)) */
function ratioLog(n: bigint): bigint {
  const square = (2n * n - 1n) ** 2n
  let sum = 0n
  let power = (1n << SCALE) / (2n * n - 1n)
  for (let i = 1n; power > 0n; i += 2n) {
    sum += power / i
    power /= square
  }
  return 2n * sum
}
