import { createHash } from 'node:crypto'
import { fault } from '../script-fault.ts'
import type { ScriptRun } from '../script-run.ts'
import { box } from '../values/boxing.ts'
import { notNull } from '../values/not-null.ts'
import { ScriptArray } from '../values/script-array.ts'
import type { ClassDefinition } from '../values/script-class.ts'
import type { ScriptCollection } from '../values/script-collection.ts'
import { NUMBER_FORMAT_CLASSES } from '../values/script-decimal-format.ts'
import type { ScriptFunction } from '../values/script-function.ts'
import { LOCALE_CLASS } from '../values/script-locale.ts'
import type { ScriptPattern } from '../values/script-pattern.ts'
import { type BuilderName, subtext, TextBuilder, unitAt } from '../values/script-text.ts'
import { type ScriptValue, textOf } from '../values/script-value.ts'
import { checkBase64 } from './check-base64.ts'
import { formatText } from './format-text.ts'
import { joinedTexts } from './join-text.ts'
import { ScriptStream } from './script-stream.ts'

/** What Java trims: all up to the blank. */
function trim(text: string): string {
  let start = 0
  let end = text.length
  while (start < end && text.charCodeAt(start) <= 0x20) start++
  while (end > start && text.charCodeAt(end - 1) <= 0x20) end--
  return text.slice(start, end)
}

/** Takes a text apart; empty parts at the end stay, as the real server's own function has it. */
function splitOnToken(text: string, token: string | null, limit: number, run: ScriptRun): ScriptArray {
  if (token === null) throw fault('NullPointerException', null)
  if (token === '') return new ScriptArray('String', [text])
  const parts: string[] = []
  let from = 0
  for (
    let at = text.indexOf(token);
    at >= 0 && (limit <= 0 || parts.length + 1 < limit);
    at = text.indexOf(token, from)
  ) {
    parts.push(text.slice(from, at))
    from = at + token.length
  }
  parts.push(text.slice(from))
  run.allocate(parts.length * 24)
  return new ScriptArray('String', parts)
}

function replaced(text: string, from: ScriptValue, to: ScriptValue, run: ScriptRun): string {
  const [old, replacement] = [textOf(notNull(from)), textOf(notNull(to))]
  const growth = replacement.length / Math.max(1, old.length)
  run.allocate(Math.ceil(text.length * Math.max(1, growth) + 16 + (old === '' ? text.length * replacement.length : 0)))
  return text.split(old).join(replacement)
}

/** Puts what a lambda makes of it in the place of the first match or of all. */
function replacedMatches(
  text: string,
  pattern: ScriptPattern,
  make: ScriptFunction,
  isAll: boolean,
  run: ScriptRun,
): string {
  const matcher = pattern.matcher(text)
  let made = ''
  let from = 0
  for (const match of matcher.all(run)) {
    made += text.slice(from, match.index) + textOf(notNull(make.invoke(matcher.go(match))))
    from = match.index + match[0].length
    run.allocate(made.length)
    if (!isAll) break
  }
  return made + text.slice(from)
}

const CHAR_SEQUENCE: ClassDefinition = {
  name: 'CharSequence',
  javaName: 'java.lang.CharSequence',
  methods: {
    'char charAt(int)': (self: ScriptValue, index: number) => unitAt(textOf(self), index),
    'int length()': (self: ScriptValue) => textOf(self).length,
    'CharSequence subSequence(int,int)': (self: ScriptValue, begin: number, end: number) =>
      subtext(textOf(self), begin, end),
    'IntStream chars()': (self: ScriptValue, run: ScriptRun) => {
      const text = textOf(self)
      run.allocate(text.length * 8)
      return new ScriptStream(
        'int',
        Array.from({ length: text.length }, (_, i) => text.charCodeAt(i)),
        run,
      )
    },
    'IntStream codePoints()': (self: ScriptValue, run: ScriptRun) => {
      const text = textOf(self)
      run.allocate(text.length * 8)
      return new ScriptStream(
        'int',
        Array.from(text, (c) => c.codePointAt(0) as number),
        run,
      )
    },
    'String replaceAll(Pattern,Function)': (
      self: ScriptValue,
      by: ScriptPattern,
      make: ScriptFunction,
      run: ScriptRun,
    ) => replacedMatches(textOf(self), by, make, true, run),
    'String replaceFirst(Pattern,Function)': (
      self: ScriptValue,
      by: ScriptPattern,
      make: ScriptFunction,
      run: ScriptRun,
    ) => replacedMatches(textOf(self), by, make, false, run),
  },
}

