import type { TokenAttributes } from '../token-buffer.ts'
import type { Feature, MorphemeType } from './feature.ts'
import { seunjeonAttributes, sharedByTag } from './korean-attributes.ts'
import type { KoreanDictionary } from './korean-dictionary.ts'
import { SEUNJEON_POSES, seunjeonPos } from './seunjeon-pos.ts'

/** A dictionary feature made ready for emitting tokens; all words of one feature share it. */
export interface SeunjeonMorpheme {
  readonly type: MorphemeType
  readonly tags: readonly string[]
  /** The token's type: parts of speech joined by `+`. */
  readonly pos: string
  /** What part-of-speech tagging appends to a term. */
  readonly suffix: string
  /** Numbers of the first and last part of speech: places in SEUNJEON_POSES. */
  readonly first: number
  readonly last: number
  readonly parts: readonly SeunjeonPart[] | undefined
  readonly feature: Feature
  /** Attributes where they depend on nothing but the feature. */
  readonly attributes: TokenAttributes | undefined
}

/** A part of a compound, inflected or pre-analysed word: a plain morpheme with its place in the word. */
export interface SeunjeonPart {
  readonly start: number
  readonly end: number
  readonly text: string | undefined
  readonly morpheme: SeunjeonMorpheme
}

const plainAttributes = sharedByTag(seunjeonAttributes)

/** Makes a feature ready. @throws {RangeError} for a tag that seunjeon does not know: a dictionary has none */
export function toMorpheme(feature: Feature): SeunjeonMorpheme {
  const poses = feature.tags.map(posNumber)
  const pos = poses.map((number) => SEUNJEON_POSES[number]).join('+')
  return {
    type: feature.type,
    tags: feature.tags,
    pos,
    suffix: `/${pos}`,
    first: poses[0]!,
    last: poses.at(-1)!,
    parts: feature.parts?.map(({ tag, start, end, text }) => ({ start, end, text, morpheme: plainMorpheme(tag) })),
    feature,
    attributes:
      feature.type === 'MORPHEME' && feature.tags.length === 1 ? plainAttributes(feature.tags[0]!) : undefined,
  }
}

function posNumber(tag: string): number {
  const pos = seunjeonPos(tag)
  if (pos === undefined) throw new RangeError(`seunjeon has no tag ${tag}`)
  return SEUNJEON_POSES.indexOf(pos)
}

const plain = new Map<string, SeunjeonMorpheme>()

/** The morpheme of a plain word of one tag. */
export function plainMorpheme(tag: string): SeunjeonMorpheme {
  const known = plain.get(tag)
  if (known !== undefined) return known
  const morpheme = toMorpheme({ type: 'MORPHEME', tags: [tag], parts: undefined })
  plain.set(tag, morpheme)
  return morpheme
}

// By feature number, filled as words turn up; one list a dictionary, for all its tokenizers.
const byDictionary = new WeakMap<KoreanDictionary, (SeunjeonMorpheme | undefined)[]>()

/** The morphemes of a dictionary's features: a list with holes, see {@link morphemeOfFeature}. */
export function morphemesOf(dictionary: KoreanDictionary): (SeunjeonMorpheme | undefined)[] {
  let morphemes = byDictionary.get(dictionary)
  if (morphemes === undefined) {
    morphemes = new Array<SeunjeonMorpheme | undefined>(dictionary.columns.featureFlags.length).fill(undefined)
    byDictionary.set(dictionary, morphemes)
  }
  return morphemes
}

/** Makes the morpheme of a feature and remembers it in the list. */
export function morphemeOfFeature(
  dictionary: KoreanDictionary,
  morphemes: (SeunjeonMorpheme | undefined)[],
  feature: number,
): SeunjeonMorpheme {
  const morpheme = toMorpheme(dictionary.feature(feature))
  morphemes[feature] = morpheme
  return morpheme
}
