const NORMALIZER_FILTERS: ReadonlySet<string> = new Set([
  'arabic_normalization',
  'asciifolding',
  'bengali_normalization',
  'cjk_width',
  'decimal_digit',
  'elision',
  'german_normalization',
  'hindi_normalization',
  'icu_folding',
  'icu_normalizer',
  'indic_normalization',
  'lowercase',
  'nfc',
  'nfkc',
  'nfkc_cf',
  'persian_normalization',
  'persian_stem',
  'scandinavian_folding',
  'scandinavian_normalization',
  'serbian_normalization',
  'sorani_normalization',
  'trim',
  'uppercase',
])

/** Types of char filters a normalizer may use. */
export const NORMALIZER_CHAR_FILTERS: ReadonlySet<string> = new Set([
  'icu_normalizer',
  'mapping',
  'nfc',
  'nfkc',
  'nfkc_cf',
  'pattern_replace',
])

/** Whether a normalizer may use token filters of a type: those that work character by character. */
export function mayNormalize(type: string): boolean {
  return NORMALIZER_FILTERS.has(type)
}