/** What a text's code points are, and its code units in an array; of builders too. */
const POINTS: ClassDefinition['methods'] = {
  'int codePointAt(int)': (self: ScriptValue, index: number) => pointAt(textOf(self), index),
  'int codePointBefore(int)': (self: ScriptValue, index: number) => pointBefore(textOf(self), index),
  'int codePointCount(int,int)': (self: ScriptValue, begin: number, end: number) =>
    [...subtext(textOf(self), begin, end)].length,
  'void getChars(int,int,char[],int)': (
    self: ScriptValue,
    begin: number,
    end: number,
    into: ScriptArray,
    at: number,
    run: ScriptRun,
  ) => {
    const text = subtext(textOf(self), begin, end)
    run.step(text.length >> 2)
    const { length } = into.items
    if (at < 0 || at + text.length > length)
      throw fault('StringIndexOutOfBoundsException', `offset ${at}, count ${text.length}, length ${length}`)
    for (let i = 0; i < text.length; i++) into.items[at + i] = text.charCodeAt(i)
  },
  'int offsetByCodePoints(int,int)': (self: ScriptValue, index: number, by: number) =>
    offsetBy(textOf(self), index, by),
}

function pointAt(text: string, index: number): number {
  unitAt(text, index)
  return text.codePointAt(index) as number
}

function pointBefore(text: string, index: number): number {
  if (index < 1 || index > text.length)
    throw fault('StringIndexOutOfBoundsException', `String index out of range: ${index}`)
  const point = index > 1 ? (text.codePointAt(index - 2) as number) : 0
  return point > 0xffff ? point : text.charCodeAt(index - 1)
}

function offsetBy(text: string, index: number, by: number): number {
  if (index < 0 || index > text.length) throw fault('IndexOutOfBoundsException', null)
  const points = by < 0 ? [...text.slice(0, index)] : [...text.slice(index)]
  if (points.length < Math.abs(by)) throw fault('IndexOutOfBoundsException', null)
  return by < 0 ? points.slice(0, points.length + by).join('').length : index + points.slice(0, by).join('').length
}

/** A text of many code units. */
function textOfUnits(units: readonly number[]): string {
  let text = ''
  for (const unit of units) text += String.fromCharCode(unit)
  return text
}

