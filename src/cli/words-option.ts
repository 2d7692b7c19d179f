import { Option } from 'commander'

/** An option whose words a shell completes; what else is given is refused by whoever reads it, not here. */
export class WordsOption extends Option {
  readonly words: readonly string[]

  constructor(flags: string, description: string, words: readonly string[]) {
    super(flags, description)
    this.words = words
  }
}
