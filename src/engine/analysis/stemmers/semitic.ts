const PREFIXES = ['ال', 'وال', 'بال', 'كال', 'فال', 'لل', 'و']
const SUFFIXES = ['ها', 'ان', 'ات', 'ون', 'ين', 'يه', 'ية', 'ه', 'ة', 'ي']

/** The light stemmer «light8» of Arabic. @source Lucene, ArabicStemmer (Larkey, Ballesteros and Connell) */
export function stemArabic(word: string): string {
  const prefix = PREFIXES.find(
    (p) => word.startsWith(p) && word.length >= p.length + 2 && (p.length > 1 || word.length >= 4),
  )
  let w = prefix === undefined ? word : word.slice(prefix.length)
  for (const suffix of SUFFIXES) if (w.length >= suffix.length + 2 && w.endsWith(suffix)) w = w.slice(0, -suffix.length)
  return w
}

const PERSIAN_SUFFIXES = ['ات', 'ان', 'ترين', 'تر', 'يي', 'ي', 'ها', '\u200c']

/** The stemmer of Persian. @source Lucene 9.12.2, PersianStemmer */
export function stemPersian(word: string): string {
  let w = word
  for (const suffix of PERSIAN_SUFFIXES)
    if (w.length >= suffix.length + 2 && w.endsWith(suffix)) w = w.slice(0, -suffix.length)
  return w
}
