const LETTERS: ReadonlyMap<string, string> = new Map([
  ['ী', 'ি'],
  ['ূ', 'ু'],
  ['ঙ', 'ং'],
  ['শ', 'স'],
  ['ষ', 'স'],
  ['ণ', 'ন'],
  ['\u09dc', 'র'],
  ['\u09dd', 'র'],
  ['ৎ', 'ত'],
])
const VIRAMA = '্'

/** Spellings that sound alike unified. @source Lucene, BengaliNormalizer */
export function normalizeBengali(term: string): string {
  const s = Array.from({ length: term.length }, (_, i) => term[i] as string)
  for (let i = 0; i < s.length; i++) {
    const char = s[i] as string
    const replacement = LETTERS.get(char)
    if (replacement !== undefined) s[i] = replacement
    else if (char === 'ঁ') s.splice(i--, 1)
    else if (char === 'ক') {
      if (s[i + 1] !== VIRAMA || s[i + 2] !== 'ি') continue
      if (i === 0) s.splice(i, 3, 'খ')
      else s.splice(i + 1, 2, 'খ')
    } else if (char === 'য') {
      if (i === 2 && s[i - 1] === VIRAMA) {
        s[i - 1] = 'ে'
        if (s[i + 1] === 'া') s.splice(i + 1, 1)
        s.splice(i--, 1)
      } else if (s[i - 1] === VIRAMA) {
        s.splice(i - 1, 2)
        i -= 2
      }
    } else if (char === 'ব') {
      if (s[i - 1] !== VIRAMA) continue
      if (i === 2 || (i >= 5 && s[i - 3] === VIRAMA)) {
        s.splice(i - 1, 2)
        i -= 2
      } else if (i >= 2) {
        s[i - 1] = s[i - 2] as string
        s.splice(i--, 1)
      }
    } else if (char === 'ঃ') {
      if (i < s.length - 1) s[i] = s[i + 1] as string
      else if (s.length <= 3) s[i] = 'হ'
      else s.splice(i, 1)
    }
  }
  return s.join('')
}
