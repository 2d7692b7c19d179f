import { BackwardCursor } from './backward-cursor.ts'

const VOWELS = 'aeıioöuü'
const HIGH_VOWELS = 'ıiuü'
/** Vowels of which one must stand somewhere before a vowel. */
const HARMONY: Readonly<Record<string, string>> = {
  a: 'aıou',
  e: 'eiöü',
  ı: 'aı',
  i: 'ei',
  o: 'ou',
  ö: 'öü',
  u: 'ou',
  ü: 'öü',
}
/** Last letters that Turkish words end on instead. */
const HARDENED: Readonly<Record<string, string>> = { b: 'p', c: 'ç', d: 't', ğ: 'k' }

/** Suffixes with U for ı, i, u, ü and A for a, e. */
const forms = (patterns: string): readonly string[] =>
  patterns.split(' ').flatMap((pattern) => {
    if (pattern.includes('U')) return Array.from(HIGH_VOWELS, (vowel) => pattern.replaceAll('U', vowel))
    return pattern.includes('A') ? Array.from('ae', (vowel) => pattern.replaceAll('A', vowel)) : [pattern]
  })

/** A suffix: its forms, whether its vowels must agree with those before, and the letter that may join it to the stem. */
interface Suffix {
  readonly forms: readonly string[]
  readonly agrees: boolean
  readonly joint: string
}

const suffix = (patterns: string, agrees = true, joint = ''): Suffix => ({ forms: forms(patterns), agrees, joint })

const POSSESSIVE = suffix('mUz nUz m n', false, HIGH_VOWELS)
const SU = suffix('U', true, 's')
const LARI = suffix('leri ları', false)
const YU = suffix('U', true, 'y')
const NU = suffix('nU')
const NUN = suffix('Un', true, 'n')
const YA = suffix('A', true, 'y')
const NA = suffix('nA')
const DA = suffix('dA tA')
const NDA = suffix('ndA')
const DAN = suffix('dAn tAn')
const NDAN = suffix('ndAn')
const YLA = suffix('lA', true, 'y')
const NCA = suffix('cA', true, 'n')
const YUM = suffix('Um', true, 'y')
const SUN = suffix('sUn')
const YUZ = suffix('Uz', true, 'y')
const SUNUZ = suffix('sUnUz', false)
const LAR = suffix('lAr')
const NUZ = suffix('nUz')
const DUR = suffix('tUr dUr')
const CASINA = suffix('casına cesine', false)
const YDU = suffix('tUm dUm tUn dUn tUk dUk tU dU', true, 'y')
const YSA = suffix('sAm sAn sAk sA', false, 'y')
const YMUS = suffix('mUş', true, 'y')
const YKEN = suffix('ken', false, 'y')
const KI = suffix('ki', false)

/** The Turkish stemmer. @source snowballstem.org (Evren Kapusuz Çilden), as of Lucene 7.7.3 to 9.12 */
export function stemTurkish(word: string): string {
  if (Array.from(word).filter((char) => VOWELS.includes(char)).length < 2) return word
  const stemmer = new TurkishWord(word)
  const goesOn = stemmer.stripVerbSuffixes()
  if (!goesOn) return stemmer.word
  stemmer.stripNounSuffixes()
  return ['ad', 'soyad'].includes(stemmer.word) ? stemmer.word : finish(stemmer.word)
}

/** Gives a stem on d or g its vowel back, and others the last consonant they have alone. */
function finish(stem: string): string {
  const last = stem.at(-1) as string
  const vowel = Array.from(stem).findLast((char) => VOWELS.includes(char))
  if ((last === 'd' || last === 'g') && vowel !== undefined) {
    return stem + (HIGH_VOWELS.includes(vowel) ? vowel : { a: 'ı', e: 'i', o: 'u', ö: 'ü' }[vowel])
  }
  return Object.hasOwn(HARDENED, last) ? stem.slice(0, -1) + HARDENED[last] : stem
}

