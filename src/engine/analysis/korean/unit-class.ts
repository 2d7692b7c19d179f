/** Character classes of mecab-ko-dic's `char.def`, by number; unknown words take their ids, cost and tag from their class. */
export const UNIT_CLASSES = [
  'NGRAM',
  'DEFAULT',
  'SPACE',
  'SYMBOL',
  'NUMERIC',
  'ALPHA',
  'CYRILLIC',
  'GREEK',
  'HIRAGANA',
  'KATAKANA',
  'KANJI',
  'HANGUL',
  'HANJA',
  'HANJANUMERIC',
] as const

/** Name of a character class. */
export type UnitClassName = (typeof UNIT_CLASSES)[number]

/** Number of a character class: its place in {@link UNIT_CLASSES}. */
export function unitClassNumber(name: UnitClassName): number {
  return UNIT_CLASSES.indexOf(name)
}

// Ranges of UTF-16 units, inclusive, later lines win. Facts of mecab-ko-dic's char.def, equal in nori and seunjeon but for
// the lines each adds below.
const RANGES: readonly (readonly [number, number, UnitClassName])[] = [
  [0x0009, 0x000b, 'SPACE'],
  [0x000d, 0x000d, 'SPACE'],
  [0x0020, 0x0020, 'SPACE'],
  [0x0021, 0x002f, 'SYMBOL'],
  [0x0030, 0x0039, 'NUMERIC'],
  [0x003a, 0x0040, 'SYMBOL'],
  [0x0041, 0x005a, 'ALPHA'],
  [0x005b, 0x0060, 'SYMBOL'],
  [0x0061, 0x007a, 'ALPHA'],
  [0x007b, 0x007e, 'SYMBOL'],
  [0x00a1, 0x00bf, 'SYMBOL'],
  [0x00c0, 0x0236, 'ALPHA'],
  [0x0374, 0x03fb, 'GREEK'],
  [0x0400, 0x04f9, 'CYRILLIC'],
  [0x0500, 0x050f, 'CYRILLIC'],
  [0x1100, 0x11ff, 'HANGUL'],
  [0x1e00, 0x1ef9, 'ALPHA'],
  [0x2000, 0x206f, 'SYMBOL'],
  [0x2070, 0x209f, 'NUMERIC'],
  [0x20a0, 0x214f, 'SYMBOL'],
  [0x2150, 0x218f, 'NUMERIC'],
  [0x2190, 0x23ff, 'SYMBOL'],
  [0x2460, 0x24ff, 'SYMBOL'],
  [0x2501, 0x26fe, 'SYMBOL'],
  [0x2700, 0x297f, 'SYMBOL'],
  [0x2a00, 0x2bff, 'SYMBOL'],
  [0x2e80, 0x2ef3, 'HANJA'],
  [0x2f00, 0x2fd5, 'KANJI'],
  [0x3000, 0x303f, 'SYMBOL'],
  [0x3041, 0x309f, 'HIRAGANA'],
  [0x30a1, 0x30fa, 'KATAKANA'],
  [0x30fb, 0x30fb, 'SYMBOL'],
  [0x30fc, 0x30ff, 'KATAKANA'],
  [0x3130, 0x318f, 'HANGUL'],
  [0x31f0, 0x31ff, 'KATAKANA'],
  [0x3200, 0x32fe, 'SYMBOL'],
  [0x3300, 0x33ff, 'SYMBOL'],
  [0x3400, 0x4db5, 'HANJA'],
  [0x4e00, 0x9fa5, 'HANJA'],
  [0xac00, 0xd7a3, 'HANGUL'],
  [0xf900, 0xfa2d, 'HANJA'],
  [0xfa30, 0xfa6a, 'HANJA'],
  [0xfe30, 0xfe6b, 'SYMBOL'],
  [0xff01, 0xff0f, 'SYMBOL'],
  [0xff10, 0xff19, 'NUMERIC'],
  [0xff1a, 0xff1f, 'SYMBOL'],
  [0xff21, 0xff3a, 'ALPHA'],
  [0xff3b, 0xff40, 'SYMBOL'],
  [0xff41, 0xff5a, 'ALPHA'],
  [0xff5b, 0xff65, 'SYMBOL'],
  [0xff66, 0xff9f, 'KATAKANA'],
  [0xffe0, 0xffef, 'SYMBOL'],
]

/** The hanja numerals of class HANJANUMERIC in both tokenizers. */
const HANJA_NUMERALS = '一二三四五六七八九十百千万億兆'

function fillClasses(rest: UnitClassName): Uint8Array {
  const classes = new Uint8Array(0x10000).fill(unitClassNumber(rest))
  for (const [first, last, name] of RANGES) classes.fill(unitClassNumber(name), first, last + 1)
  for (const numeral of HANJA_NUMERALS) classes[numeral.charCodeAt(0)] = unitClassNumber('HANJANUMERIC')
  return classes
}

/**
 * Class number of every UTF-16 unit as nori sees it; a unit of no range is DEFAULT.
 *
 * @source nori's CharacterDefinition (mecab-ko-dic 2.0.3)
 */
export function noriUnitClasses(): Uint8Array {
  return fillClasses('DEFAULT')
}

/**
 * Class number of every UTF-16 unit as seunjeon sees it: a unit of no range (surrogates, U+00A0, private use) falls to
 * the first class of its file, SPACE, and the katakana middle dot is KATAKANA.
 */
export function seunjeonUnitClasses(): Uint8Array {
  const classes = fillClasses('SPACE')
  classes[0x30fb] = unitClassNumber('KATAKANA')
  return classes
}
