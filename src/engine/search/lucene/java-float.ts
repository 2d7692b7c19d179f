/**
 * Text of a 32-bit float as Java's Float.toString writes it: shortest digits that read back as the same float, the even ones
 * where two are as near, plain between 10^-3 and 10^7, else with an exponent.
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
  for (let digits = 1; digits < 9; digits++) {
    const short = Number(precisely(single, digits))
    if (Math.fround(short) === single) return javaDouble(short)
  }
  return javaDouble(Number(single.toPrecision(9)))
}

/** So many digits; of two that are as near, the even ones, where toPrecision takes the larger. */
function precisely(value: number, digits: number): string {
  const longer = value.toExponential(digits)
  const [mantissa, exponent] = longer.split('e') as [string, string]
  const isTie = mantissa.endsWith('5') && Number(longer) === value
  const shorter = mantissa.slice(0, -1)
  return isTie && /[02468]\.?$/.test(shorter) ? `${shorter}e${exponent}` : value.toPrecision(digits)
}

/** Text of a double as Java's Double.toString writes it. */
export function javaDouble(value: number): string {
  if (!Number.isFinite(value)) return String(value)
  if (value === 0) return Object.is(value, -0) ? '-0.0' : '0.0'
  const size = Math.abs(value)
  if (size >= 1e-3 && size < 1e7) {
    const text = String(value)
    return text.includes('.') ? text : `${text}.0`
  }
  const [digits, exponent] = value.toExponential().split('e') as [string, string]
  return `${digits.includes('.') ? digits : `${digits}.0`}E${exponent.replace('+', '')}`
}
