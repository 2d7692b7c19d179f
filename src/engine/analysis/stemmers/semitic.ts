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
