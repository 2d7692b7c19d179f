const isVowel = (char: string | undefined): boolean => char !== undefined && 'aeiou'.includes(char)

/** The word on its way, and which prefixes went. */
class Derivation {
  word: string
  syllables: number
  readonly removed = new Set<string>()

  constructor(word: string) {
    this.word = word
    this.syllables = word.match(/[aeiou]/g)?.length ?? 0
  }

  cutStart(size: number, label: string, replacement = ''): boolean {
    this.word = replacement + this.word.slice(size)
    this.removed.add(label)
    this.syllables--
    return true
  }

  cutEnd(size: number): boolean {
    this.word = this.word.slice(0, -size)
    this.syllables--
    return true
  }

  has(...labels: readonly string[]): boolean {
    return labels.some((label) => this.removed.has(label))
  }
}

/** The Indonesian stemmer. @source Lucene, IndonesianStemmer (Tala, «A Study of Stemming Effects on Information Retrieval in Bahasa Indonesia») */
export function stemIndonesian(word: string): string {
  const d = new Derivation(word)
  if (d.syllables > 2 && /(?:kah|lah|pun)$/.test(d.word)) d.cutEnd(3)
  if (d.syllables > 2) {
    if (/[km]u$/.test(d.word)) d.cutEnd(2)
    else if (d.word.endsWith('nya')) d.cutEnd(3)
  }
  if (d.syllables > 2 && removeFirstPrefix(d)) {
    if (d.syllables > 2 && removeSuffix(d) && d.syllables > 2) removeSecondPrefix(d)
  } else {
    if (d.syllables > 2) removeSecondPrefix(d)
    if (d.syllables > 2) removeSuffix(d)
  }
  return d.word
}

function removeFirstPrefix(d: Derivation): boolean {
  const { word } = d
  if (word.startsWith('meng')) return d.cutStart(4, 'meng')
  if (word.startsWith('meny') && isVowel(word[4])) return d.cutStart(4, 'meng', 's')
  if (/^me[nm]/.test(word)) return d.cutStart(3, 'meng')
  if (word.startsWith('me')) return d.cutStart(2, 'meng')
  if (word.startsWith('peng')) return d.cutStart(4, 'peng')
  if (word.startsWith('peny')) return isVowel(word[4]) ? d.cutStart(4, 'peng', 's') : d.cutStart(4, 'peng')
  if (word.startsWith('pen')) return isVowel(word[3]) ? d.cutStart(3, 'peng', 't') : d.cutStart(3, 'peng')
  if (word.startsWith('pem')) return d.cutStart(3, 'peng')
  if (word.startsWith('di')) return d.cutStart(2, 'di')
  if (word.startsWith('ter')) return d.cutStart(3, 'ter')
  return word.startsWith('ke') && d.cutStart(2, 'ke')
}

function removeSecondPrefix(d: Derivation): boolean {
  const { word } = d
  if (word.startsWith('ber') || word === 'belajar') return d.cutStart(3, 'ber')
  if (/^be[^aeiou]er/.test(word)) return d.cutStart(2, 'ber')
  if (word.startsWith('per') || word === 'pelajar') return d.cutStart(3, 'per')
  return word.startsWith('pe') && d.cutStart(2, 'pe')
}

function removeSuffix(d: Derivation): boolean {
  const { word } = d
  if (word.endsWith('kan') && !d.has('ke', 'peng', 'pe')) return d.cutEnd(3)
  if (word.endsWith('an') && !d.has('di', 'meng', 'ter')) return d.cutEnd(2)
  return word.endsWith('i') && !word.endsWith('si') && !d.has('ber', 'ke', 'peng') && d.cutEnd(1)
}
