/** How a dictionary word is made up; mecab-ko-dic's 5th feature field, `MORPHEME` for a plain word. */
export type MorphemeType = 'MORPHEME' | 'COMPOUND' | 'INFLECT' | 'PREANALYSIS'

/** One part of a compound, inflected or pre-analysed word. */
export interface FeaturePart {
  readonly tag: string
  /**
   * Where the part begins, in UTF-16 units from the word's start; -1 is possible for a leading jamo (seunjeon). Parts of
   * nori's inflected words have no place: 0 and 0.
   */
  readonly start: number
  /** Exclusive, same unit. */
  readonly end: number
  /** The part's text where it differs from the text it covers. */
  readonly text: string | undefined
}

/** What the dictionary says about a word beside its ids and cost; many words share one. */
export interface Feature {
  readonly type: MorphemeType
  /** mecab-ko-dic tags: all of the first field for seunjeon (`VV`, `EF`), left and right tag for nori. */
  readonly tags: readonly string[]
  /** Parts in order; undefined when the word has none, empty when the dictionary's own could not be read. */
  readonly parts: readonly FeaturePart[] | undefined
}

const TYPE_CODES = { M: 'MORPHEME', C: 'COMPOUND', I: 'INFLECT', P: 'PREANALYSIS' } as const
const TYPE_LETTERS: Record<MorphemeType, keyof typeof TYPE_CODES> = {
  MORPHEME: 'M',
  COMPOUND: 'C',
  INFLECT: 'I',
  PREANALYSIS: 'P',
}

/**
 * Writes a feature as one line of a dictionary's feature pool.
 *
 * @returns type letter, tags joined by `+`, then `-` for no parts or one `tag:start:end[:text]` a part, tab-separated
 */
export function formatFeature(feature: Feature): string {
  const head = `${TYPE_LETTERS[feature.type]}\t${feature.tags.join('+')}`
  if (feature.parts === undefined) return `${head}\t-`
  const parts = feature.parts.map((p) => `${p.tag}:${p.start}:${p.end}${p.text === undefined ? '' : `:${p.text}`}`)
  return [head, ...parts].join('\t')
}

/** Reads a line written by {@link formatFeature}. */
export function parseFeature(line: string): Feature {
  const [letter, tags, ...fields] = line.split('\t') as [keyof typeof TYPE_CODES, string, ...string[]]
  return {
    type: TYPE_CODES[letter],
    tags: tags.split('+'),
    parts: fields[0] === '-' ? undefined : fields.map(parsePart),
  }
}

function parsePart(field: string): FeaturePart {
  const [tag, start, end, ...text] = field.split(':') as [string, string, string, ...string[]]
  return { tag, start: Number(start), end: Number(end), text: text.length === 0 ? undefined : text.join(':') }
}
