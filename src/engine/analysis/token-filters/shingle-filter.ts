import { ServiceError } from '../../../errors.ts'
import type { TokenFilter } from '../analyzer.ts'
import type { TokenFilterFactory } from '../factories.ts'
import { checkShingleDifference } from '../ngram-limits.ts'
import type { TokenBuffer } from '../token-buffer.ts'
import { refuseWhenUsed } from '../unusable.ts'
import { notForSynonyms } from './not-for-synonyms.ts'
import { RewritingFilter } from './rewriting-filter.ts'

/** How shingles are made; names as the settings'. */
export interface ShingleOptions {
  readonly minShingleSize: number
  readonly maxShingleSize: number
  readonly outputUnigrams: boolean
  readonly outputUnigramsIfNoShingles: boolean
  readonly tokenSeparator: string
  readonly fillerToken: string
}

/** A place in the text: a token, or a gap that stop words left. */
interface Slot {
  /** The token, or for a gap the one behind it; -1 behind the last. */
  readonly token: number
  readonly filler: boolean
  readonly start: number
  readonly end: number
}

/**
 * Word n-grams; gaps left by stop words are filled with the filler token.
 *
 * @throws {ServiceError} illegal_argument_exception for sizes that do not fit together
 * @source Lucene, ShingleFilter
 */
function shingleFilter(options: ShingleOptions): TokenFilter {
  const complain = (reason: string) => new ServiceError('illegal_argument_exception', reason)
  if (options.maxShingleSize < 2) throw complain('Max shingle size must be >= 2')
  if (options.minShingleSize < 2) throw complain('Min shingle size must be >= 2')
  if (options.minShingleSize > options.maxShingleSize) throw complain('Min shingle size must be <= max shingle size')
  return new RewritingFilter((tokens, out) =>
    emitShingles(tokens, slotsOf(tokens, options.maxShingleSize - 1), options, out),
  )
}

function slotsOf(tokens: TokenBuffer, maxFillers: number): readonly Slot[] {
  const slots: Slot[] = []
  const fill = (count: number, token: number, at: number) => {
    for (let f = Math.min(count, maxFillers); f > 0; f--) slots.push({ token, filler: true, start: at, end: at })
  }
  for (let i = 0; i < tokens.length; i++) {
    const start = tokens.startOffsets[i] as number
    fill((tokens.positionIncrements[i] as number) - 1, i, start)
    slots.push({ token: i, filler: false, start, end: tokens.endOffsets[i] as number })
  }
  fill(tokens.trailingPositionIncrement, -1, tokens.finalOffset)
  return slots
}

function emitShingles(tokens: TokenBuffer, slots: readonly Slot[], o: ShingleOptions, out: TokenBuffer): void {
  let smallest = o.outputUnigrams ? 1 : o.minShingleSize
  const after = (size: number) => (size === 1 ? o.minShingleSize : size + 1)
  for (let s = 0; s < slots.length; s++) {
    const available = Math.min(o.maxShingleSize, slots.length - s)
    if (o.outputUnigramsIfNoShingles && out.length === 0 && available < o.minShingleSize) smallest = 1
    const first = slots[s] as Slot
    // A shingle of gaps alone is not made.
    let gaps = 0
    while (gaps < available && (slots[s + gaps] as Slot).filler) gaps++
    let size = smallest
    while (size <= gaps && size <= o.maxShingleSize) size = after(size)
    // The original stops here for good when what is left begins with a gap and is too short.
    if (size > available && size > smallest) return
    let text = ''
    let built = 0
    let emitted = false
    for (; size <= available; size = after(size)) {
      for (; built < size; built++) {
        const slot = slots[s + built] as Slot
        text += (built > 0 ? o.tokenSeparator : '') + (slot.filler ? o.fillerToken : tokens.terms[slot.token])
      }
      out.append(tokens, first.token)
      const at = out.length - 1
      out.terms[at] = text
      out.startOffsets[at] = first.start
      out.endOffsets[at] = (slots[s + size - 1] as Slot).end
      out.positionIncrements[at] = emitted ? 0 : 1
      out.positionLengths[at] = o.outputUnigrams ? size : Math.max(1, size - o.minShingleSize + 1)
      if (size > 1) out.types[at] = 'shingle'
      emitted = true
    }
  }
}

/** Makes a `shingle` filter. */
export const makeShingles: TokenFilterFactory = (context) => {
  const { settings } = context
  const options: ShingleOptions = {
    minShingleSize: settings.integer('min_shingle_size', 2),
    maxShingleSize: settings.integer('max_shingle_size', 2),
    outputUnigrams: settings.boolean('output_unigrams', true),
    outputUnigramsIfNoShingles: settings.boolean('output_unigrams_if_no_shingles', false),
    tokenSeparator: settings.text('token_separator', ' '),
    fillerToken: settings.text('filler_token', '_'),
  }
  checkShingleDifference(context, options.minShingleSize, options.maxShingleSize, options.outputUnigrams)
  const filter = notForSynonyms(
    refuseWhenUsed(() => shingleFilter(options)),
    context.name,
    context.engineVersion,
  )
  return Object.assign(filter, { shingles: options })
}
