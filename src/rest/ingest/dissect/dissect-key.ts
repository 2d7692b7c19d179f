/** What a key's sign says of its value. */
export type DissectModifier = 'none' | 'append' | 'append-in-order' | 'field-name' | 'field-value' | 'skip'

/** A key of a dissect pattern: what stands between `%{` and `}`. */
export interface DissectKey {
  readonly modifier: DissectModifier
  readonly name: string
  /** Whether its value is passed over. */
  readonly skips: boolean
  /** `->`: what separates it from the next may stand several times. */
  readonly skipsPadding: boolean
  /** Place of its value among those of the same name. */
  readonly place: number
}

/** Why a dissect pattern cannot be read. */
export class DissectError extends Error {
  readonly kind: 'key_parse' | 'pattern_parse' | 'number_format_exception'

  constructor(kind: DissectError['kind'], message: string) {
    super(message)
    this.kind = kind
  }
}

const MODIFIERS: Readonly<Record<string, DissectModifier>> = {
  '/': 'append-in-order',
  '+': 'append',
  '*': 'field-name',
  '&': 'field-value',
  '?': 'skip',
}

/** Reads a key. @throws {DissectError} */
export function readDissectKey(text: string): DissectKey {
  const modifier = modifierOf(text)
  if (modifier === 'none') {
    const skipsPadding = text.endsWith('->')
    const name = skipsPadding ? text.slice(0, -2) : text
    return { modifier, name, skips: name === '', skipsPadding, place: 0 }
  }
  const parts =
    modifier === 'append-in-order' ? /[+](.*?)(\/)([0-9]+)(->)?$/s.exec(text) : /([+*&?])(.*?)(->)?$/s.exec(text)
  const name = modifier === 'append-in-order' ? parts?.[1] : parts?.[2]
  const skips = modifier === 'skip'
  const place = modifier === 'append-in-order' && parts !== null ? placeOf(parts[3] as string) : 0
  if (name === undefined || (name === '' && !skips))
    throw new DissectError('key_parse', `Unable to parse key: ${text} Reason: The key name could be determined`)
  return {
    modifier,
    name,
    skips,
    skipsPadding: parts?.[modifier === 'append-in-order' ? 4 : 3] !== undefined,
    place,
  }
}

function modifierOf(text: string): DissectModifier {
  let modifier: DissectModifier = 'none'
  let count = 0
  for (const [sign] of text.matchAll(/[/+*&?]/g)) {
    const before = modifier
    modifier = MODIFIERS[sign] as DissectModifier
    if (++count > 1 && !(before === 'append' && modifier === 'append-in-order'))
      throw new DissectError('key_parse', `Unable to parse key: ${text} Reason: multiple modifiers are not allowed.`)
  }
  return modifier
}

/** A place is a Java short. */
function placeOf(digits: string): number {
  const place = Number(digits)
  if (place < 2 ** 15) return place
  throw new DissectError(
    'number_format_exception',
    place < 2 ** 31 ? `Value out of range. Value:"${digits}" Radix:10` : `For input string: "${digits}"`,
  )
}
