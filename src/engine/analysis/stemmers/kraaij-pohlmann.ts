import { SuffixTable } from './suffix-table.ts'

const VOWEL = 'aeiouy'
/** Where the regions begin: behind the first consonant that follows vowels, and behind the next such. Nothing is tried twice. */
const REGION = new RegExp(`[^${VOWEL}]*(?=((?:ij|[${VOWEL}])+))\\1[^${VOWEL}]`, 'y')
/** What is looked for behind ge-: a vowel, and a consonant behind it. */
const SYLLABLE = new RegExp(`^[^${VOWEL}]*[${VOWEL}]+[^${VOWEL}]`)

const endsInVowel = (stem: string): boolean => /(?:[aeiouy]|ij)$/.test(stem)
const endsInConsonant = (stem: string): boolean => /[^aeiouy]$/.test(stem) && !stem.endsWith('ij')

/** Doubles the vowel of a last syllable that was open. */
function lengthen(stem: string): string {
  const found =
    /(?:(?:^|[^aeiouy])([aou])|(?:(?:^|(?<![aiou])[^aeiouy])(?<![^aeiouy][aiou].[^aeiouy])(e)))[^aeiouywx]$/s.exec(stem)
  const vowel = found?.[1] ?? found?.[2]
  return vowel === undefined ? stem : stem.slice(0, -2) + vowel + stem.slice(-2)
}

/** What comes of the stem before an ending; undefined: the ending stays. */
type Rule = (stem: string, r1: boolean, word: KraaijPohlmann) => string | undefined

/** In the first region, and behind what passes a test, the ending goes or something stands for it. */
const inR1 =
  (to: string, isBehind: (stem: string) => boolean = () => true): Rule =>
  (stem, r1) =>
    r1 && isBehind(stem) ? stem + to : undefined
const lengthened =
  (to = '', isBehind: (stem: string) => boolean = () => true): Rule =>
  (stem, r1) =>
    r1 && isBehind(stem) ? lengthen(stem + to) : undefined
const inR2 =
  (to: string): Rule =>
  (stem, _r1, word) =>
    stem.length >= word.p2 ? lengthen(stem + to) : undefined

const STEP_1 = new SuffixTable<Rule>([
  [(stem) => stem, "'s"],
  [
    (stem, r1, { p1 }) =>
      r1 && !(stem.endsWith('t') && stem.length - 1 >= p1) && endsInConsonant(stem) ? stem : undefined,
    's',
  ],
  [inR1('ie'), 'ies'],
  [
    (stem, r1, { p1 }) => {
      const rest = stem.slice(0, -2)
      if (/[ae]r$/.test(stem) && rest.length >= p1 && endsInConsonant(rest))
        return stem.endsWith('ar') ? lengthen(rest) : rest
      return r1 && endsInConsonant(stem) ? `${stem}e` : undefined
    },
    'es',
  ],
  [inR1('au', endsInVowel), 'aus'],
  [
    (stem, r1, { p1 }) => {
      if (stem.endsWith('hed') && stem.length - 3 >= p1) return `${stem.slice(0, -3)}heid`
      if (stem.endsWith('nd')) return stem
      const rest = stem.slice(0, -1)
      if (stem.endsWith('d') && rest.length >= p1 && endsInConsonant(rest)) return rest
      if (/[ij]$/.test(stem) && endsInVowel(rest)) return stem
      return r1 && endsInConsonant(stem) ? lengthen(stem) : undefined
    },
    'en',
  ],
  [(stem) => `${stem}nd`, 'nde'],
])
const STEP_2 = new SuffixTable<Rule>([
  [
    (stem, r1, { p1 }) => {
      const before = (ending: string) => (stem.endsWith(ending) ? stem.slice(0, -ending.length) : undefined)
      const et = before('et')
      const t = before('t')
      const apostrophe = before("'")
      if (stem.endsWith("'t")) return stem.slice(0, -2)
      if (et !== undefined && et.length >= p1 && endsInConsonant(et)) return et
      if (stem.endsWith('rnt')) return stem.slice(0, -1)
      if (t !== undefined && t.length >= p1 && endsInVowel(t.slice(0, -1))) return t
      if (stem.endsWith('ink')) return `${stem.slice(0, -1)}g`
      if (stem.endsWith('mp')) return stem.slice(0, -1)
      if (apostrophe !== undefined && apostrophe.length >= p1) return apostrophe
      return r1 && endsInConsonant(stem) ? stem : undefined
    },
    'je',
  ],
  [inR1('g'), 'ge'],
  [inR1('lijk'), 'lijke'],
  [inR1('isch'), 'ische'],
  [inR1('', endsInConsonant), 'de'],
  [inR1('t'), 'te'],
  [inR1('s'), 'se'],
  [inR1('r'), 're'],
  [lengthened('l'), 'le'],
  [lengthened('en', endsInConsonant), 'ene'],
  [inR1('ief', endsInConsonant), 'ieve'],
])
const STEP_3 = new SuffixTable<Rule>([
  [inR1('eer'), 'atie'],
  [lengthened(), 'iteit ing isme erij'],
  [inR1(''), 'heid sel ster'],
  [(stem) => `${stem}r`, 'rder'],
  [inR1('aar', endsInConsonant), 'arij'],
  [inR2('f'), 'fie'],
  [inR2('g'), 'gie'],
  [inR1('t', endsInConsonant), 'tst'],
  [inR1('d', endsInConsonant), 'dst'],
])
const STEP_4 = new SuffixTable<Rule>([
  [inR1('ie'), 'ioneel'],
  [inR1('eer'), 'atief'],
  [inR1(''), 'baar achtig achtiger achtigst'],
  [inR1('n', endsInVowel), 'naar'],
  [inR1('l', endsInVowel), 'laar'],
  [inR1('r', endsInVowel), 'raar'],
  [inR1('teer'), 'tant'],
  [inR1('lijk'), 'lijker lijkst'],
  [lengthened('', endsInConsonant), 'eriger erigst erig end'],
])
const STEP_4_SHORT = new SuffixTable<Rule>([[lengthened('', endsInConsonant), 'iger igst ig']])

