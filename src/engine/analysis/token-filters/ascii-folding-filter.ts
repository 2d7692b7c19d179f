import type { TokenFilter } from '../analyzer.ts'
import { ASCII_FOLDINGS } from './ascii-foldings.ts'
import { RewritingFilter } from './rewriting-filter.ts'
import { TermMappingFilter } from './term-mapping-filter.ts'

/** Replaces characters by their ASCII likeness. @param preserveOriginal  the unchanged term stays too, behind it */
export function asciiFoldingFilter(preserveOriginal: boolean): TokenFilter {
  const plain = new TermMappingFilter(foldToAscii)
  if (!preserveOriginal) return plain
  const both = new RewritingFilter((tokens, out) => {
    for (let i = 0; i < tokens.length; i++) {
      const folded = foldToAscii(tokens.terms[i] as string)
      out.append(tokens, i)
      if (folded === tokens.terms[i]) continue
      out.terms[out.length - 1] = folded
      out.append(tokens, i)
      out.positionIncrements[out.length - 1] = 0
    }
  })
  return { filter: (tokens) => both.filter(tokens), forSynonyms: plain, forNormalizers: plain }
}

let foldings: Map<string, string> | undefined

/** Replaces characters by their ASCII likeness, where they have one. */
export function foldToAscii(term: string): string {
  if (!/[^\0-\x7f]/.test(term)) return term
  foldings ??= new Map(
    ASCII_FOLDINGS.flatMap(([ascii, characters]) => Array.from(characters, (c) => [c, ascii] as const)),
  )
  let out = ''
  for (const char of term) out += foldings.get(char) ?? char
  return out
}
