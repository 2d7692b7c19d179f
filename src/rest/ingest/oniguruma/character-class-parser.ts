import { CharacterSet, ESCAPED_SETS, namedSet, POSIX_SETS, rangeSet } from './character-set.ts'
import { readEscapedPoint, readProperty } from './escapes.ts'
import type { PatternReader } from './pattern-reader.ts'
import { PatternSyntaxError } from './pattern-syntax-error.ts'

const EMPTY = new CharacterSet(() => false)

/** Reads `[…]`, the opening bracket being read; classes within, `&&` and POSIX brackets too. @throws {PatternSyntaxError} */
export function readCharacterClass(reader: PatternReader, ignoreCase: boolean): CharacterSet {
  const set = readSet(reader)
  return ignoreCase ? set.ignoringCase() : set
}

function readSet(reader: PatternReader): CharacterSet {
  const negative = reader.take('^')
  let whole: CharacterSet | undefined
  let set = EMPTY
  let isEmpty = true
  // A bracket at the beginning stands for itself where another one ends the class.
  if (reader.startsWith(']')) {
    if (!reader.rest(1).includes(']')) throw new PatternSyntaxError('empty char-class')
    reader.skip(1)
    set = rangeSet(0x5d, 0x5d)
    isEmpty = false
  }
  for (;;) {
    if (reader.isAtEnd) throw new PatternSyntaxError('premature end of char-class')
    if (reader.take(']')) break
    if (reader.take('&&')) {
      whole = whole === undefined ? set : whole.and(set)
      set = EMPTY
      isEmpty = true
      continue
    }
    set = set.or(readMember(reader))
    isEmpty = false
  }
  if (whole !== undefined) set = whole.and(set)
  else if (isEmpty) throw new PatternSyntaxError('empty char-class')
  return negative ? set.not() : set
}

/** A member: a set, a character, or the range of two characters. */
function readMember(reader: PatternReader): CharacterSet {
  const from = readPart(reader)
  if (typeof from !== 'number') return from
  if (!reader.startsWith('-') || reader.rest(1).startsWith(']')) return rangeSet(from, from)
  reader.skip(1)
  if (reader.isAtEnd) throw new PatternSyntaxError('premature end of char-class')
  if (reader.startsWith('&&')) return rangeSet(from, from).or(rangeSet(0x2d, 0x2d))
  const to = readPart(reader)
  if (typeof to !== 'number') {
    if (to.fromEscape) throw new PatternSyntaxError('char-class value at end of range')
    return rangeSet(from, from).or(rangeSet(0x2d, 0x2d)).or(to)
  }
  if (to < from) throw new PatternSyntaxError('empty range in char class')
  return rangeSet(from, to)
}

function readPart(reader: PatternReader): number | (CharacterSet & { readonly fromEscape?: boolean }) {
  if (reader.startsWith('[')) {
    const posix = /^\[:(\^?)(\w*):\]/.exec(reader.rest(0))
    if (posix !== null) {
      const [all, negative, name] = posix
      if (!Object.hasOwn(POSIX_SETS, name as string)) throw new PatternSyntaxError('invalid POSIX bracket type')
      reader.skip(all.length)
      const set = namedSet(name as string) as CharacterSet
      return negative === '' ? set : set.not()
    }
    reader.skip(1)
    return readSet(reader)
  }
  if (!reader.startsWith('\\')) return reader.next()
  reader.skip(1)
  if (reader.isAtEnd) throw new PatternSyntaxError('end pattern at escape')
  const letter = reader.peek()
  if (Object.hasOwn(ESCAPED_SETS, letter)) {
    reader.skip(1)
    return escaped(ESCAPED_SETS[letter] as CharacterSet)
  }
  if ((letter === 'p' || letter === 'P') && reader.rest(1).startsWith('{')) return escaped(readProperty(reader))
  if (letter === 'b') {
    reader.skip(1)
    return 0x08
  }
  return readEscapedPoint(reader)
}

function escaped(set: CharacterSet): CharacterSet & { readonly fromEscape: boolean } {
  return Object.assign(set.or(EMPTY), { fromEscape: true })
}
