import { LONGEST_TOP_LEVEL_DOMAIN, TOP_LEVEL_DOMAINS } from './top-level-domains.ts'

const PERCENT = '%[0-9A-Fa-f]{2}'
const LOGIN = `(?:[-._~A-Za-z0-9!$&'()*+,;=]|${PERCENT})*`
const LABEL = '[A-Za-z0-9](?:[-A-Za-z0-9]*[A-Za-z0-9])?'
const OCTET = '(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|0?[1-9][0-9]|0{0,2}[0-9])'
const IPV4 = `${OCTET}(?:\\.${OCTET}){3}`
const HEX = '[0-9A-Fa-f]{1,4}'
const IPV6_END = `(?:${IPV4}|${HEX}:${HEX})`
const IPV6 = [
  `(?:${HEX}:){6}${IPV6_END}`,
  `::(?:${HEX}:){5}${IPV6_END}`,
  `(?:${HEX})?::(?:${HEX}:){4}${IPV6_END}`,
  `(?:(?:${HEX}:){0,1}${HEX})?::(?:${HEX}:){3}${IPV6_END}`,
  `(?:(?:${HEX}:){0,2}${HEX})?::(?:${HEX}:){2}${IPV6_END}`,
  `(?:(?:${HEX}:){0,3}${HEX})?::${HEX}:${IPV6_END}`,
  `(?:(?:${HEX}:){0,4}${HEX})?::${IPV6_END}`,
  `(?:(?:${HEX}:){0,5}${HEX})?::${HEX}`,
  `(?:(?:${HEX}:){0,6}${HEX})?::`,
].join('|')
const BRACKETED = `\\[(?:${IPV6})\\]`
const PORT = '(?::[0-9]{1,5})?'
const AUTHORITY = `(?:${LOGIN}(?::${LOGIN})?@)?(?:${BRACKETED}|${LABEL}(?:\\.${LABEL})*)${PORT}`
const QUERY_CHARS = `(?:[-._~A-Za-z0-9!$&'()*+,;=:@/?]|${PERCENT})*`
const HTTP_REST = `(?:/(?:[-._~A-Za-z0-9;:@&=]|${PERCENT})*)*(?:\\?${QUERY_CHARS})?(?:#${QUERY_CHARS})?`
const FTP_PATH = `(?:/(?:[-._~A-Za-z0-9?:@&=]|${PERCENT})*)+`
const WITH_SCHEME = new RegExp(
  `https?://${AUTHORITY}${HTTP_REST}|ftp://${AUTHORITY}${FTP_PATH}(?:;type=[aid])?(?:#${QUERY_CHARS})?|file://(?:${BRACKETED}|${LABEL}(?:\\.${LABEL})*)?${FTP_PATH}(?:#${QUERY_CHARS})?`,
  'iy',
)
const ADDRESS = new RegExp(`${BRACKETED}|${IPV4}`, 'y')
const REST = new RegExp(`${PORT}${HTTP_REST}`, 'y')
const LABEL_HERE = new RegExp(LABEL, 'y')

/** What a bare host must not be followed by. */
const WORD_HERE = /[-\p{L}\p{M}\p{N}\p{Pc}]/uy

/**
 * Behind the URL that begins at a place; -1 for none.
 *
 * @source Lucene 7.7.3, UAX29URLEmailTokenizer (RFC 3986, with the top-level domains of its day)
 */
export function urlEnd(text: string, at: number): number {
  WITH_SCHEME.lastIndex = at
  let longest = WITH_SCHEME.test(text) ? WITH_SCHEME.lastIndex : -1
  const hosts = domainEnds(text, at)
  ADDRESS.lastIndex = at
  if (ADDRESS.test(text)) hosts.push(ADDRESS.lastIndex)
  for (const host of hosts) {
    REST.lastIndex = host
    const end = REST.test(text) ? REST.lastIndex : host
    WORD_HERE.lastIndex = end
    const bare = end === host
    const lastDot = bare && end === text.length && text[end - 1] === '.'
    if (end > longest && !lastDot && !(bare && WORD_HERE.test(text))) longest = end
  }
  return longest
}

/** Behind the longest domain name with a known top-level domain that begins at a place; -1 for none. */
export function domainEnd(text: string, at: number): number {
  return Math.max(-1, ...domainEnds(text, at))
}

/** All places where a domain name that begins at a place may end. */
function domainEnds(text: string, at: number): number[] {
  const ends: number[] = []
  for (let place = at; ; ) {
    LABEL_HERE.lastIndex = place
    if (!LABEL_HERE.test(text)) return ends
    place = LABEL_HERE.lastIndex
    if (text[place] !== '.') return ends
    place++
    const letters = text.slice(place, place + LONGEST_TOP_LEVEL_DOMAIN).toLowerCase()
    for (let length = 2; length <= letters.length; length++) {
      if (!TOP_LEVEL_DOMAINS.has(letters.slice(0, length))) continue
      ends.push(place + length)
      // The dot of the root may follow.
      if (text[place + length] === '.') ends.push(place + length + 1)
    }
  }
}
