import { ServiceError } from '../../../errors.ts'
import { isDigit, isLetter, isWhitespace } from '../unicode/java-character.ts'

/** Java's names of general categories, as the settings `token_chars` may name them. */
const CATEGORIES: Readonly<Record<string, string>> = {
  uppercase_letter: 'Lu',
  lowercase_letter: 'Ll',
  titlecase_letter: 'Lt',
  modifier_letter: 'Lm',
  other_letter: 'Lo',
  non_spacing_mark: 'Mn',
  enclosing_mark: 'Me',
  combining_spacing_mark: 'Mc',
  decimal_digit_number: 'Nd',
  letter_number: 'Nl',
  other_number: 'No',
  space_separator: 'Zs',
  line_separator: 'Zl',
  paragraph_separator: 'Zp',
  control: 'Cc',
  format: 'Cf',
  private_use: 'Co',
  surrogate: 'Cs',
  dash_punctuation: 'Pd',
  start_punctuation: 'Ps',
  end_punctuation: 'Pe',
  connector_punctuation: 'Pc',
  other_punctuation: 'Po',
  initial_quote_punctuation: 'Pi',
  final_quote_punctuation: 'Pf',
  math_symbol: 'Sm',
  currency_symbol: 'Sc',
  modifier_symbol: 'Sk',
  other_symbol: 'So',
  unassigned: 'Cn',
}

/** A test of characters by code point. */
export type CharacterTest = (codePoint: number) => boolean

const category = (names: string): CharacterTest => {
  const pattern = new RegExp(`^[${names}]$`, 'u')
  return (codePoint) => pattern.test(String.fromCodePoint(codePoint))
}

const punctuation = category('\\p{P}')
const symbol = category('\\p{S}')

const CLASSES: Readonly<Record<string, CharacterTest>> = {
  letter: isLetter,
  digit: isDigit,
  whitespace: isWhitespace,
  punctuation,
  symbol,
}

/**
 * A class of characters by its name: `letter`, `digit`, `whitespace`, `punctuation`, `symbol` or a general category.
 *
 * @param hasCustom  whether `custom` is among the names that may be given
 * @throws {ServiceError} illegal_argument_exception for an unknown name
 */
export function characterClass(name: string, hasCustom = false): CharacterTest {
  const key = name.toLowerCase().trim()
  const known = Object.hasOwn(CLASSES, key) ? CLASSES[key] : undefined
  if (known !== undefined) return known
  if (Object.hasOwn(CATEGORIES, key)) return category(`\\p{${CATEGORIES[key]}}`)
  throw new ServiceError(
    'illegal_argument_exception',
    `Unknown token type: '${key}', must be one of [${NAMES.filter((known) => hasCustom || known !== 'custom').join(', ')}]`,
  )
}

/** In the order of the real server's message. */
const NAMES =
  'symbol private_use paragraph_separator start_punctuation unassigned enclosing_mark connector_punctuation letter_number other_number math_symbol lowercase_letter space_separator surrogate initial_quote_punctuation decimal_digit_number digit other_punctuation dash_punctuation currency_symbol non_spacing_mark custom format modifier_letter control uppercase_letter other_symbol end_punctuation modifier_symbol other_letter line_separator titlecase_letter letter punctuation combining_spacing_mark final_quote_punctuation whitespace'.split(
    ' ',
  )
