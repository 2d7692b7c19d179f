/** `ae`, `oe`, `ue` and umlauts as plain vowels, `ß` as `ss`; not where the `e` belongs to what follows a vowel. @source Lucene, GermanNormalizationFilter */
export function normalizeGerman(term: string): string {
  let out = ''
  let state: 'other' | 'vowel' | 'umlaut' = 'other'
  for (const char of term) {
    switch (char) {
      case 'a':
      case 'o':
        state = 'umlaut'
        out += char
        break
      case 'u':
        state = state === 'other' ? 'umlaut' : 'vowel'
        out += char
        break
      case 'e':
        if (state !== 'umlaut') out += char
        state = 'vowel'
        break
      case 'i':
      case 'q':
      case 'y':
        state = 'vowel'
        out += char
        break
      case 'ä':
      case 'ö':
      case 'ü':
        state = 'vowel'
        out += char === 'ä' ? 'a' : char === 'ö' ? 'o' : 'u'
        break
      case 'ß':
        state = 'other'
        out += 'ss'
        break
      default:
        state = 'other'
        out += char
    }
  }
  return out
}
