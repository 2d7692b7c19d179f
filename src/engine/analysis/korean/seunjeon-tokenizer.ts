import type { Tokenizer } from '../analyzer.ts'
import type { TokenAttributes, TokenBuffer } from '../token-buffer.ts'
import { javaLowerCase } from './java-lower-case.ts'
import { partTexts, seunjeonAttributes } from './korean-attributes.ts'
import type { KoreanDictionary } from './korean-dictionary.ts'
import { SeunjeonLattice } from './seunjeon-lattice.ts'
import {
  morphemeOfFeature,
  morphemesOf,
  plainMorpheme,
  type SeunjeonMorpheme,
  toMorpheme,
} from './seunjeon-morpheme.ts'
import { joinsEojeol, SEUNJEON_POSES, type SeunjeonPos } from './seunjeon-pos.ts'
import type { UserLexicon } from './user-lexicon.ts'

/** How a seunjeon tokenizer works; names as in the settings. */
export interface SeunjeonOptions {
  readonly dictionary: KoreanDictionary
  readonly user: UserLexicon | undefined
  /** Emit each eojeol (word group) as a token of type EOJ too. */
  readonly indexEojeol: boolean
  readonly decompound: boolean
  readonly deinflect: boolean
  /** First part of speech of the morphemes to emit. */
  readonly indexPoses: readonly SeunjeonPos[]
  /** Append `/` and the part of speech to terms. */
  readonly posTagging: boolean
  readonly maxUnknownLength: number
}

const LINE_FEED = 0x0a

/** Attributes of words with parts or a reading that are remembered; they take long to write. */
const REMEMBERED_ATTRIBUTES = 4096

const POS_COUNT = SEUNJEON_POSES.length
/** Whether a morpheme of the second part of speech joins the eojeol that ends in the first. */
const JOINS = Uint8Array.from({ length: POS_COUNT * POS_COUNT }, (_, i) =>
  joinsEojeol(SEUNJEON_POSES[Math.floor(i / POS_COUNT)]!, SEUNJEON_POSES[i % POS_COUNT]!) ? 1 : 0,
)
const NO_POS = -1

/**
 * The tokenizer of the seunjeon plugin: lower-cases, cuts at line feeds, finds the cheapest words of each line, and
 * emits their morphemes and, if asked, the eojeols they form.
 */
export class SeunjeonTokenizer implements Tokenizer {
  readonly #options: SeunjeonOptions
  readonly #lattice: SeunjeonLattice
  readonly #isIndexed: Uint8Array
  readonly #morphemes: (SeunjeonMorpheme | undefined)[]
  readonly #userMorphemes: readonly SeunjeonMorpheme[]
  readonly #unknownMorphemes: readonly SeunjeonMorpheme[]
  readonly #eojeol: EojeolBuilder | undefined
  readonly #attributesByEntry = new Map<number, TokenAttributes>()
  #units = new Uint16Array(1024)
  #text = ''

  constructor(options: SeunjeonOptions) {
    this.#options = options
    this.#lattice = new SeunjeonLattice(options)
    this.#isIndexed = Uint8Array.from(SEUNJEON_POSES, (pos) => (options.indexPoses.includes(pos) ? 1 : 0))
    this.#morphemes = morphemesOf(options.dictionary)
    this.#userMorphemes = options.user?.features.map(toMorpheme) ?? []
    this.#unknownMorphemes = options.dictionary.meta.unknownWords.map((word) => plainMorpheme(word.tag))
    this.#eojeol = options.indexEojeol ? new EojeolBuilder(options.posTagging) : undefined
  }

  tokenize(original: string, out: TokenBuffer): void {
    const text = javaLowerCase(original)
    const units = this.#copyUnits(text)
    this.#text = text
    for (let from = 0; from < text.length; ) {
      let to = from
      while (to < text.length && units[to] !== LINE_FEED) to++
      this.#tokenizeLine(units, from, to, out)
      from = to + 1
    }
    this.#text = ''
    // The original's, too: what stands behind the last token is not counted, so a next value's offsets begin right after it.
    out.finalOffset = out.length === 0 ? 0 : out.endOffsets[out.length - 1]!
  }

  #copyUnits(text: string): Uint16Array {
    if (this.#units.length < text.length) this.#units = new Uint16Array(Math.max(text.length, this.#units.length * 2))
    const units = this.#units
    for (let i = 0; i < text.length; i++) units[i] = text.charCodeAt(i)
    return units
  }

  #tokenizeLine(units: Uint16Array, from: number, to: number, out: TokenBuffer): void {
    const lattice = this.#lattice
    const eojeol = this.#eojeol
    lattice.analyze(units, from, to)
    eojeol?.begin(this.#text, out)
    for (let i = 0; i < lattice.pathLength; i++) {
      const start = from + lattice.pathStart[i]!
      const end = from + lattice.pathEnd[i]!
      const entry = lattice.pathEntry[i]!
      const morpheme = this.#morphemeOf(entry)
      if (morpheme.type === 'PREANALYSIS' && morpheme.parts !== undefined) {
        for (const part of morpheme.parts) {
          eojeol?.add(start + part.start, start + part.end, part.text, part.morpheme)
          this.#emitPart(start + part.start, start + part.end, part.text, part.morpheme, out)
        }
      } else {
        eojeol?.add(start, end, undefined, morpheme)
        this.#emitWord(start, end, entry, morpheme, out)
      }
    }
    eojeol?.flush()
  }

