import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ConnectionMatrix, Lexicon, LexiconEntry } from './dictionary-builder.ts'
import type { UnknownWord } from './dictionary-columns.ts'
import { readSeunjeonFeature } from './seunjeon-feature.ts'
import { UNIT_CLASSES } from './unit-class.ts'

/* Compiled MeCab dictionary (sys.dic, unk.dic), little-endian.
 *   OFFSET  SIZE  DESCRIPTION
 *        0     4  file size xor 0xef718f77
 *        4     4  version, 102
 *        8     4  type
 *       12     4  number of words
 *       16     4  left ids
 *       20     4  right ids
 *       24     4  d: bytes of the double array
 *       28     4  t: bytes of the tokens
 *       32     4  f: bytes of the features
 *       36     4  unused
 *       40    32  charset
 *       72     d  double array over UTF-8 bytes: (int32 base, uint32 check) a unit; value = token index * 256 + count
 *     72+d     t  tokens: u16 left id, u16 right id, u16 tag id, i16 cost, u32 feature offset, u32 unused
 *   72+d+t     f  features, each a zero-terminated UTF-8 CSV line
 */
const HEADER_BYTES = 72
const TOKEN_BYTES = 16
const FILE_MAGIC = 0xef718f77

interface MecabWord {
  readonly surface: string
  readonly leftId: number
  readonly rightId: number
  readonly cost: number
  readonly features: string
}

/**
 * Reads a folder of compiled MeCab files (`sys.dic`, `matrix.bin`, `unk.dic`, `left-id.def`, `right-id.def`) as
 * seunjeon's lexicon.
 *
 * @param origin  what to call it in messages, e.g. `mecab-ko-dic 2.1.1-20180720`
 * @throws {Error} naming the file that is missing or is no UTF-8 MeCab dictionary of version 102
 */
export function readMecabFolder(folder: string, origin: string): Lexicon {
  const unknown = readWords(join(folder, 'unk.dic'))
  const unknownWords = UNIT_CLASSES.map((name): UnknownWord => {
    // NGRAM is nori's own; here it stands for the default.
    const word = unknown.find((w) => w.surface === (name === 'NGRAM' ? 'DEFAULT' : name))
    if (word === undefined) throw new Error(`${join(folder, 'unk.dic')}: no class ${name}`)
    return { leftId: word.leftId, rightId: word.rightId, cost: word.cost, tag: word.features.split(',')[0]! }
  })
  const rightId = contextId(join(folder, 'right-id.def'), 'NNG,*,*,')
  return {
    meta: {
      kind: 'seunjeon',
      origin,
      unknownWords,
      userWord: {
        leftId: contextId(join(folder, 'left-id.def'), 'NNG,*,'),
        rightId,
        rightIdWithFinal: rightId,
        rightIdWithoutFinal: rightId,
      },
    },
    entries: inLexiconOrder(readWords(join(folder, 'sys.dic')).flatMap(toEntry)),
    matrix: readMatrix(join(folder, 'matrix.bin')),
    prune: true,
    unitTraits: new Uint16Array(0),
  }
}

/**
 * Puts plain particles, noun suffixes, auxiliary verbs and roots behind inflected words, and all else before them, as in
 * the lexicon's archive. Of equals the first wins (`주` is 주다 rather than 줏다), and a compiled folder has the order in
 * which its maker's file system listed the lexicon's files.
 */
function inLexiconOrder(entries: readonly LexiconEntry[]): LexiconEntry[] {
  const ranks: [LexiconEntry[], LexiconEntry[], LexiconEntry[]] = [[], [], []]
  for (const entry of entries) {
    const { type, tags } = entry.feature
    if (type === 'INFLECT') ranks[1].push(entry)
    else if (type === 'MORPHEME' && /^(J.+|XSN|VX|XR)$/.test(tags[0]!)) ranks[2].push(entry)
    else ranks[0].push(entry)
  }
  return ranks.flat()
}

function toEntry(word: MecabWord): LexiconEntry[] {
  const surface = word.surface.replaceAll(' ', '')
  const read = readSeunjeonFeature(surface, word.features.replaceAll(' ', '').split(','))
  if (read === undefined || surface === '') return []
  return [{ surface, leftId: word.leftId, rightId: word.rightId, cost: word.cost, ...read }]
}

/** Words of a compiled dictionary, by surface in byte order, those of one surface in the file's order. */
function readWords(file: string): MecabWord[] {
  const bytes = readFileSync(file)
  if (bytes.length < HEADER_BYTES || (bytes.readUInt32LE(0) ^ FILE_MAGIC) >>> 0 !== bytes.length) {
    throw new Error(`${file}: not a compiled MeCab dictionary`)
  }
  if (bytes.readUInt32LE(4) !== 102) throw new Error(`${file}: MeCab dictionary version is not 102`)
  const charset = bytes.toString('latin1', 40, HEADER_BYTES).replace(/\0.*$/s, '')
  if (!/^utf-?8$/i.test(charset)) throw new Error(`${file}: charset is ${charset}, not UTF-8`)
  const arrayBytes = bytes.readUInt32LE(24)
  const tokens = HEADER_BYTES + arrayBytes
  const features = tokens + bytes.readUInt32LE(28)
  const units = new Int32Array(arrayBytes / 4)
  for (let i = 0; i < units.length; i++) units[i] = bytes.readInt32LE(HEADER_BYTES + i * 4)

  const words: MecabWord[] = []
  const key = Buffer.alloc(4096)
  const readTokens = (value: number, surface: string): void => {
    for (let i = 0; i < (value & 0xff); i++) {
      const token = tokens + ((value >>> 8) + i) * TOKEN_BYTES
      const start = features + bytes.readUInt32LE(token + 8)
      words.push({
        surface,
        leftId: bytes.readUInt16LE(token),
        rightId: bytes.readUInt16LE(token + 2),
        cost: bytes.readInt16LE(token + 6),
        features: bytes.toString('utf8', start, bytes.indexOf(0, start)),
      })
    }
  }
  const walk = (base: number, depth: number): void => {
    if (base >= 0 && units[base * 2 + 1] === base && units[base * 2]! < 0) {
      readTokens(-units[base * 2]! - 1, key.toString('utf8', 0, depth))
    }
    for (let byte = 1; byte < 256; byte++) {
      const unit = base + byte + 1
      if (unit * 2 + 1 < units.length && units[unit * 2 + 1] === base) {
        key[depth] = byte
        walk(units[unit * 2]!, depth + 1)
      }
    }
  }
  walk(units[0]!, 0)
  return words
}

/** `matrix.bin`: u16 right ids, u16 left ids, then i16 at left id * right ids + right id. */
function readMatrix(file: string): ConnectionMatrix {
  const bytes = readFileSync(file)
  const rightSize = bytes.readUInt16LE(0)
  const leftSize = bytes.readUInt16LE(2)
  if (bytes.length !== 4 + rightSize * leftSize * 2) throw new Error(`${file}: not a MeCab connection matrix`)
  const costs = new Int16Array(rightSize * leftSize)
  for (let i = 0; i < costs.length; i++) costs[i] = bytes.readInt16LE(4 + i * 2)
  return { leftSize, rightSize, costs }
}

function contextId(file: string, features: string): number {
  const line = readFileSync(file, 'utf8')
    .split('\n')
    .find((l) => l.slice(l.indexOf(' ') + 1).startsWith(features))
  if (line === undefined) throw new Error(`${file}: no context id of ${features}`)
  return Number(line.slice(0, line.indexOf(' ')))
}
