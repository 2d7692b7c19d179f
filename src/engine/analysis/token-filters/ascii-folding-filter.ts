import { ASCII_FOLDINGS } from './ascii-foldings.ts'

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
