import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { Lexicon, LexiconEntry } from '../src/engine/analysis/korean/dictionary-builder.ts'
import type { UnknownWord } from '../src/engine/analysis/korean/dictionary-columns.ts'
import type { Feature, FeaturePart, MorphemeType } from '../src/engine/analysis/korean/feature.ts'
import { UNIT_CLASSES } from '../src/engine/analysis/korean/unit-class.ts'
import { noriUnitTraits } from './nori-unit-traits.ts'

// nori's own ids for user words, and the ids, costs and tags of its unknown words.
const USER_WORD = { leftId: 1781, rightId: 3533, rightIdWithFinal: 3535, rightIdWithoutFinal: 3534 }

const SYMBOL: UnknownWord = { leftId: 1798, rightId: 3559, cost: 3677, tag: 'SY' }
const FOREIGN: UnknownWord = { leftId: 1793, rightId: 3533, cost: 795, tag: 'SL' }
const HANJA: UnknownWord = { leftId: 1792, rightId: 3554, cost: -821, tag: 'SH' }

const UNKNOWN_WORDS: Record<(typeof UNIT_CLASSES)[number], UnknownWord> = {
  NGRAM: SYMBOL,
  DEFAULT: SYMBOL,
  SPACE: { leftId: 1795, rightId: 3556, cost: 1065, tag: 'SP' },
  SYMBOL,
  NUMERIC: { leftId: 1794, rightId: 3555, cost: 3802, tag: 'SN' },
  ALPHA: FOREIGN,
  CYRILLIC: FOREIGN,
  GREEK: FOREIGN,
  HIRAGANA: FOREIGN,
  KATAKANA: FOREIGN,
  KANJI: FOREIGN,
  HANGUL: { leftId: 1800, rightId: 3562, cost: 10247, tag: 'UNKNOWN' },
  HANJA,
  HANJANUMERIC: HANJA,
}

/** Left tags that cost more behind a space. */
const PENALIZED: ReadonlySet<string> = new Set(['E', 'J', 'VCP', 'XSA', 'XSN', 'XSV'])

/**
 * Reads nori's dictionary from its data form.
 *
 * @param folder  holds `words.tsv.gz` (surface, left id, right id, cost, `TYPE,leftTag,rightTag,reading,parts`) and
 *                `matrix.bin.gz` (int32 right ids, int32 left ids, int16 costs at left id * right ids + right id)
 */
export function readNoriLexicon(folder: string, origin: string): Lexicon {
  const lines = gunzipSync(readFileSync(join(folder, 'words.tsv.gz')))
    .toString('utf8')
    .trimEnd()
    .split('\n')
  const matrix = gunzipSync(readFileSync(join(folder, 'matrix.bin.gz')))
  const rightSize = matrix.readInt32LE(0)
  const leftSize = matrix.readInt32LE(4)
  const costs = new Int16Array(leftSize * rightSize)
  for (let i = 0; i < costs.length; i++) costs[i] = matrix.readInt16LE(8 + i * 2)
  return {
    meta: {
      kind: 'nori',
      origin,
      unknownWords: UNIT_CLASSES.map((name) => UNKNOWN_WORDS[name]),
      userWord: USER_WORD,
    },
    entries: lines.map(toEntry),
    matrix: { leftSize, rightSize, costs },
    prune: false,
    unitTraits: noriUnitTraits(),
  }
}

function toEntry(line: string): LexiconEntry {
  const [surface, leftId, rightId, cost, features] = line.split('\t') as [string, string, string, string, string]
  const [type, leftTag, rightTag, reading, ...rest] = features.split(',') as [
    string,
    string,
    string,
    string,
    ...string[],
  ]
  return {
    surface,
    leftId: Number(leftId),
    rightId: Number(rightId),
    cost: Number(cost),
    feature: toFeature(surface, type as MorphemeType, [leftTag, rightTag], rest.join(',')),
    spacePenalty: PENALIZED.has(leftTag),
    reading: reading === 'null' ? undefined : reading,
  }
}

/**
 * Parts of a compound lie backward from the word's end by their lengths, those of a pre-analysed word forward from its
 * start; those of an inflected word cover no text of their own.
 */
function toFeature(surface: string, type: MorphemeType, tags: readonly string[], expression: string): Feature {
  if (type === 'MORPHEME' || expression === '') return { type, tags, parts: undefined }
  const pieces = expression.split('+').map((piece) => {
    const slash = piece.lastIndexOf('/')
    return { text: piece.slice(0, slash), tag: piece.slice(slash + 1) }
  })
  if (type === 'INFLECT') return { type, tags, parts: pieces.map((p) => ({ ...p, start: 0, end: 0 })) }
  const length = pieces.reduce((sum, p) => sum + p.text.length, 0)
  let end = type === 'COMPOUND' ? surface.length - length : 0
  const parts = pieces.map(({ text, tag }): FeaturePart => {
    const start = end
    end += text.length
    return { tag, start, end, text: surface.slice(start, end) === text ? undefined : text }
  })
  return { type, tags, parts }
}
