/**
 * Text of a 32-bit float as Java's Float.toString writes it: shortest digits that read back as the same float,
 * plain between 10^-3 and 10^7, else with an exponent.
 */
export function javaFloat(value: number): string {
  if (Number.isNaN(value)) return 'NaN'
  if (!Number.isFinite(value)) return value > 0 ? 'Infinity' : '-Infinity'
  if (value === 0) return Object.is(value, -0) ? '-0.0' : '0.0'
  const float = Math.fround(value)
  let digits = ''
  for (let precision = 1; precision <= 9; precision++) {
    digits = float.toExponential(precision - 1)
    if (Math.fround(Number(digits)) === float) break
  }
  return layOut(digits)
}

/** Text of a double as Java's Double.toString writes it. */
export function javaDouble(value: number): string {
  if (Number.isNaN(value)) return 'NaN'
  if (!Number.isFinite(value)) return value > 0 ? 'Infinity' : '-Infinity'
  if (value === 0) return Object.is(value, -0) ? '-0.0' : '0.0'
  return layOut(value.toExponential())
}

/** Java's layout of `d.ddde±x`. */
function layOut(exponential: string): string {
  const [mantissa = '', exponentText = '0'] = exponential.split('e')
  const exponent = Number(exponentText)
  const sign = mantissa.startsWith('-') ? '-' : ''
  const digits = mantissa.replace('-', '').replace('.', '')
  if (exponent >= -3 && exponent < 7) {
    if (exponent < 0) return `${sign}0.${'0'.repeat(-exponent - 1)}${digits}`
    const whole = digits.slice(0, exponent + 1).padEnd(exponent + 1, '0')
    return `${sign}${whole}.${digits.slice(exponent + 1) || '0'}`
  }
  return `${sign}${digits[0]}.${digits.slice(1) || '0'}E${exponent}`
}
