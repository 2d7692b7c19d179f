import type { TokenAttributes } from '../token-buffer.ts'
import type { FeaturePart, MorphemeType } from './feature.ts'

/** Attribute classes of nori, which `_analyze` with `explain` shows by their members' names. */
export const PART_OF_SPEECH = 'org.apache.lucene.analysis.ko.tokenattributes.PartOfSpeechAttribute'
export const READING = 'org.apache.lucene.analysis.ko.tokenattributes.ReadingAttribute'
/** Attribute class of seunjeon's tokens. */
const SEUNJEON_MORPHEME = 'org.bitbucket.eunjeon.seunjeon.Morpheme'

/** nori's names of tags, without their finer kinds. The misspelling of SH is nori's own. */
const DESCRIPTIONS: Readonly<Record<string, string>> = {
  E: 'Verbal endings',
  IC: 'Interjection',
  J: 'Ending Particle',
  MAG: 'General Adverb',
  MAJ: 'Conjunctive adverb',
  MM: 'Modifier',
  NNG: 'General Noun',
  NNP: 'Proper Noun',
  NNB: 'Dependent noun',
  NNBC: 'Dependent noun',
  NP: 'Pronoun',
  NR: 'Numeral',
  SF: 'Terminal punctuation',
  SH: 'Chinese Characeter',
  SL: 'Foreign language',
  SN: 'Number',
  SP: 'Space',
  SSC: 'Closing brackets',
  SSO: 'Opening brackets',
  SC: 'Separator',
  SY: 'Other symbol',
  SE: 'Ellipsis',
  VA: 'Adjective',
  VCN: 'Negative designator',
  VCP: 'Positive designator',
  VV: 'Verb',
  VX: 'Auxiliary Verb or Adjective',
  XPN: 'Prefix',
  XR: 'Root',
  XSA: 'Adjective Suffix',
  XSN: 'Noun Suffix',
  XSV: 'Verb Suffix',
  UNKNOWN: 'Unknown',
  UNA: 'Unknown',
  NA: 'Unknown',
  VSV: 'Unknown',
}

/** nori's tags, in its order: what `stoptags` may name. */
export const NORI_TAGS: readonly string[] = Object.keys(DESCRIPTIONS)

/** A tag with its name, `NNG(General Noun)`; seunjeon's finer endings and particles take the name of theirs. */
export function describeTag(tag: string): string {
  const name = DESCRIPTIONS[tag] ?? DESCRIPTIONS[tag.slice(0, 1)] ?? 'Unknown'
  return `${tag}(${name})`
}

/** Attributes of a nori token, which nori's filters read. */
export interface NoriTokenAttributes extends TokenAttributes {
  readonly [PART_OF_SPEECH]: {
    readonly posType: MorphemeType
    readonly leftPOS: string
    readonly rightPOS: string
    readonly morphemes: string | null
  }
  readonly [READING]: { readonly reading: string | null }
}

/** What the attributes of a token say. */
export interface DescribedMorpheme {
  readonly type: MorphemeType
  readonly leftTag: string
  readonly rightTag: string
  /** Text and tag of the parts; undefined for none. */
  readonly parts?: readonly { readonly text: string; readonly tag: string }[] | undefined
  readonly reading?: string | undefined
}

/** Attributes as nori reflects them. */
export function noriAttributes(token: DescribedMorpheme): NoriTokenAttributes {
  return { [PART_OF_SPEECH]: partOfSpeech(token), [READING]: { reading: token.reading ?? null } }
}

/** The same for a seunjeon token, whose original has no such attributes; nori's filters pass it by. */
export function seunjeonAttributes(token: DescribedMorpheme): TokenAttributes {
  return { [SEUNJEON_MORPHEME]: { ...partOfSpeech(token), reading: token.reading ?? null } }
}

function partOfSpeech(token: DescribedMorpheme): NoriTokenAttributes[typeof PART_OF_SPEECH] {
  return {
    posType: token.type,
    leftPOS: describeTag(token.leftTag),
    rightPOS: describeTag(token.rightTag),
    morphemes: token.parts?.map((part) => `${part.text}/${describeTag(part.tag)}`).join('+') ?? null,
  }
}

/** Text and tag of a word's parts. */
export function partTexts(
  parts: readonly FeaturePart[] | undefined,
  surface: string,
): { text: string; tag: string }[] | undefined {
  return parts?.map(({ text, tag, start, end }) => ({ text: text ?? surface.slice(start, end), tag }))
}

/** Remembers the attributes that all plain words of one tag share. */
export function sharedByTag<T>(make: (token: DescribedMorpheme) => T): (tag: string) => T {
  const byTag = new Map<string, T>()
  return (tag) => {
    const known = byTag.get(tag)
    if (known !== undefined) return known
    const attributes = make({ type: 'MORPHEME', leftTag: tag, rightTag: tag })
    byTag.set(tag, attributes)
    return attributes
  }
}
