/**
 * Text of a 32-bit float as Java's Float.toString writes it: shortest digits that read back as the same float, the even ones
 * where two are as near, plain between 10^-3 and 10^7, else with an exponent. What numbers beyond 2^25 read like changed
 * with Java 19; this is how earlier ones write them, as the servers of all three versions here were seen to do.
 */
export function javaFloat(value: number): string {
  const single = Math.fround(value)
  const size = Math.abs(single)
  if (!(size >= 1e-3 && size < 1e7)) return roundedFloat(single)
  // As a whole number of decimals the product is exact (24 bits of the float, 28 of 5^12), so this rounds as texts do.
  for (let decimals = fewestDecimals(size); ; decimals++) {
    const scale = POWERS_OF_TEN[decimals] as number
    const short = roundHalfEven(size * scale) / scale
    if (Math.fround(short) === size) return javaDouble(single < 0 ? -short : short)
  }
}

const POWERS_OF_TEN = Array.from({ length: 13 }, (_, i) => 10 ** i)

/** Decimals after the point from which on a shortest form is looked for: scores seldom have fewer than six digits. */
function fewestDecimals(size: number): number {
  let whole = 1
  while (size >= (POWERS_OF_TEN[whole] as number)) whole++
  const six = Math.max(6 - whole, 0)
  const scale = POWERS_OF_TEN[Math.max(5 - whole, 0)] as number
  return Math.fround(roundHalfEven(size * scale) / scale) === size ? 0 : six
}

function roundHalfEven(value: number): number {
  const rounded = Math.round(value)
  return rounded - value === 0.5 && rounded % 2 === 1 ? rounded - 1 : rounded
}

/** The plain equivalent for floats of any size, by way of texts. */
export function roundedFloat(single: number): string {
  if (single === 0 || !Number.isFinite(single)) return javaDouble(single)
  if (isLargeWhole(single, 24)) return largeWhole(single, 24)
  // Two digits at least: 1.4E-45, although 1E-45 would do.
  for (let digits = 2; digits < 9; digits++) {
    const short = Number(precisely(single, digits))
    if (Math.fround(short) === single) return plainOrScientific(short)
  }
  return plainOrScientific(Number(single.toPrecision(9)))
}

/** So many digits; of two that are as near, the even ones, where toPrecision takes the larger. */
function precisely(value: number, digits: number): string {
  const longer = value.toExponential(digits)
  const [mantissa, exponent] = longer.split('e') as [string, string]
  const isTie = mantissa.endsWith('5') && Number(longer) === value
  const shorter = mantissa.slice(0, -1)
  return isTie && /[02468]\.?$/.test(shorter) ? `${shorter}e${exponent}` : value.toPrecision(digits)
}

/** Text of a double as Java's Double.toString writes it: `1.0`, `-0.0`, `2.5E9`, `NaN`. Of large ones the same is true. */
export function javaDouble(value: number): string {
  if (value === 0) return Object.is(value, -0) ? '-0.0' : '0.0'
  return isLargeWhole(value, 53) ? largeWhole(value, 53) : plainOrScientific(value)
}

/**
 * Decimals of a power of two, where its shortest text has too few: below it doubles are twice as close as above, and
 * early Javas look for a text that is near enough for the closer ones.
 */
function decimalsOfPower(value: number): number | undefined {
  const size = Math.abs(value)
  if (!(size > 2 ** -1022) || !Number.isInteger(Math.log2(size))) return undefined
  const digits = (text: string): bigint => BigInt(text.replace(/\.|e.*$/g, '').padEnd(21, '0'))
  const exact = digits(size.toExponential(20))
  for (let decimals = 1; decimals < 17; decimals++) {
    const distance = digits(size.toExponential(decimals)) - exact
    if ((distance < 0n ? -distance : distance) << 54n <= exact) return decimals
  }
  return undefined
}

function plainOrScientific(value: number): string {
  if (!Number.isFinite(value)) return String(value)
  const size = Math.abs(value)
  if (size >= 1e-3 && size < 1e7) {
    const text = String(value)
    return text.includes('.') ? text : `${text}.0`
  }
  // Again two digits at least: 4.9E-324.
  const shortest = value.toExponential(decimalsOfPower(value))
  const [digits, exponent] = (shortest.includes('.') ? shortest : value.toExponential(1)).split('e') as [string, string]
  return `${digits}E${Number(exponent)}`
}

/** Whether a number has whole digits beyond what its significant bits hold, which early Javas take from a `long`. */
function isLargeWhole(value: number, significantBits: number): boolean {
  const size = Math.abs(value)
  return size >= 2 ** (significantBits + 1) && size < 2 ** 63
}

/** All digits but those that are surely wrong. */
function largeWhole(value: number, significantBits: number): string {
  const magnitude = BigInt(Math.abs(value))
  const bits = magnitude.toString(2).length - 1
  const unsure = 10n ** BigInt(Math.max(0, Math.floor((bits - significantBits - 1) * Math.log10(2))))
  const roundsUp = unsure > 1n && magnitude % unsure >= unsure / 2n
  const text = String((magnitude / unsure + (roundsUp ? 1n : 0n)) * unsure)
  return `${value < 0 ? '-' : ''}${text[0]}.${text.slice(1).replace(/0+$/, '') || '0'}E${text.length - 1}`
}
