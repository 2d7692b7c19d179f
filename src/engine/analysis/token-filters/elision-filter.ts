import type { TokenFilter } from '../analyzer.ts'
import type { WordTest } from '../word-lists.ts'
import { TermMappingFilter } from './term-mapping-filter.ts'

/** Drops an article and its apostrophe: `l'avion` → `avion`. */
export function elisionFilter(isArticle: WordTest): TokenFilter {
  return new TermMappingFilter((term) => {
    const at = term.search(/['\u2019]/)
    return at >= 0 && isArticle(term.slice(0, at)) ? term.slice(at + 1) : term
  })
}
