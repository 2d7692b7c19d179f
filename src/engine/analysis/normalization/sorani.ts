const FORMS: Readonly<Record<string, string>> = {
  ى: 'ی',
  ي: 'ی',
  ك: 'ک',
  ة: 'ە',
  ھ: 'ه',
  ڒ: 'ڕ',
}

/** Forms of letters unified, marks dropped. @source Lucene, SoraniNormalizer */
export function normalizeSorani(term: string): string {
  // Where the original looks at places (first, last, before), it means those of what is left.
  const out: string[] = []
  for (let i = 0; i < term.length; i++) {
    const char = term[i] as string
    if (char === '\u200c') {
      if (out.at(-1) === 'ه') out[out.length - 1] = 'ە'
    } else if (char === 'ه') out.push(i === term.length - 1 ? 'ە' : char)
    else if (char === 'ر') out.push(out.length === 0 ? 'ڕ' : char)
    else if (/[ـ\u064b-\u0652\p{Cf}]/u.test(char)) continue
    else out.push(FORMS[char] ?? char)
  }
  return out.join('')
}
