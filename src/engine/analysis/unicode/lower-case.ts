/**
 * Lower case as Java's `Character.toLowerCase` has it, code point by code point: `İ` becomes `i`, `Σ` always `σ`.
 */
export function lowerCase(text: string): string {
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    if (unit >= 0x80) return text.includes('İ') || text.includes('Σ') ? lowerCaseSpecial(text) : text.toLowerCase()
    // An upper-case letter of ASCII.
    if (unit >= 0x41 && unit <= 0x5a) {
      return isAscii(text, i + 1) ? text.toLowerCase() : lowerCaseSpecial(text)
    }
  }
  return text
}

/** {@link lowerCase} for a text that may hold `İ` or `Σ`, whose lower case JavaScript makes depend on language and place. */
export function lowerCaseSpecial(text: string): string {
  return text.replace(/[İΣ]/g, (char) => (char === 'İ' ? 'i' : 'σ')).toLowerCase()
}

/** Upper case as Java's `Character.toUpperCase` has it: one code point stays one, so `ß` stays. */
export function upperCase(text: string): string {
  if (isAscii(text, 0)) return text.toUpperCase()
  let out = ''
  for (const char of text) {
    const upper = char.toUpperCase()
    out += upper.length === char.length ? upper : (TITLE_ONLY.get(char) ?? char)
  }
  return out
}

/** Greek letters with iota: their full upper case is two letters, the simple one a single one. */
const TITLE_ONLY: ReadonlyMap<string, string> = new Map(
  Array.from('ᾀᾁᾂᾃᾄᾅᾆᾇᾐᾑᾒᾓᾔᾕᾖᾗᾠᾡᾢᾣᾤᾥᾦᾧᾳῃῳ', (char, i) => [char, 'ᾈᾉᾊᾋᾌᾍᾎᾏᾘᾙᾚᾛᾜᾝᾞᾟᾨᾩᾪᾫᾬᾭᾮᾯᾼῌῼ'[i] as string]),
)

function isAscii(text: string, from: number): boolean {
  for (let i = from; i < text.length; i++) if (text.charCodeAt(i) >= 0x80) return false
  return true
}
