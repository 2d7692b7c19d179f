import type { TokenFilter } from '../analyzer.ts'
import type { TokenBuffer } from '../token-buffer.ts'
import { ASCII_FOLDINGS } from './ascii-foldings.ts'

/** Changes each term by itself; terms that `keyword_marker` protects are left alone when `sparing`. */
export class TermMappingFilter implements TokenFilter {
  readonly #map: (term: string) => string
  readonly #sparing: boolean

  constructor(map: (term: string) => string, options: { readonly sparing?: boolean } = {}) {
    this.#map = map
    this.#sparing = options.sparing ?? false
  }

  filter(tokens: TokenBuffer): void {
    const { terms, keywords } = tokens
    for (let i = 0; i < tokens.length; i++) {
      if (!this.#sparing || !keywords[i]) terms[i] = this.#map(terms[i] as string)
    }
  }
}

const NOT_LOWER = /[^\u0000-\u0040\u005b-\u00b6\u3131-\ud7a3]/

/** Lucene's LowerCaseFilter: code point by code point, so lengths stay and `İ` becomes `i` with its dot dropped as in Java. */
export function lowerCase(term: string): string {
  // Most terms are lower-case already, or have no case.
  if (!NOT_LOWER.test(term)) return term
  const lower = term.toLowerCase()
  if (lower.length === term.length && !term.includes('Σ') && !term.includes('İ')) return lower
  let out = ''
  for (const char of term) {
    const l = char === 'İ' ? 'i' : char.toLowerCase()
    out += l.length === char.length ? l : char
  }
  return out
}

/** The other direction, code point by code point: `ß` stays. */
export function upperCase(term: string): string {
  let out = ''
  for (const char of term) {
    const upper = char.toUpperCase()
    out += upper.length === char.length ? upper : char
  }
  return out
}

/** Greek lower case: accents dropped, final sigma unified. */
export function greekLowerCase(term: string): string {
  return lowerCase(
    term
      .normalize('NFD')
      .replace(/[\u0301\u0308\u0342\u0345]/g, '')
      .normalize('NFC'),
  ).replace(/ς/g, 'σ')
}

/** Turkish lower case: dotted and dotless i kept apart. */
export function turkishLowerCase(term: string): string {
  return lowerCase(
    term
      .replace(/I\u0307/g, 'i')
      .replace(/İ/g, 'i')
      .replace(/I/g, 'ı'),
  )
}

/** Irish lower case: `n` and `t` before a capital vowel get a hyphen. */
export function irishLowerCase(term: string): string {
  return lowerCase(term.replace(/^([nt])([AEIOUÁÉÍÓÚ])/, '$1-$2'))
}

let foldings: Map<string, string> | undefined

/** Replaces characters by their ASCII likeness, where they have one. */
export function foldToAscii(term: string): string {
  let plain = true
  for (let i = 0; i < term.length; i++) {
    if (term.charCodeAt(i) >= 0x80) {
      plain = false
      break
    }
  }
  if (plain) return term
  foldings ??= new Map(
    ASCII_FOLDINGS.flatMap(([ascii, characters]) => Array.from(characters, (c) => [c, ascii] as const)),
  )
  let out = ''
  for (const char of term) out += foldings.get(char) ?? char
  return out
}
