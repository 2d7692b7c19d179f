import { ServiceError } from '../../errors.ts'
import type { TokenFilter, Tokenizer } from './analyzer.ts'

/** Stands for a part that cannot be made, and says so when used. */
class Unusable implements Tokenizer, TokenFilter {
  readonly #error: ServiceError

  constructor(error: ServiceError) {
    this.#error = error
  }

  tokenize(): never {
    throw this.#error
  }

  filter(): never {
    throw this.#error
  }
}

/** For settings the real server takes when an index is made and refuses when the part is first used. */
export function refuseWhenUsed<T extends Tokenizer | TokenFilter>(make: () => T): T | Unusable {
  try {
    return make()
  } catch (error) {
    if (error instanceof ServiceError) return new Unusable(error)
    throw error
  }
}
