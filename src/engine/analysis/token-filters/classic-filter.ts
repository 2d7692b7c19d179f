import type { TokenFilter } from '../analyzer.ts'

/** Takes `'s` off words and dots out of acronyms, by the classic tokenizer's types. @source Lucene, ClassicFilter */
export function classicFilter(): TokenFilter {
  return {
    filter(tokens) {
      for (let i = 0; i < tokens.length; i++) {
        const term = tokens.terms[i] as string
        const type = tokens.types[i]
        if (type === '<APOSTROPHE>' && /'[sS]$/.test(term)) tokens.terms[i] = term.slice(0, -2)
        else if (type === '<ACRONYM>') tokens.terms[i] = term.replaceAll('.', '')
      }
    },
  }
}
