const VOWELS = /[aeiou]/g
const PARTICLE = /(?:kah|lah|pun)$/
const POSSESSIVE = /(?:ku|mu|nya)$/

/** Which suffixes a prefix goes with depends on its kind: that of `meng`, `per`, `peng` or `ber`. */
type PrefixKind = 'meng' | 'per' | 'peng' | 'ber'

/** Shorter words than of three syllables are left alone. */
const MOST_KEPT = 2

/** A word without its prefix: what stands in the prefix' place, where no further one is looked for, and what follows. */
interface Parted {
  readonly head: string
  readonly rest: string
  /** Undefined: there was no prefix, or one that goes with every suffix. */
  readonly kind: PrefixKind | undefined
}

/**
 * The Snowball stemmer of Indonesian: particles, possessive pronouns, then prefixes and a suffix, as long as enough vowels are left.
 *
 * @source Snowball, «Indonesian stemmer» (after Tala, «A Study of Stemming Effects on Information Retrieval in Bahasa Indonesia»)
 */
export function stemIndonesianBySnowball(word: string): string {
  let stem = word
  let vowels = word.match(VOWELS)?.length ?? 0
  for (const ending of [PARTICLE, POSSESSIVE]) {
    if (vowels <= MOST_KEPT) return stem
    if (!ending.test(stem)) continue
    stem = stem.replace(ending, '')
    vowels--
  }
  if (vowels <= MOST_KEPT) return stem
  const first = withoutFirstPrefix(stem)
  if (first === undefined) {
    const second = withoutSecondPrefix(stem)
    const left = second ?? { head: '', rest: stem, kind: undefined }
    const isLong = vowels - (second === undefined ? 0 : 1) > MOST_KEPT
    return left.head + (isLong ? (withoutSuffix(left) ?? left.rest) : left.rest)
  }
  const { head, rest } = first
  vowels--
  if (vowels <= MOST_KEPT) return head + rest
  const cut = withoutSuffix(first)
  // The second prefix goes only where the suffix did.
  if (cut === undefined || vowels - 1 <= MOST_KEPT) return head + (cut ?? rest)
  const second = withoutSecondPrefix(cut)
  return head + (second === undefined ? cut : second.head + second.rest)
}

function withoutFirstPrefix(word: string): Parted | undefined {
  // Before a vowel the last letter of the prefix stands for the first of the stem as well.
  const nasal = /^([mp])e(?:ny(?=[aeiou])|m)/.exec(word)
  if (nasal !== null) {
    const rest = word.slice(nasal[0].length)
    const isBeforeVowel = /^[aeiou]/.test(rest)
    const head = nasal[0].endsWith('y') ? 's' : isBeforeVowel ? 'p' : ''
    return { head, rest, kind: nasal[1] === 'm' ? 'meng' : 'peng' }
  }
  const prefix = /^(?:di|meng?|me|ter|ke|peng?)/.exec(word)?.[0]
  if (prefix === undefined) return undefined
  return { head: '', rest: word.slice(prefix.length), kind: /^[kp]/.test(prefix) ? 'peng' : 'meng' }
}

function withoutSecondPrefix(word: string): Parted | undefined {
  const learning = /^([bp])elajar/.exec(word)
  if (learning !== null)
    return { head: 'ajar', rest: word.slice(learning[0].length), kind: learning[1] === 'b' ? 'ber' : undefined }
  const prefix = /^(?:per?|ber|be(?=[^aeiou]er))/.exec(word)?.[0]
  return prefix === undefined
    ? undefined
    : { head: '', rest: word.slice(prefix.length), kind: prefix.startsWith('p') ? 'per' : 'ber' }
}

/** Undefined: there is no suffix that goes with the prefix. */
function withoutSuffix({ rest, kind }: Parted): string | undefined {
  if (/kan$/.test(rest) && kind !== 'peng' && kind !== 'per') return rest.slice(0, -3)
  if (/an$/.test(rest) && kind !== 'meng') return rest.slice(0, -2)
  return /(?<!s)i$/.test(rest) && kind !== 'peng' && kind !== 'ber' ? rest.slice(0, -1) : undefined
}