const STRING_IN_SIX: ClassDefinition = {
  name: 'String',
  javaName: 'java.lang.String',
  parents: ['CharSequence', 'Comparable'],
  constructors: { '()': () => '' },
  methods: {
    'int compareToIgnoreCase(String)': (self: string, other: string) => {
      const [left, right] = [self.toLowerCase(), notNull(other).toLowerCase()]
      return left < right ? -1 : left > right ? 1 : 0
    },
    'String concat(String)': (self: string, other: string, run: ScriptRun) => run.allocateText(self + notNull(other)),
    'boolean contains(CharSequence)': (self: string, other: ScriptValue) => self.includes(textOf(notNull(other))),
    'boolean contentEquals(CharSequence)': (self: string, other: ScriptValue) => self === textOf(notNull(other)),
    'boolean endsWith(String)': (self: string, other: string) => self.endsWith(notNull(other)),
    'boolean equalsIgnoreCase(String)': (self: string, other: string | null) =>
      other !== null && self.toLowerCase() === other.toLowerCase(),
    'int indexOf(String)': (self: string, other: string) => self.indexOf(notNull(other)),
    'int indexOf(String,int)': (self: string, other: string, from: number) => self.indexOf(notNull(other), from),
    'boolean isEmpty()': (self: string) => self === '',
    'int lastIndexOf(String)': (self: string, other: string) => self.lastIndexOf(notNull(other)),
    'int lastIndexOf(String,int)': (self: string, other: string, from: number) =>
      from < 0 ? -1 : self.lastIndexOf(notNull(other), from),
    'boolean regionMatches(int,String,int,int)': (
      self: string,
      at: number,
      other: string,
      from: number,
      length: number,
    ) =>
      at >= 0 &&
      from >= 0 &&
      at + length <= self.length &&
      from + length <= other.length &&
      self.slice(at, at + length) === other.slice(from, from + length),
    'boolean regionMatches(boolean,int,String,int,int)': (
      self: string,
      ignoresCase: boolean,
      at: number,
      other: string,
      from: number,
      length: number,
    ) => {
      if (at < 0 || from < 0 || at + length > self.length || from + length > other.length) return false
      const [left, right] = [self.slice(at, at + length), other.slice(from, from + length)]
      return ignoresCase ? left.toLowerCase() === right.toLowerCase() : left === right
    },
    'String replace(CharSequence,CharSequence)': replaced,
    'boolean startsWith(String)': (self: string, other: string) => self.startsWith(notNull(other)),
    'boolean startsWith(String,int)': (self: string, other: string, from: number) =>
      from >= 0 && self.startsWith(notNull(other), from),
    'String substring(int)': (self: string, begin: number) => subtext(self, begin, self.length),
    'String substring(int,int)': subtext,
    'char[] toCharArray()': (self: string, run: ScriptRun) => {
      run.allocate(self.length * 8)
      return new ScriptArray(
        'char',
        Array.from({ length: self.length }, (_, i) => self.charCodeAt(i)),
      )
    },
    'String toLowerCase(Locale)': (self: string, _locale: unknown, run: ScriptRun) =>
      run.allocateText(self.toLowerCase()),
    'String toUpperCase(Locale)': (self: string, _locale: unknown, run: ScriptRun) =>
      run.allocateText(self.toUpperCase()),
    'String toLowerCase()': (self: string, run: ScriptRun) => run.allocateText(self.toLowerCase()),
    'String toUpperCase()': (self: string, run: ScriptRun) => run.allocateText(self.toUpperCase()),
    'String trim()': trim,
    'String encodeBase64()': (self: string, run: ScriptRun) =>
      run.allocateText(Buffer.from(self, 'utf8').toString('base64')),
    'String decodeBase64()': (self: string, run: ScriptRun) => {
      checkBase64(Buffer.from(self), 'base64')
      return run.allocateText(Buffer.from(self, 'base64').toString('utf8'))
    },
    ...POINTS,
  },
  statics: {
    'String copyValueOf(char[])': (chars: ScriptArray) => textOfUnits(chars.items as number[]),
    'String copyValueOf(char[],int,int)': (chars: ScriptArray, from: number, count: number) =>
      subtext(textOfUnits(chars.items as number[]), from, from + count),
    'String format(String,def[])': (pattern: string, values: ScriptArray, run: ScriptRun) =>
      run.allocateText(
        formatText(
          notNull(pattern),
          values.items.map((item) => box(values.element, item)),
        ),
      ),
    'String format(Locale,String,def[])': (_: ScriptValue, pattern: string, values: ScriptArray, run: ScriptRun) =>
      run.allocateText(
        formatText(
          notNull(pattern),
          values.items.map((item) => box(values.element, item)),
        ),
      ),
    'String join(CharSequence,Iterable)': (by: ScriptValue, values: ScriptCollection, run: ScriptRun) =>
      joinedTexts([...notNull(values).values()], textOf(notNull(by)), run),
    'String valueOf(def)': textOf,
  },
}

const STRING_IN_SEVEN: ClassDefinition = {
  ...STRING_IN_SIX,
  methods: {
    ...STRING_IN_SIX.methods,
    'String[] splitOnToken(String)': (self: string, token: string | null, run: ScriptRun) =>
      splitOnToken(self, token, -1, run),
    'String[] splitOnToken(String,int)': (self: string, token: string | null, limit: number, run: ScriptRun) =>
      splitOnToken(self, token, limit, run),
  },
}