/** The Dutch stemmer of Kraaij and Pohlmann. @source «Porter's stemming algorithm for Dutch», 1994, as Snowball has it */
export function stemKraaijPohlmann(word: string): string {
  return new KraaijPohlmann(word).stem()
}

class KraaijPohlmann {
  p1 = 0
  p2 = 0
  #word: string
  #isStemmed = false

  constructor(word: string) {
    this.#word = word
  }

  stem(): string {
    const isMarked = this.#mark()
    this.#measure()
    for (const table of [STEP_1, STEP_2, STEP_3]) this.#apply(table)
    if (!this.#apply(STEP_4)) this.#apply(STEP_4_SHORT)
    this.#loseGe(this.#word.startsWith('ge') ? 0 : -1)
    const isInfixLost = this.#loseGe(this.#word.indexOf('ge', 1))
    if (/[kfp]t$/.test(this.#word)) {
      this.#word = this.#word.slice(0, -1)
      this.#isStemmed = true
    }
    if (this.#isStemmed || isInfixLost) {
      this.#word = this.#word.replace(/([bcdfghjklmnpqrstvwxz])\1$|v$|z$/, (end, letter?: string) =>
        letter === undefined ? (end === 'v' ? 'f' : 's') : letter,
      )
    }
    return isMarked ? this.#word.replaceAll('Y', 'y') : this.#word
  }

  /** Capitals for y where it is a consonant: at the beginning and behind vowels. */
  #mark(): boolean {
    const letters = this.#word.split('')
    let isMarked = false
    for (let at = 0; at < letters.length; at++) {
      if (letters[at] !== 'y' || (at > 0 && !VOWEL.includes(letters[at - 1] as string))) continue
      letters[at] = 'Y'
      isMarked = true
    }
    this.#word = letters.join('')
    return isMarked
  }

  /** @returns whether an ending was found that could go */
  #apply(table: SuffixTable<Rule>): boolean {
    const found = table.find(this.#word)
    if (found === undefined) return false
    const changed = found.action(this.#word.slice(0, found.start), found.start >= this.p1, this)
    if (changed === undefined) return false
    this.#word = changed
    this.#isStemmed = true
    return true
  }

  /** Takes ge- away, and then a last d or t. @param at  where it stands, or -1 */
  #loseGe(at: number): boolean {
    const rest = this.#word.slice(at + 2)
    if (at < 0 || rest.length < 3 || !SYLLABLE.test(rest)) return false
    this.#word = this.#word.slice(0, at) + rest
    this.#measure()
    const last = this.#word.at(-1)
    const stem = this.#word.slice(0, -1)
    if ((last !== 'd' && last !== 't') || stem.length < this.p1 || !endsInConsonant(stem)) return true
    const isKept = stem.endsWith(last === 'd' ? 'n' : 'h') && stem.length - 1 >= this.p1
    if (!isKept) this.#word = stem
    return true
  }

  #measure(): void {
    this.p1 = this.#word.length
    this.p2 = this.p1
    REGION.lastIndex = 0
    if (!REGION.test(this.#word)) return
    this.p1 = REGION.lastIndex
    if (REGION.test(this.#word)) this.p2 = REGION.lastIndex
  }
}