/** A word that is read from its end, and loses suffixes. */
class TurkishWord extends BackwardCursor {
  /** Takes suffixes of nominal verbs off. @returns whether those of nouns may follow */
  stripVerbSuffixes(): boolean {
    const person = () => this.#one(SUNUZ, LAR, YUM, SUN, YUZ) || true
    let goesOn = true
    this.mark()
    const start = this.position
    const found =
      this.#one(YMUS, YDU, YSA, YKEN) ||
      this.from(start, () => this.#one(CASINA) && person() && this.#one(YMUS)) ||
      this.from(start, () => {
        if (!this.#one(LAR)) return false
        this.delete()
        this.attempt(() => this.mark() && this.#one(DUR, YDU, YSA, YMUS))
        goesOn = false
        return true
      }) ||
      this.from(start, () => this.#one(NUZ) && this.#one(YDU, YSA)) ||
      this.from(start, () => {
        if (!this.#one(SUNUZ, YUZ, SUN, YUM)) return false
        this.delete()
        return this.attempt(() => this.mark() && this.#one(YMUS))
      }) ||
      this.from(start, () => {
        if (!this.#one(DUR)) return false
        this.delete()
        return this.attempt(() => this.mark() && person() && this.#one(YMUS))
      })
    if (found) this.delete()
    this.position = 0
    return goesOn
  }

  stripNounSuffixes(): void {
    this.first(
      () => this.#strip(LAR) && this.attempt(() => this.#stripKi()),
      () =>
        this.#strip(NCA) &&
        this.attempt(() =>
          this.first(
            () => this.#strip(LARI),
            () => this.#stripOwner(),
            () => this.#strip(LAR) && this.#stripKi(),
          ),
        ),
      () =>
        this.mark() &&
        this.#one(NDA, NA) &&
        this.first(
          () => this.#one(LARI) && this.delete(),
          () => this.#one(SU) && this.delete() && this.#stripPlural(),
          () => this.#stripKi(),
        ),
      () =>
        this.mark() &&
        this.#one(NDAN, NU) &&
        this.first(
          () => this.#one(SU) && this.delete() && this.#stripPlural(),
          () => this.#one(LARI),
        ),
      () =>
        this.#strip(DAN) &&
        this.attempt(
          () =>
            this.mark() &&
            this.first(
              () => this.#one(POSSESSIVE) && this.delete() && this.#stripPlural(),
              () => this.#one(LAR) && this.delete() && this.attempt(() => this.#stripKi()),
              () => this.#stripKi(),
            ),
        ),
      () =>
        this.#strip(NUN, YLA) &&
        this.attempt(() =>
          this.first(
            () => this.#strip(LAR) && this.#stripKi(),
            () => this.#stripOwner(),
            () => this.#stripKi(),
          ),
        ),
      () => this.#strip(LARI),
      () => this.#stripKi(),
      () =>
        this.#strip(DA, YU, YA) &&
        this.attempt(() => {
          this.mark()
          const before = this.first(
            () => this.#one(POSSESSIVE) && this.delete() && this.attempt(() => this.mark() && this.#one(LAR)),
            () => this.#one(LAR),
          )
          return before && this.delete() && this.mark() && this.#stripKi()
        }),
      () => this.#stripOwner(),
    )
  }

  /** Whose it is, and a plural before it. */
  #stripOwner(): boolean {
    return this.#strip(POSSESSIVE, SU) && this.#stripPlural()
  }

  #stripPlural(): boolean {
    return this.attempt(() => this.#strip(LAR) && this.#stripKi())
  }

  /** Chains of suffixes that end on -ki. */
  #stripKi(): boolean {
    return (
      this.mark() &&
      this.#one(KI) &&
      this.first(
        () =>
          this.#one(DA) &&
          this.delete() &&
          this.attempt(
            () =>
              this.mark() &&
              this.first(
                () => this.#one(LAR) && this.delete() && this.attempt(() => this.#stripKi()),
                () => this.#one(POSSESSIVE) && this.delete() && this.#stripPlural(),
              ),
          ),
        () =>
          this.#one(NUN) &&
          this.delete() &&
          this.attempt(
            () =>
              this.mark() &&
              this.first(
                () => this.#one(LARI) && this.delete(),
                () => this.#stripOwner(),
                () => this.#stripKi(),
              ),
          ),
        () =>
          this.#one(NDA) &&
          this.first(
            () => this.#one(LARI) && this.delete(),
            () => this.#one(SU) && this.delete() && this.#stripPlural(),
            () => this.#stripKi(),
          ),
      )
    )
  }

  /** One of the suffixes, which goes. */
  #strip(...suffixes: readonly Suffix[]): boolean {
    return this.mark() && this.#one(...suffixes) && this.delete()
  }

  /** Goes past the first of the suffixes that stands here. */
  #one(...suffixes: readonly Suffix[]): boolean {
    return this.first(...suffixes.map((one) => () => this.#past(one)))
  }

  #past({ forms, agrees, joint }: Suffix): boolean {
    if (agrees && !this.#agrees()) return false
    if (!this.longest(forms)) return false
    if (joint === '') return true
    const before = this.at(1)
    const isVowel = before !== '' && VOWELS.includes(before)
    // A vowel joins behind a consonant, a consonant behind a vowel.
    if (before === '' || isVowel === (joint === HIGH_VOWELS)) return false
    if (joint.includes(this.at(0))) this.position++
    return true
  }

  /** Whether a vowel somewhere before agrees with the last one. */
  #agrees(): boolean {
    const text = Array.from(this.word.slice(0, this.word.length - this.position))
    const at = text.findLastIndex((char) => VOWELS.includes(char))
    const before = at < 0 ? '' : (HARMONY[text[at] as string] as string)
    return text.slice(0, Math.max(at, 0)).some((char) => before.includes(char))
  }
}
