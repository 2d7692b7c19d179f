/** Normalization forms of ICU's normalizers by the names they go by there. */
export const UNICODE_FORMS = ['nfc', 'nfkc', 'nfkc_cf'] as const

/** A form of {@link UNICODE_FORMS}; `nfkc_cf` also folds case and drops what is invisible by default. */
export type UnicodeForm = (typeof UNICODE_FORMS)[number]

// Normalizing sorts the marks of a character by insertion: half a million of them would take hours.
const MARKS_SORTED_AT_ONCE = 256
const LONG_RUN_OF_MARKS = new RegExp(`\\p{M}{${MARKS_SORTED_AT_ONCE + 1}}`, 'u')
const MARKED_PIECES = new RegExp(`\\P{M}*\\p{M}{1,${MARKS_SORTED_AT_ONCE}}|\\P{M}+`, 'gu')

/**
 * Normalizes a text. Of a character with more than 256 marks the marks are sorted in groups of so many.
 *
 * @param decompose  leave it decomposed (NFD and NFKD); not for `nfkc_cf`
 */
export function toUnicodeForm(text: string, form: UnicodeForm, decompose = false): string {
  if (!LONG_RUN_OF_MARKS.test(text)) return normalize(text, form, decompose)
  let normalized = ''
  for (const [piece] of text.matchAll(MARKED_PIECES)) normalized += normalize(piece, form, decompose)
  return normalized
}

function normalize(text: string, form: UnicodeForm, decompose: boolean): string {
  if (form === 'nfc') return text.normalize(decompose ? 'NFD' : 'NFC')
  if (form === 'nfkc') return text.normalize(decompose ? 'NFKD' : 'NFKC')
  // NFKC_Casefold: fold until nothing changes, as folding may bring forth what normalizes further.
  let folded = text
  for (let before = ''; before !== folded; ) {
    before = folded
    folded = foldCase(folded.normalize('NFKC').replace(/\p{Default_Ignorable_Code_Point}/gu, '')).normalize('NFKC')
  }
  return folded
}

/** Unicode's full case folding, character by character. */
function foldCase(text: string): string {
  if (!/[A-Z\u00b5-\u13ff\u1c80-\u2fff\ua640-\uabff\ufb00-\uff3a\ud800-\udfff]/.test(text)) return text
  let folded = ''
  for (const char of text) folded += foldCharacter(char)
  return folded
}

function foldCharacter(char: string): string {
  // Dotless i has no other case to fold to, and Cherokee folds to its capitals.
  if (char === 'ı') return char
  if (/\p{Script=Cherokee}/u.test(char)) return char.toUpperCase()
  return lower(char.toLowerCase().toUpperCase())
}

/** Lower case of each character by itself: a sigma at the end stays an ordinary one. */
function lower(text: string): string {
  let out = ''
  for (const char of text) out += char.toLowerCase()
  return out
}
