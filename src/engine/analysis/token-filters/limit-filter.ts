import { ServiceError } from '../../../errors.ts'
import type { TokenFilter, Tokenizer } from '../analyzer.ts'
import { CharClassTokenizer } from '../tokenizers/char-class-tokenizers.ts'
import { ClassicTokenizer } from '../tokenizers/classic-tokenizer.ts'
import { StandardTokenizer } from '../tokenizers/standard-tokenizer.ts'
import { UaxUrlEmailTokenizer } from '../tokenizers/uax-url-email-tokenizer.ts'

/**
 * Keeps the first tokens only.
 *
 * @param consumesAll  the text counts as read to its end; otherwise the next value begins behind the last token
 * @throws {ServiceError} illegal_argument_exception for less than one
 */
export function limitFilter(maxTokenCount: number, consumesAll: boolean): TokenFilter {
  if (maxTokenCount < 1) throw new ServiceError('illegal_argument_exception', 'maxTokenCount must be greater than zero')
  const make = (endsEarly: boolean): TokenFilter => ({
    filter(tokens) {
      if (tokens.length < maxTokenCount) return
      tokens.length = maxTokenCount
      if (!endsEarly) return
      tokens.finalOffset = tokens.endOffsets[maxTokenCount - 1] as number
      tokens.trailingPositionIncrement = 0
    },
  })
  return { ...make(false), behind: ({ tokenizer }) => make(!consumesAll && readsOn(tokenizer)) }
}

/** Whether a tokenizer reads no further than to the end of each token; others know where the text ends. */
function readsOn(tokenizer: Tokenizer): boolean {
  return [StandardTokenizer, CharClassTokenizer, ClassicTokenizer, UaxUrlEmailTokenizer].some(
    (kind) => tokenizer instanceof kind,
  )
}
