import type { TokenFilter } from '../analyzer.ts'
import type { TokenBuffer } from '../token-buffer.ts'
import { DroppingFilter } from '../token-filters/dropping-filter.ts'
import { describeTag, type NoriTokenAttributes, PART_OF_SPEECH, READING } from './korean-attributes.ts'

/** Tags of the words that say little: what `nori_part_of_speech` drops unless told otherwise. */
export const DEFAULT_STOP_TAGS: readonly string[] =
  'E IC J MAG MAJ MM SP SSC SSO SC SE XPN XSA XSN XSV UNA NA VSV'.split(' ')

/** Drops tokens by their left part-of-speech tag; tokens of other tokenizers stay. Positions keep their gaps. */
export function partOfSpeechStopFilter(stopTags: readonly string[]): TokenFilter {
  const stops = new Set(stopTags.map(describeTag))
  return new DroppingFilter((tokens, i) => {
    const attributes = tokens.attributes[i] as NoriTokenAttributes | undefined
    const tag = attributes?.[PART_OF_SPEECH]?.leftPOS
    return tag === undefined || !stops.has(tag)
  })
}

/** Replaces each term by its reading where the dictionary has one: hanja by hangul. */
export const readingFormFilter: TokenFilter = {
  filter(tokens: TokenBuffer): void {
    for (let i = 0; i < tokens.length; i++) {
      const attributes = tokens.attributes[i] as NoriTokenAttributes | undefined
      const reading = attributes?.[READING]?.reading
      if (reading !== undefined && reading !== null) tokens.terms[i] = reading
    }
  },
}
