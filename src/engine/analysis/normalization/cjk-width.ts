const KANA =
  '・ヲァィゥェォャュョッーアイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワン\u3099\u309a'
/** What a voiced mark makes of the kana before it, by distance: most are followed by their voiced form. */
const VOICED = /[カキクケコサシスセソタチツテトハヒフヘホヽ]/
const HALF_VOICED = /[ハヒフヘホ]/
const FAR_VOICED = 'ワヰヱヲ'

/** Full-width Latin as basic Latin, half-width kana as full-width ones. @source Lucene, CJKWidthFilter */
export function normalizeCjkWidth(term: string): string {
  if (!/[\uff01-\uff9f]/.test(term)) return term
  let out = ''
  for (let i = 0; i < term.length; i++) {
    const unit = term.charCodeAt(i)
    if (unit >= 0xff01 && unit <= 0xff5e) out += String.fromCharCode(unit - 0xfee0)
    else if (unit < 0xff65 || unit > 0xff9f) out += term[i]
    else {
      const before = out.at(-1)
      const combined = before === undefined || unit < 0xff9e ? undefined : combine(before, unit === 0xff9f)
      out = combined === undefined ? out + KANA[unit - 0xff65] : out.slice(0, -1) + combined
    }
  }
  return out
}

function combine(kana: string, half: boolean): string | undefined {
  const code = kana.charCodeAt(0)
  if (half) return HALF_VOICED.test(kana) ? String.fromCharCode(code + 2) : undefined
  if (kana === 'ウ') return 'ヴ'
  if (FAR_VOICED.includes(kana)) return String.fromCharCode(code + 8)
  return VOICED.test(kana) ? String.fromCharCode(code + 1) : undefined
}