  #morphemeOf(entry: number): SeunjeonMorpheme {
    if (entry < 0) return this.#unknownMorphemes[-1 - entry]!
    const { dictionary } = this.#options
    if (entry >= dictionary.entryCount) return this.#userMorphemes[entry - dictionary.entryCount]!
    const feature = dictionary.entryFeature(entry)
    return this.#morphemes[feature] ?? morphemeOfFeature(dictionary, this.#morphemes, feature)
  }

  #emitWord(start: number, end: number, entry: number, morpheme: SeunjeonMorpheme, out: TokenBuffer): void {
    const isCompound = morpheme.type === 'COMPOUND'
    if (isCompound || morpheme.type === 'INFLECT') {
      const takeApart = isCompound ? this.#options.decompound : this.#options.deinflect
      if (takeApart && morpheme.parts !== undefined) {
        for (const part of morpheme.parts) {
          this.#emitPart(start + part.start, start + part.end, part.text, part.morpheme, out)
        }
        return
      }
    } else if (this.#isIndexed[morpheme.first] === 0) return
    this.#push(start, end, undefined, morpheme, out)
    out.attributes[out.length - 1] = this.#attributesOf(start, end, entry, morpheme)
  }

  #emitPart(start: number, end: number, text: string | undefined, morpheme: SeunjeonMorpheme, out: TokenBuffer): void {
    if (this.#isIndexed[morpheme.first] === 0) return
    this.#push(start, end, text, morpheme, out)
    out.attributes[out.length - 1] = morpheme.attributes
  }

  #push(start: number, end: number, text: string | undefined, morpheme: SeunjeonMorpheme, out: TokenBuffer): void {
    const surface = text ?? this.#text.slice(start, end)
    const term = this.#options.posTagging ? surface + morpheme.suffix : surface
    // A leading jamo's part may begin before the text.
    out.push(term, Math.max(start, 0), end, morpheme.pos)
  }

  #attributesOf(start: number, end: number, entry: number, morpheme: SeunjeonMorpheme): TokenAttributes {
    const { dictionary } = this.#options
    const hasReading = entry >= 0 && entry < dictionary.entryCount && dictionary.hasReading(entry)
    if (!hasReading && morpheme.attributes !== undefined) return morpheme.attributes
    const remembered = this.#attributesByEntry.get(entry)
    if (remembered !== undefined) return remembered
    const attributes = seunjeonAttributes({
      type: morpheme.type,
      leftTag: morpheme.tags[0]!,
      rightTag: morpheme.tags.at(-1)!,
      parts: partTexts(morpheme.feature.parts, this.#text.slice(start, end)),
      reading: hasReading ? dictionary.reading(entry) : undefined,
    })
    if (this.#attributesByEntry.size === REMEMBERED_ATTRIBUTES) this.#attributesByEntry.clear()
    this.#attributesByEntry.set(entry, attributes)
    return attributes
  }
}

/** Joins morphemes to eojeols and puts an eojeol's token among those of its morphemes. */
class EojeolBuilder {
  readonly #suffix: string
  #out: TokenBuffer | undefined
  #text = ''
  #lastPos = NO_POS
  #start = 0
  #end = 0
  /** Surface so far, up to the run of text `[#sliceStart, #end)` that is not copied yet. */
  #surface = ''
  #sliceStart = 0
  #firstToken = 0

  constructor(posTagging: boolean) {
    this.#suffix = posTagging ? '/EOJ' : ''
  }

  /** Starts a line. */
  begin(text: string, out: TokenBuffer): void {
    this.#text = text
    this.#out = out
    this.#lastPos = NO_POS
  }

  /** Takes a morpheme, before its tokens are pushed. */
  add(start: number, end: number, text: string | undefined, morpheme: SeunjeonMorpheme): void {
    if (this.#lastPos === NO_POS || JOINS[this.#lastPos * POS_COUNT + morpheme.first] === 0) {
      this.flush()
      this.#start = start
      this.#surface = ''
      this.#sliceStart = start
      this.#end = start
      this.#firstToken = this.#out!.length
    }
    if (start !== this.#end || text !== undefined) {
      this.#surface += this.#text.slice(this.#sliceStart, this.#end) + (text ?? '')
      this.#sliceStart = text === undefined ? start : end
    }
    this.#end = end
    this.#lastPos = morpheme.last
  }

  /** Ends the eojeol at hand: its token comes behind its first morpheme's. */
  flush(): void {
    const out = this.#out!
    const first = this.#firstToken
    const count = out.length - first
    if (this.#lastPos === NO_POS || count === 0) return
    this.#lastPos = NO_POS
    let leading = 0
    while (leading < count && out.startOffsets[first + leading]! <= this.#start) leading++
    const before = first + leading - 1
    if (leading > 0 && out.startOffsets[before] === this.#start && out.endOffsets[before] === this.#end) return
    const surface = this.#surface + this.#text.slice(this.#sliceStart, this.#end)
    insertToken(out, first + leading, surface + this.#suffix, this.#start, this.#end)
    out.positionLengths[first + leading] = count
    if (leading === 0) out.positionIncrements[first + 1] = 0
    else out.positionIncrements[first + leading] = 0
  }
}

function insertToken(out: TokenBuffer, at: number, term: string, start: number, end: number): void {
  out.push('', 0, 0, '')
  for (let i = out.length - 1; i > at; i--) {
    out.terms[i] = out.terms[i - 1]!
    out.startOffsets[i] = out.startOffsets[i - 1]!
    out.endOffsets[i] = out.endOffsets[i - 1]!
    out.positionIncrements[i] = out.positionIncrements[i - 1]!
    out.positionLengths[i] = out.positionLengths[i - 1]!
    out.types[i] = out.types[i - 1]!
    out.attributes[i] = out.attributes[i - 1]
  }
  out.terms[at] = term
  out.startOffsets[at] = Math.max(start, 0)
  out.endOffsets[at] = end
  out.positionIncrements[at] = 1
  out.positionLengths[at] = 1
  out.types[at] = 'EOJ'
  out.attributes[at] = undefined
}