function spliced(self: TextBuilder, from: number, to: number, text: string, run: ScriptRun): TextBuilder {
  const { length } = self.text
  const end = Math.min(to, length)
  if (from < 0 || from > length || from > end) {
    throw fault('StringIndexOutOfBoundsException', `start ${from}, end ${end}, length ${length}`)
  }
  return self.set(self.text.slice(0, from) + text + self.text.slice(end), run)
}

const builderClass = (name: BuilderName): ClassDefinition => ({
  name,
  javaName: `java.lang.${name}`,
  parents: ['CharSequence'],
  constructors: {
    '()': () => new TextBuilder('', name),
    '(CharSequence)': (text: ScriptValue) => new TextBuilder(textOf(notNull(text)), name),
  },
  methods: {
    ...POINTS,
    [`${name} append(def)`]: (self: TextBuilder, value: ScriptValue, run: ScriptRun) =>
      self.set(self.text + textOf(value), run),
    [`${name} append(CharSequence,int,int)`]: (
      self: TextBuilder,
      value: ScriptValue,
      begin: number,
      end: number,
      run: ScriptRun,
    ) => self.set(self.text + subtext(textOf(value), begin, end), run),
    [`${name} appendCodePoint(int)`]: (self: TextBuilder, point: number, run: ScriptRun) =>
      self.set(self.text + String.fromCodePoint(point), run),
    'int capacity()': (self: TextBuilder) => Math.max(16, self.text.length),
    [`${name} delete(int,int)`]: (self: TextBuilder, from: number, to: number, run: ScriptRun) =>
      spliced(self, from, to, '', run),
    [`${name} deleteCharAt(int)`]: (self: TextBuilder, index: number, run: ScriptRun) => {
      unitAt(self.text, index)
      return spliced(self, index, index + 1, '', run)
    },
    'int indexOf(String)': (self: TextBuilder, text: string) => self.text.indexOf(notNull(text)),
    'int indexOf(String,int)': (self: TextBuilder, text: string, from: number) =>
      self.text.indexOf(notNull(text), from),
    [`${name} insert(int,def)`]: (self: TextBuilder, at: number, value: ScriptValue, run: ScriptRun) =>
      spliced(self, at, at, textOf(value), run),
    'int lastIndexOf(String)': (self: TextBuilder, text: string) => self.text.lastIndexOf(notNull(text)),
    'int lastIndexOf(String,int)': (self: TextBuilder, text: string, from: number) =>
      from < 0 ? -1 : self.text.lastIndexOf(notNull(text), from),
    [`${name} replace(int,int,String)`]: spliced as (...args: never[]) => unknown,
    [`${name} reverse()`]: (self: TextBuilder, run: ScriptRun) => self.set([...self.text].reverse().join(''), run),
    'void setCharAt(int,char)': (self: TextBuilder, index: number, unit: number, run: ScriptRun) => {
      unitAt(self.text, index)
      spliced(self, index, index + 1, String.fromCharCode(unit), run)
    },
    'void setLength(int)': (self: TextBuilder, length: number, run: ScriptRun) => {
      if (length < 0) throw fault('StringIndexOutOfBoundsException', `String index out of range: ${length}`)
      run.allocate(length)
      self.set(self.text.slice(0, length).padEnd(Math.min(length, 32_000_001), '\0'), run)
    },
    'String substring(int)': (self: TextBuilder, begin: number) => subtext(self.text, begin, self.text.length),
    'String substring(int,int)': (self: TextBuilder, begin: number, end: number) => subtext(self.text, begin, end),
  },
})

const is =
  (pattern: RegExp) =>
  (point: number): boolean =>
    point >= 0 && point <= 0x10ffff && pattern.test(String.fromCodePoint(point))

const isHigh = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff
const isLow = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff

