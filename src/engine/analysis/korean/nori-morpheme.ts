import type { Feature, MorphemeType } from './feature.ts'
import { type NoriTokenAttributes, noriAttributes, sharedByTag } from './korean-attributes.ts'
import type { KoreanDictionary } from './korean-dictionary.ts'

/** A part of a word, as a token of its own. */
export interface NoriPart {
  /** Place of the part's text in the word; 0 and 0 when the text stands in `text`. */
  readonly start: number
  readonly end: number
  readonly text: string | undefined
  readonly attributes: NoriTokenAttributes
}

/** A dictionary feature made ready for emitting tokens. */
export interface NoriMorpheme {
  readonly type: MorphemeType
  readonly feature: Feature
  readonly parts: readonly NoriPart[] | undefined
  /** Attributes where they depend on nothing but the feature: a plain word's without a reading. */
  readonly attributes: NoriTokenAttributes | undefined
}

/** The attributes of plain words of a tag. */
export const plainNoriAttributes: (tag: string) => NoriTokenAttributes = sharedByTag(noriAttributes)

/** Makes a feature ready. */
export function toNoriMorpheme(feature: Feature): NoriMorpheme {
  const [leftTag, rightTag] = feature.tags
  return {
    type: feature.type,
    feature,
    parts: feature.parts?.map(({ tag, start, end, text }) => ({
      start,
      end,
      text,
      attributes: plainNoriAttributes(tag),
    })),
    attributes: feature.type === 'MORPHEME' && leftTag === rightTag ? plainNoriAttributes(leftTag!) : undefined,
  }
}

// By feature number, filled as words turn up; one list a dictionary, for all its tokenizers.
const byDictionary = new WeakMap<KoreanDictionary, (NoriMorpheme | undefined)[]>()

/** The morphemes of a dictionary's features: a list with holes, filled by the tokenizers. */
export function noriMorphemesOf(dictionary: KoreanDictionary): (NoriMorpheme | undefined)[] {
  let morphemes = byDictionary.get(dictionary)
  if (morphemes === undefined) {
    morphemes = new Array<NoriMorpheme | undefined>(dictionary.columns.featureFlags.length).fill(undefined)
    byDictionary.set(dictionary, morphemes)
  }
  return morphemes
}
