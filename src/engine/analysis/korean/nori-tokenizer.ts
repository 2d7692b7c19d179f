import type { Tokenizer } from '../analyzer.ts'
import type { TokenBuffer } from '../token-buffer.ts'
import { type NoriTokenAttributes, noriAttributes, partTexts } from './korean-attributes.ts'
import type { KoreanDictionary } from './korean-dictionary.ts'
import { NoriLattice, type NoriRules, type WordSink } from './nori-lattice.ts'
import { type NoriMorpheme, noriMorphemesOf, plainNoriAttributes, toNoriMorpheme } from './nori-morpheme.ts'
import { TRAIT_PUNCTUATION } from './unit-traits.ts'
import type { UserLexicon } from './user-lexicon.ts'

/** What becomes of a word with parts: the word alone, its parts alone, or both. */
export type DecompoundMode = 'none' | 'discard' | 'mixed'

/** How a nori tokenizer works. */
export interface NoriOptions {
  readonly dictionary: KoreanDictionary
  readonly user: UserLexicon | undefined
  readonly rules: NoriRules
  readonly decompoundMode: DecompoundMode
  readonly discardPunctuation: boolean
}

/** Attributes of words with parts that are remembered; they take long to write. */
const REMEMBERED_ATTRIBUTES = 4096

/** Lucene's KoreanTokenizer: the cheapest words of the text, compounds and inflected words taken apart. */
export class NoriTokenizer implements Tokenizer, WordSink {
  readonly #options: NoriOptions
  readonly #lattice: NoriLattice
  readonly #traits: Uint16Array
  readonly #entryCount: number
  readonly #morphemes: (NoriMorpheme | undefined)[]
  readonly #userMorphemes: readonly NoriMorpheme[]
  readonly #unknownMorphemes: readonly NoriMorpheme[]
  readonly #compoundAttributes = new Map<number, NoriTokenAttributes>()
  #units = new Uint16Array(1024)
  #text = ''
  #out: TokenBuffer | undefined

  constructor(options: NoriOptions) {
    const { columns, meta } = options.dictionary
    this.#options = options
    this.#lattice = new NoriLattice(options)
    this.#traits = columns.unitTraits
    this.#entryCount = options.dictionary.entryCount
    this.#morphemes = noriMorphemesOf(options.dictionary)
    this.#userMorphemes = options.user?.features.map(toNoriMorpheme) ?? []
    this.#unknownMorphemes = meta.unknownWords.map(({ tag }) =>
      toNoriMorpheme({ type: 'MORPHEME', tags: [tag, tag], parts: undefined }),
    )
  }

  tokenize(text: string, out: TokenBuffer): void {
    const length = text.length
    if (this.#units.length < length) this.#units = new Uint16Array(Math.max(length, this.#units.length * 2))
    const units = this.#units
    for (let i = 0; i < length; i++) units[i] = text.charCodeAt(i)
    this.#text = text
    this.#out = out
    this.#lattice.analyze(units, length, this)
    this.#text = ''
    this.#out = undefined
    out.finalOffset = length
  }

  /** Called by the lattice, word by word. */
  word(spaceStart: number, start: number, end: number, entry: number): boolean {
    const out = this.#out!
    const before = out.length
    const { discardPunctuation, decompoundMode } = this.#options
    if (!discardPunctuation && spaceStart < start) this.#push(spaceStart, start, plainNoriAttributes('SP'), out)
    const morpheme = this.#morphemeOf(entry)
    if (morpheme.type === 'MORPHEME' || decompoundMode === 'none') {
      const isPunctuation = (this.#traits[this.#units[start]!]! & TRAIT_PUNCTUATION) !== 0
      if (!(discardPunctuation && isPunctuation)) this.#push(start, end, this.#attributesOf(start, end, entry), out)
    } else if (morpheme.parts === undefined) {
      this.#push(start, end, this.#attributesOf(start, end, entry), out)
    } else {
      if (decompoundMode === 'mixed') {
        this.#push(start, end, this.#attributesOf(start, end, entry), out)
        out.positionLengths[out.length - 1] = Math.max(1, morpheme.parts.length)
      }
      this.#pushParts(start, end, morpheme, out)
    }
    return out.length > before
  }

  #push(start: number, end: number, attributes: NoriTokenAttributes, out: TokenBuffer): void {
    out.push(this.#text.slice(start, end), start, end, 'word')
    out.attributes[out.length - 1] = attributes
  }

  #pushParts(start: number, end: number, morpheme: NoriMorpheme, out: TokenBuffer): void {
    const parts = morpheme.parts!
    // Only the parts of a compound have a place of their own.
    const placed = morpheme.type === 'COMPOUND'
    for (let i = 0; i < parts.length; i++) {
      const part = parts[i]!
      const text = part.text ?? this.#text.slice(start + part.start, start + part.end)
      if (placed) out.push(text, start + part.start, start + part.end, 'word')
      else out.push(text, start, end, 'word')
      out.attributes[out.length - 1] = part.attributes
      if (i === 0 && this.#options.decompoundMode === 'mixed') out.positionIncrements[out.length - 1] = 0
    }
  }

  #morphemeOf(entry: number): NoriMorpheme {
    if (entry < 0) return this.#unknownMorphemes[-1 - entry]!
    if (entry >= this.#entryCount) return this.#userMorphemes[entry - this.#entryCount]!
    const feature = this.#options.dictionary.entryFeature(entry)
    const known = this.#morphemes[feature]
    if (known !== undefined) return known
    const morpheme = toNoriMorpheme(this.#options.dictionary.feature(feature))
    this.#morphemes[feature] = morpheme
    return morpheme
  }

  #attributesOf(start: number, end: number, entry: number): NoriTokenAttributes {
    const morpheme = this.#morphemeOf(entry)
    const isKnown = entry >= 0 && entry < this.#entryCount
    const hasReading = isKnown && this.#options.dictionary.hasReading(entry)
    if (morpheme.attributes !== undefined && !hasReading) return morpheme.attributes
    const remembered = this.#compoundAttributes.get(entry)
    if (remembered !== undefined) return remembered
    const attributes = noriAttributes({
      type: morpheme.type,
      leftTag: morpheme.feature.tags[0]!,
      rightTag: morpheme.feature.tags.at(-1)!,
      parts: partTexts(morpheme.feature.parts, this.#text.slice(start, end)),
      reading: hasReading ? this.#options.dictionary.reading(entry) : undefined,
    })
    if (this.#compoundAttributes.size === REMEMBERED_ATTRIBUTES) this.#compoundAttributes.clear()
    this.#compoundAttributes.set(entry, attributes)
    return attributes
  }
}