/** Unicode's general categories as Java names and numbers them. */
const CATEGORIES = (
  [
    ['UNASSIGNED', 0, 'Cn'],
    ['UPPERCASE_LETTER', 1, 'Lu'],
    ['LOWERCASE_LETTER', 2, 'Ll'],
    ['TITLECASE_LETTER', 3, 'Lt'],
    ['MODIFIER_LETTER', 4, 'Lm'],
    ['OTHER_LETTER', 5, 'Lo'],
    ['NON_SPACING_MARK', 6, 'Mn'],
    ['ENCLOSING_MARK', 7, 'Me'],
    ['COMBINING_SPACING_MARK', 8, 'Mc'],
    ['DECIMAL_DIGIT_NUMBER', 9, 'Nd'],
    ['LETTER_NUMBER', 10, 'Nl'],
    ['OTHER_NUMBER', 11, 'No'],
    ['SPACE_SEPARATOR', 12, 'Zs'],
    ['LINE_SEPARATOR', 13, 'Zl'],
    ['PARAGRAPH_SEPARATOR', 14, 'Zp'],
    ['CONTROL', 15, 'Cc'],
    ['FORMAT', 16, 'Cf'],
    ['PRIVATE_USE', 18, 'Co'],
    ['SURROGATE', 19, 'Cs'],
    ['DASH_PUNCTUATION', 20, 'Pd'],
    ['START_PUNCTUATION', 21, 'Ps'],
    ['END_PUNCTUATION', 22, 'Pe'],
    ['CONNECTOR_PUNCTUATION', 23, 'Pc'],
    ['OTHER_PUNCTUATION', 24, 'Po'],
    ['MATH_SYMBOL', 25, 'Sm'],
    ['CURRENCY_SYMBOL', 26, 'Sc'],
    ['MODIFIER_SYMBOL', 27, 'Sk'],
    ['OTHER_SYMBOL', 28, 'So'],
    ['INITIAL_QUOTE_PUNCTUATION', 29, 'Pi'],
    ['FINAL_QUOTE_PUNCTUATION', 30, 'Pf'],
  ] as const
).map(([name, code, category]) => [name, code, is(new RegExp(`\\p{${category}}`, 'u'))] as const)

