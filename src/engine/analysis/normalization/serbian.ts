const LETTERS: ReadonlyMap<string, string> = new Map([
  ...Array.from(
    'абвгдђежзијклмнопрстћуфхцчшžđćčš',
    (char, i) => [char, 'abvgddezzijklmnoprstcufhccszdccs'[i] as string] as const,
  ),
  ['ђ', 'dj'],
  ['đ', 'dj'],
  ['љ', 'lj'],
  ['њ', 'nj'],
  ['џ', 'dz'],
])

/** Cyrillic and Latin with marks as bare Latin. @source Lucene, SerbianNormalizationFilter */
export function normalizeSerbian(term: string): string {
  return term.replace(/[^\0-\x7f]/g, (char) => LETTERS.get(char) ?? char)
}
