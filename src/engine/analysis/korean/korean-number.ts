const NUMERALS = '영일이삼사오육칠팔구'
const EXPONENTS: Readonly<Record<string, number>> = { 십: 1, 백: 2, 천: 3, 만: 4, 억: 8, 조: 12, 경: 16, 해: 20 }
/** Powers above this multiply a whole number before them, those up to it a digit. */
const LARGEST_MEDIUM_EXPONENT = 3

/** Whether a text is made of Arabic digits, hangul digits and hangul powers of ten alone. */
export function isKoreanNumeral(text: string): boolean {
  return /^[0-9\uff10-\uff19영일이삼사오육칠팔구십백천만억조경해]*$/.test(text)
}

/** Whether a text is made of decimal points and thousands separators alone. */
export function isNumeralPunctuation(text: string): boolean {
  return /^[.,\uff0e\uff0c]*$/.test(text)
}

/**
 * Writes a number in plain decimal digits: `3.2천` as `3200`, `10만` as `100000`, `1,200` as `1200`.
 *
 * @returns the text itself when it is no number (`1.2.3`, `,`)
 */
export function normalizeKoreanNumber(text: string): string {
  try {
    const sum = new NumberReader(text).read()
    return sum === undefined ? text : format(sum)
  } catch (error) {
    if (error instanceof SyntaxError) return text
    throw error
  }
}

/** `unscaled / 10^scale`. */
interface Decimal {
  readonly unscaled: bigint
  readonly scale: number
}

class NumberReader {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  /** large pair, large pair, … */
  read(): Decimal | undefined {
    return this.#sum(() =>
      this.#pair(
        () => this.#medium(),
        (exponent) => exponent > LARGEST_MEDIUM_EXPONENT,
      ),
    )
  }

  #medium(): Decimal | undefined {
    return this.#sum(() =>
      this.#pair(
        () => this.#digits(),
        (exponent) => exponent <= LARGEST_MEDIUM_EXPONENT,
      ),
    )
  }

  #sum(next: () => Decimal | undefined): Decimal | undefined {
    let sum = next()
    for (let term = sum === undefined ? undefined : next(); term !== undefined; term = next()) sum = add(sum!, term)
    return sum
  }

  #pair(factor: () => Decimal | undefined, accepts: (exponent: number) => boolean): Decimal | undefined {
    const first = factor()
    const exponent = EXPONENTS[this.#text.charAt(this.#at)]
    if (exponent === undefined || !accepts(exponent)) return first
    this.#at++
    const power = { unscaled: 10n ** BigInt(exponent), scale: 0 }
    return first === undefined ? power : { unscaled: first.unscaled * power.unscaled, scale: first.scale }
  }

  /** @throws {SyntaxError} for more than one decimal point, or one without a digit */
  #digits(): Decimal | undefined {
    let digits = ''
    for (; this.#at < this.#text.length; this.#at++) {
      const char = this.#text.charAt(this.#at)
      const hangul = NUMERALS.indexOf(char)
      if (/[0-9\uff10-\uff19]/.test(char)) digits += String(char.charCodeAt(0) & 0xf)
      else if (hangul !== -1) digits += String(hangul)
      else if (char === '.' || char === '\uff0e') digits += '.'
      else if (char !== ',' && char !== '\uff0c') break
    }
    if (digits === '') return undefined
    const [whole, fraction = '', ...more] = digits.split('.')
    if (more.length > 0 || whole + fraction === '') throw new SyntaxError(`not a number: ${digits}`)
    return { unscaled: BigInt(whole + fraction), scale: fraction.length }
  }
}

function add(a: Decimal, b: Decimal): Decimal {
  const scale = Math.max(a.scale, b.scale)
  const scaled = (d: Decimal): bigint => d.unscaled * 10n ** BigInt(scale - d.scale)
  return { unscaled: scaled(a) + scaled(b), scale }
}

function format({ unscaled, scale }: Decimal): string {
  const digits = unscaled.toString().padStart(scale + 1, '0')
  if (scale === 0) return digits
  const fraction = digits.slice(-scale).replace(/0+$/, '')
  const whole = digits.slice(0, -scale)
  return fraction === '' ? whole : `${whole}.${fraction}`
}
