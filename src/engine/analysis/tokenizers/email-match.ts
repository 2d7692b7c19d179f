import { domainEnd } from './url-match.ts'

const ATOM = /[A-Za-z0-9!#$%&'*+,\-./=?^_`{|}~]+/y
const QUOTED = /"(?:[^\t\n\r"\\\P{ASCII}]|\\\p{ASCII})*"/uy
const BRACKETED = /\[(?:[^\t\n\r[\]\\\P{ASCII}]|\\\p{ASCII})*\]/uy

/** Behind the e-mail address that begins at a place; -1 for none. @source Lucene 7.7.3, UAX29URLEmailTokenizer (RFC 5321) */
export function emailEnd(text: string, at: number): number {
  const sign = localPartEnd(text, at)
  if (sign < 0 || text[sign] !== '@') return -1
  const domain = domainEnd(text, sign + 1)
  if (domain >= 0) return domain
  BRACKETED.lastIndex = sign + 1
  return BRACKETED.test(text) ? BRACKETED.lastIndex : -1
}

/** Atoms, which hold dots themselves, and quoted strings with dots around them. */
function localPartEnd(text: string, at: number): number {
  let place = at
  for (;;) {
    const quoted = text[place] === '"'
    const pattern = quoted ? QUOTED : ATOM
    pattern.lastIndex = place
    if (!pattern.test(text)) return -1
    place = pattern.lastIndex
    if (text[place] === '@') return place
    const next = quoted ? text[place] === '.' : text[place] === '"' && text[place - 1] === '.'
    if (!next) return -1
  }
}
