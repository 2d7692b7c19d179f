/** Danish, Norwegian and Swedish spellings of the same letters unified: `ä`, `ae` → `æ`, `ö`, `oe` → `ø`, `aa` → `å`. @source Lucene, ScandinavianNormalizationFilter */
export function normalizeScandinavian(term: string): string {
  return term.replace(/[äö]|a[aeo]|o[eo]/gi, (found) => {
    const [first, second] = found.toLowerCase()
    const upper = found[0] !== first
    const letter = first === 'ä' || second === 'e' ? (first === 'o' ? 'ø' : 'æ') : first === 'a' ? 'å' : 'ø'
    return upper ? letter.toUpperCase() : letter
  })
}

/** The same letters as plain vowels. @source Lucene, ScandinavianFoldingFilter */
export function foldScandinavian(term: string): string {
  return term.replace(/[åäæøö]|a[aeo]|o[eo]/gi, (found) => {
    const first = found[0] as string
    if (/[aoAO]/.test(first)) return first
    const plain = /[åäæ]/i.test(first) ? 'a' : 'o'
    return first === first.toLowerCase() ? plain : plain.toUpperCase()
  })
}
