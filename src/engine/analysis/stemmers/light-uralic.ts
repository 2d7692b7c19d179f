import { endingStemmer, withoutAccents } from './ending-rules.ts'

const isVowel = (char: string | undefined): boolean => char !== undefined && 'aeiouy'.includes(char)

const finnishSecond = endingStemmer([
  [5, 3, 'lla tse sti'],
  [5, 2, 'ni'],
  [5, 1, 'aa'],
])

/** Savoy's light Finnish stemmer. @source Lucene, FinnishLightStemmer */
export function stemFinnishLightly(word: string): string {
  if (word.length < 4) return word
  let w = stripParticles(withoutAccents(word, 'äåö', 'aao'))
  w = stripFinnishCase(finnishSecond(w))
  if (w.length > 5 && w.endsWith('hde')) w = `${w.slice(0, -3)}ksi`
  if (w.length > 4 && /(?:ei|at)$/.test(w)) w = w.slice(0, -2)
  else if (w.length > 3 && /[tsjeai]$/.test(w)) w = w.slice(0, -1)
  if (w.length > 8 && /[eou]$/.test(w)) w = w.slice(0, -1)
  if (w.length > 4 && w.endsWith('i')) w = w.slice(0, -1)
  return w.length > 4 ? w.replace(/([kpt])\1+/g, '$1') : w
}

function stripParticles(word: string): string {
  let w = word
  while (w.length > 8 && /(?:kin|ko)$/.test(w)) w = w.slice(0, w.endsWith('kin') ? -3 : -2)
  if (w.length > 11 && w.endsWith('dellinen')) return w.slice(0, -8)
  return w.length > 11 && w.endsWith('dellisuus') ? w.slice(0, -9) : w
}

function stripFinnishCase(w: string): string {
  const { length } = w
  const end = (size: number, text = '') => w.slice(0, -size) + text
  if (length > 8) {
    if (w.endsWith('nnen')) return end(4, 's')
    if (w.endsWith('ntena')) return end(5, 's')
    if (w.endsWith('tten')) return end(4)
    if (w.endsWith('eiden')) return end(5)
  }
  if (length > 6) {
    if (/(?:neen|niin|seen|teen|inen)$/.test(w)) return end(4)
    if (/h[aeiouy]n$/.test(w)) return end(3)
    if (w.endsWith('den')) return end(3, 's')
    if (w.endsWith('ksen')) return end(4, 's')
    if (/(?:ssa|sta|lla|lta|tta|ksi|lle)$/.test(w)) return end(3)
  }
  if (length > 5) {
    if (/n[ae]$/.test(w)) return end(2)
    if (w.endsWith('nei')) return end(3)
  }
  if (length > 4) {
    if (/[jt]a$/.test(w)) return end(2)
    if (w.endsWith('a')) return end(1)
    if (/[aeiouy]n$/.test(w)) return end(2)
    if (w.endsWith('n')) return end(1)
  }
  return w
}

/** Savoy's light Hungarian stemmer. @source Lucene, HungarianLightStemmer */
export function stemHungarianLightly(word: string): string {
  const plain = withoutAccents(word, 'áéëíóõöőúûüũű', 'aeeioooouuuuu')
  let w = stripOwner(stripHungarianCase(plain))
  if (w.length > 3 && w.endsWith('k')) w = w.slice(0, w.length > 4 && /[aeo]k$/.test(w) ? -2 : -1)
  return w.length > 3 && /[aeio]$/.test(w) ? w.slice(0, -1) : w
}

function stripHungarianCase(w: string): string {
  const { length } = w
  if (length > 6 && w.endsWith('kent')) return w.slice(0, -4)
  if (length > 5) {
    if (/(?:na[kl]|ne[kl]|val|vel|ert|rol|ban|ben|bol|hoz|hez|tol)$/.test(w)) return w.slice(0, -3)
    if (/([^aeiouy])\1[ae]l$/.test(w)) return w.slice(0, -3)
  }
  if (length > 4) {
    if (/(?:at|et|ot|va|ve|ra|re|ba|be|ul|ig)$/.test(w)) return w.slice(0, -2)
    if (/[^aeiouy][oe]n$/.test(w)) return w.slice(0, -2)
    if (/[tn]$/.test(w)) return w.slice(0, -1)
    if (/([^aeiouy])\1[ae]$/.test(w)) return w.slice(0, -2)
  }
  return w
}

function stripOwner(w: string): string {
  const { length } = w
  const vowelAt = (fromEnd: number) => isVowel(w[length - fromEnd])
  if (length > 6) {
    if (!vowelAt(5) && /(?:atok|otok|etek)$/.test(w)) return w.slice(0, -4)
    if (/(?:itek|itok)$/.test(w)) return w.slice(0, -4)
  }
  if (length > 5) {
    if (!vowelAt(4) && /(?:unk|tok|tek)$/.test(w)) return w.slice(0, -3)
    if (vowelAt(4) && w.endsWith('juk')) return w.slice(0, -3)
    if (w.endsWith('ink')) return w.slice(0, -3)
  }
  if (length > 4) {
    if (!vowelAt(3) && /(?:[aeo][md]|uk)$/.test(w)) return w.slice(0, -2)
    if (vowelAt(3) && /(?:nk|ja|je)$/.test(w)) return w.slice(0, -2)
    if (/i[mdk]$/.test(w)) return w.slice(0, -2)
  }
  if (length > 3) {
    if (/[ae]$/.test(w)) return vowelAt(2) ? w : w.slice(0, -1)
    if (/[dm]$/.test(w)) return vowelAt(2) ? w.slice(0, -1) : w
    if (w.endsWith('i')) return w.slice(0, -1)
  }
  return w
}
