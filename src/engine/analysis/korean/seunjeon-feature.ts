import type { Feature, FeaturePart, MorphemeType } from './feature.ts'
import { hasSpacePenalty, seunjeonPos } from './seunjeon-pos.ts'

const TYPES: Record<string, MorphemeType> = {
  Compound: 'COMPOUND',
  Inflect: 'INFLECT',
  Preanalysis: 'PREANALYSIS',
}

/** A dictionary line's features as seunjeon reads them. */
export interface SeunjeonFeature {
  readonly feature: Feature
  readonly spacePenalty: boolean
  readonly reading: string | undefined
}

/**
 * Reads the feature fields of a mecab-ko-dic line.
 *
 * @param surface  the word, without spaces
 * @param fields   tags, meaning, final consonant, reading, type, first tag, last tag, parts; without spaces
 * @returns        undefined when a tag is not in seunjeon's table: the original loses such a line
 */
export function readSeunjeonFeature(surface: string, fields: readonly string[]): SeunjeonFeature | undefined {
  const tags = (fields[0] ?? '').split('+')
  if (tags.some((tag) => seunjeonPos(tag) === undefined)) return undefined
  const type = TYPES[fields[4] ?? '*'] ?? 'MORPHEME'
  const parts = type === 'MORPHEME' ? undefined : layOutParts(surface, fields[7])
  const reading = fields[3]
  return {
    feature: { type, tags, parts },
    spacePenalty: hasSpacePenalty(tags[0]!),
    reading: reading === undefined || reading === '*' || reading === surface ? undefined : reading,
  }
}

/**
 * Places the parts of a word the way seunjeon does: one after the other by their own lengths, a leading jamo one unit
 * earlier; the last is dropped when that runs past the word.
 *
 * @returns undefined when a part is empty (the word stays whole), no parts when the field cannot be read
 */
function layOutParts(surface: string, expression: string | undefined): FeaturePart[] | undefined {
  const parts: FeaturePart[] = []
  if (expression === undefined) return parts
  let end = 0
  for (const item of expression.split('+')) {
    const [text, tag] = item.split('/')
    if (tag === undefined || seunjeonPos(tag) === undefined) return []
    if (text === undefined || text === '') return undefined
    if (text === '아' && tag === 'EC') continue
    const start = isJamo(text.charCodeAt(0)) ? end - 1 : end
    end = start + text.length
    const covered = start >= 0 ? surface.slice(start, end) : undefined
    parts.push({ tag, start, end, text: covered === text ? undefined : text })
  }
  if (end > surface.length) parts.pop()
  return parts
}

function isJamo(unit: number): boolean {
  return (unit >= 0x1100 && unit <= 0x11ff) || (unit >= 0x3130 && unit <= 0x318f)
}
