import { ServiceError } from '../../errors.ts'
import type { FactoryContext } from './factories.ts'

/**
 * Checks sizes of grams against `index.max_ngram_diff`; 6.8 lets them pass.
 *
 * @throws {ServiceError} illegal_argument_exception from 7.0 on
 */
export function checkNGramDifference(context: FactoryContext, min: number, max: number): void {
  const limit = context.indexSetting('max_ngram_diff', 1)
  if (context.engineVersion === 'Elasticsearch_6.8' || max - min <= limit) return
  throw new ServiceError(
    'illegal_argument_exception',
    `The difference between max_gram and min_gram in NGram Tokenizer must be less than or equal to: [${limit}] but was [${max - min}]. This limit can be set by changing the [index.max_ngram_diff] index level setting.`,
  )
}

/**
 * Checks sizes of shingles against `index.max_shingle_diff`; 6.8 lets them pass.
 *
 * @throws {ServiceError} illegal_argument_exception from 7.0 on
 */
export function checkShingleDifference(
  context: FactoryContext,
  min: number,
  max: number,
  outputUnigrams: boolean,
): void {
  const limit = context.indexSetting('max_shingle_diff', 3)
  const difference = max - min + (outputUnigrams ? 1 : 0)
  if (context.engineVersion === 'Elasticsearch_6.8' || difference <= limit) return
  throw new ServiceError(
    'illegal_argument_exception',
    `In Shingle TokenFilter the difference between max_shingle_size and min_shingle_size (and +1 if outputting unigrams) must be less than or equal to: [${limit}] but was [${difference}]. This limit can be set by changing the [index.max_shingle_diff] index level setting.`,
  )
}