const CHARACTER: ClassDefinition = {
  name: 'Character',
  javaName: 'java.lang.Character',
  parents: ['Comparable'],
  constants: {
    'int BYTES': 2,
    'char MAX_VALUE': 0xffff,
    'char MIN_VALUE': 0,
    'int SIZE': 16,
    'int MAX_RADIX': 36,
    'int MIN_RADIX': 2,
    'int MAX_CODE_POINT': 0x10ffff,
    'int MIN_CODE_POINT': 0,
    'int MIN_SUPPLEMENTARY_CODE_POINT': 0x10000,
    'char MAX_HIGH_SURROGATE': 0xdbff,
    'char MIN_HIGH_SURROGATE': 0xd800,
    'char MAX_LOW_SURROGATE': 0xdfff,
    'char MIN_LOW_SURROGATE': 0xdc00,
    'char MAX_SURROGATE': 0xdfff,
    'char MIN_SURROGATE': 0xd800,
    ...Object.fromEntries(CATEGORIES.map(([name, code]) => [`byte ${name}`, code])),
  },
  methods: { 'char charValue()': (self: { readonly value: number }) => self.value },
  statics: {
    'int charCount(int)': (point: number) => (point >= 0x10000 ? 2 : 1),
    'int codePointAt(CharSequence,int)': (text: ScriptValue, index: number) => pointAt(textOf(notNull(text)), index),
    'int codePointBefore(CharSequence,int)': (text: ScriptValue, index: number) =>
      pointBefore(textOf(notNull(text)), index),
    'int codePointCount(CharSequence,int,int)': (text: ScriptValue, begin: number, end: number) =>
      [...subtext(textOf(notNull(text)), begin, end)].length,
    'int offsetByCodePoints(CharSequence,int,int)': (text: ScriptValue, index: number, by: number) =>
      offsetBy(textOf(notNull(text)), index, by),
    'char highSurrogate(int)': (point: number) => ((point >>> 10) + 0xd7c0) & 0xffff,
    'char lowSurrogate(int)': (point: number) => (point & 0x3ff) + 0xdc00,
    'int toCodePoint(char,char)': (high: number, low: number) => (high << 10) + low - 0x35fdc00,
    'boolean isBmpCodePoint(int)': (point: number) => point >>> 16 === 0,
    'boolean isSupplementaryCodePoint(int)': (point: number) => point >= 0x10000 && point <= 0x10ffff,
    'boolean isHighSurrogate(char)': isHigh,
    'boolean isLowSurrogate(char)': isLow,
    'boolean isSurrogate(char)': (unit: number) => isHigh(unit) || isLow(unit),
    'boolean isSurrogatePair(char,char)': (high: number, low: number) => isHigh(high) && isLow(low),
    'char reverseBytes(char)': (unit: number) => ((unit & 0xff) << 8) | (unit >> 8),
    'int compare(char,char)': (left: number, right: number) => left - right,
    'int digit(int,int)': (point: number, radix: number) => {
      const digit = Number.parseInt(String.fromCodePoint(point), 36)
      return digit < radix ? digit : -1
    },
    'char forDigit(int,int)': (digit: number, radix: number) =>
      digit >= 0 && digit < radix ? digit.toString(36).charCodeAt(0) : 0,
    'int getNumericValue(int)': (point: number) => {
      const digit = Number.parseInt(String.fromCodePoint(point), 36)
      return Number.isNaN(digit) ? -1 : digit
    },
    'int hashCode(char)': (unit: number) => unit,
    'int getType(int)': (point: number) => CATEGORIES.find(([, , has]) => has(point))?.[1] ?? 0,
    'boolean isAlphabetic(int)': is(/\p{Alphabetic}/u),
    'boolean isDefined(int)': is(/\P{Cn}/u),
    'boolean isDigit(int)': is(/\p{Nd}/u),
    'boolean isIdeographic(int)': is(/\p{Ideographic}/u),
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is asked for
    'boolean isISOControl(int)': is(/[\u0000-\u001f\u007f-\u009f]/),
    'boolean isLetter(int)': is(/\p{L}/u),
    'boolean isLetterOrDigit(int)': is(/[\p{L}\p{Nd}]/u),
    'boolean isLowerCase(int)': is(/\p{Lowercase}/u),
    'boolean isSpaceChar(int)': is(/\p{Z}/u),
    'boolean isTitleCase(int)': is(/\p{Lt}/u),
    'boolean isUpperCase(int)': is(/\p{Uppercase}/u),
    'boolean isValidCodePoint(int)': (point: number) => point >= 0 && point <= 0x10ffff,
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are among what Java takes for blank
    'boolean isWhitespace(int)': is(/[\t-\r\u001c-\u001f]|(?![\u00a0\u2007\u202f])\p{Z}/u),
    'char toLowerCase(char)': (unit: number) => single(unit, String.fromCharCode(unit).toLowerCase()),
    'char toUpperCase(char)': (unit: number) => single(unit, String.fromCharCode(unit).toUpperCase()),
    'String toString(char)': (unit: number) => String.fromCharCode(unit),
    'char[] toChars(int)': (point: number) => {
      if (point < 0 || point > 0x10ffff) throw fault('IllegalArgumentException', null)
      const text = String.fromCodePoint(point)
      return new ScriptArray(
        'char',
        Array.from({ length: text.length }, (_, i) => text.charCodeAt(i)),
      )
    },
    'Character valueOf(char)': (unit: number) => box('char', unit),
  },
}

/** The case of one code unit, which stays where it becomes more than one. */
function single(unit: number, changed: string): number {
  return changed.length === 1 ? changed.charCodeAt(0) : unit
}

const digestOf =
  (algorithm: 'sha1' | 'sha256') =>
  (self: string, run: ScriptRun): string =>
    run.allocateText(createHash(algorithm).update(self, 'utf8').digest('hex'))

/** Texts as OpenSearch's scripts that change documents have them. */
export const DIGESTED_STRING: ClassDefinition = {
  ...STRING_IN_SEVEN,
  methods: { ...STRING_IN_SEVEN.methods, 'String sha1()': digestOf('sha1'), 'String sha256()': digestOf('sha256') },
}

/** Texts and characters of `java.lang`. */
export const TEXT_CLASSES: readonly ClassDefinition[] = [
  CHAR_SEQUENCE,
  { ...STRING_IN_SIX, later: STRING_IN_SEVEN },
  builderClass('StringBuilder'),
  builderClass('StringBuffer'),
  CHARACTER,
  LOCALE_CLASS,
  ...NUMBER_FORMAT_CLASSES,
]
