import { ServiceError } from '../../../errors.ts'
import type { TokenFilter } from '../analyzer.ts'
import type { FactoryContext, TokenFilterFactory } from '../factories.ts'
import { checkNGramDifference } from '../ngram-limits.ts'
import { refuseWhenUsed } from '../unusable.ts'
import { notForSynonyms } from './not-for-synonyms.ts'
import { RewritingFilter } from './rewriting-filter.ts'

/** How grams are cut from a term; lengths in characters. */
export interface NGramOptions {
  readonly min: number
  readonly max: number
  /** Only grams at this end. */
  readonly edge?: 'front' | 'back'
  /** A term no gram of this size was made of stays too. */
  readonly preserveOriginal?: boolean
  /** What earlier filters left out behind the last term is forgotten (Lucene 7). */
  readonly forgetsEnd?: boolean
}

/**
 * Replaces terms by their grams; terms too short for any leave a gap.
 *
 * @throws {ServiceError} illegal_argument_exception for sizes that do not fit together
 * @source Lucene, NGramTokenFilter and EdgeNGramTokenFilter
 */
export function ngramFilter(options: NGramOptions): TokenFilter {
  const { min, max, edge, preserveOriginal, forgetsEnd } = options
  if (min < 1) throw new ServiceError('illegal_argument_exception', 'minGram must be greater than zero')
  if (min > max) throw new ServiceError('illegal_argument_exception', 'minGram must not be greater than maxGram')
  return new RewritingFilter((tokens, out) => {
    let skipped = 0
    for (let i = 0; i < tokens.length; i++) {
      const term = tokens.terms[i] as string
      const places = characterPlaces(term)
      const count = places === undefined ? term.length : places.length - 1
      const increment = skipped + (tokens.positionIncrements[i] as number)
      let emitted = false
      const emit = (text: string) => {
        out.append(tokens, i)
        out.terms[out.length - 1] = text
        out.positionIncrements[out.length - 1] = emitted ? 0 : increment
        emitted = true
      }
      if (preserveOriginal === true && count < min) emit(term)
      for (let start = 0; start < (edge === undefined ? count : 1); start++) {
        for (let size = min; size <= max && start + size <= count; size++) {
          const from = edge === 'back' ? count - size : start
          emit(
            places === undefined
              ? term.slice(from, from + size)
              : term.slice(places[from] as number, places[from + size] as number),
          )
        }
      }
      if (preserveOriginal === true && count > max) emit(term)
      skipped = emitted ? 0 : increment
    }
    tokens.trailingPositionIncrement = skipped + (forgetsEnd === true ? 0 : tokens.trailingPositionIncrement)
  })
}

/** Where each character begins, and the end; undefined when each is one unit. */
function characterPlaces(term: string): readonly number[] | undefined {
  if (!/[\ud800-\udfff]/.test(term)) return undefined
  const places = [0]
  let place = 0
  for (const character of term) {
    place += character.length
    places.push(place)
  }
  return places
}

/** Makes an `ngram` filter. */
export const makeNGrams: TokenFilterFactory = (context) => {
  const { settings } = context
  const min = settings.integer('min_gram', 1)
  const max = settings.integer('max_gram', 2)
  checkNGramDifference(context, min, max)
  const preserveOriginal = readPreserveOriginal(context)
  return notForSynonyms(
    refuseWhenUsed(() => ngramFilter({ min, max, preserveOriginal, forgetsEnd: isOfLucene7(context) })),
    context.name,
    context.engineVersion,
  )
}

/** Makes an `edge_ngram` filter. */
export const makeEdgeNGrams: TokenFilterFactory = (context) => {
  const { settings } = context
  const side = settings.text('side', 'front')
  if (side !== 'front' && side !== 'back') throw new ServiceError('illegal_argument_exception', `invalid side: ${side}`)
  const min = settings.integer('min_gram', 1)
  const max = settings.integer('max_gram', 2)
  const preserveOriginal = readPreserveOriginal(context)
  return notForSynonyms(
    refuseWhenUsed(() => ngramFilter({ min, max, edge: side, preserveOriginal, forgetsEnd: isOfLucene7(context) })),
    context.name,
    context.engineVersion,
  )
}

const isOfLucene7 = ({ engineVersion }: FactoryContext): boolean => engineVersion === 'Elasticsearch_6.8'

const readPreserveOriginal: (context: Parameters<TokenFilterFactory>[0]) => boolean = ({ settings, engineVersion }) =>
  engineVersion !== 'Elasticsearch_6.8' && settings.boolean('preserve_original', false)
