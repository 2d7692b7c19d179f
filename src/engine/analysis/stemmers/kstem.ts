import { readFileSync } from 'node:fs'

/** What is known of a word. */
interface Entry {
  /** The stem, where it is not the word itself. */
  readonly stem: string | undefined
  /** Stays as it is, but is no stem of others: `node`, not of `noded`. */
  readonly isException: boolean
}

/** Longer words are none that it knows. */
const LONGEST = 49

let loaded: ReadonlyMap<string, Entry> | undefined

/** The known words, read when the first word is stemmed: 28,000 of them. */
function words(): ReadonlyMap<string, Entry> {
  if (loaded !== undefined) return loaded
  const known: Entry = { stem: undefined, isException: false }
  const exception: Entry = { stem: undefined, isException: true }
  const text = readFileSync(new URL('../../../../data/stemming/kstem.words', import.meta.url), 'utf8')
  const made = new Map<string, Entry>()
  for (const line of text.trimEnd().split('\n')) {
    const [word, stem] = line.split(' ') as [string, string?]
    if (word.startsWith('!')) made.set(word.slice(1), exception)
    else made.set(word, stem === undefined ? known : { stem, isException: false })
  }
  loaded = made
  return made
}

/**
 * Krovetz's English stemmer: takes endings off while what remains is a word that it knows.
 *
 * @source R. Krovetz, «Viewing morphology as an inference process», 1993, as Lucene's KStemmer does it; words of CIIR,
 *         University of Massachusetts
 */
export function stemKrovetz(word: string): string {
  if (word.length < 3 || word.length > LONGEST) return word
  const entry = words().get(word)
  if (entry !== undefined) return entry.stem ?? word
  return /^[a-z]+$/.test(word) ? new Attempt(word).stem() : word
}

const isConsonant = (word: string, at: number): boolean =>
  word[at] === 'y' ? at === 0 || !isConsonant(word, at - 1) : !'aeiou'.includes(word[at] as string)

const hasVowel = (word: string): boolean => {
  for (let at = 0; at < word.length; at++) if (!isConsonant(word, at)) return true
  return false
}

const endsDoubled = (word: string): boolean =>
  word.length > 1 && word.at(-1) === word.at(-2) && isConsonant(word, word.length - 1)

/** Takes the endings off one word, one kind after the other, until it comes upon one that is known. */
class Attempt {
  #word: string
  #entry: Entry | undefined

  constructor(word: string) {
    this.#word = word
  }

  stem(): string {
    const found =
      this.#plural() ||
      this.#past() ||
      this.#participle() ||
      this.#ity() ||
      this.#removed('ness', (rest) => (rest.endsWith('i') ? `${rest.slice(0, -1)}y` : rest)) ||
      this.#ion() ||
      this.#agent() ||
      this.#ly() ||
      this.#al() ||
      this.#ive() ||
      this.#ize() ||
      this.#kept('ment', (rest) => [rest]) ||
      this.#able() ||
      this.#removed('ism', (rest) => rest) ||
      this.#kept('ic', (rest) => [`${rest}ical`, `${rest}y`, `${rest}e`, rest]) ||
      this.#ncy() ||
      this.#nce()
    return (found ? this.#entry?.stem : undefined) ?? this.#word
  }

  /** What stands before an ending, unless it is the whole word. */
  #before(ending: string): string | undefined {
    const { length } = this.#word
    return length > ending.length && this.#word.endsWith(ending)
      ? this.#word.slice(0, length - ending.length)
      : undefined
  }

  /** Whether this form is known; it is the word from now on. */
  #try(form: string): boolean {
    this.#word = form
    this.#entry = words().get(form)
    return this.#entry !== undefined
  }

  /** As {@link Attempt.#try}, but for words that are none of others. */
  #tryStem(form: string): boolean {
    return this.#try(form) && this.#entry?.isException === false
  }

  /** Tries the forms in order; the last of them stays where none is known. */
  #tryAll(...forms: readonly string[]): boolean {
    return forms.some((form) => this.#try(form))
  }

  /** An ending that stays where none of the forms is known. */
  #kept(ending: string, forms: (rest: string) => readonly string[]): boolean {
    const rest = this.#before(ending)
    if (rest === undefined) return false
    const whole = this.#word
    if (this.#tryAll(...forms(rest))) return true
    this.#word = whole
    return false
  }

  /** An ending that goes, known or not. */
  #removed(ending: string, form: (rest: string) => string): boolean {
    const rest = this.#before(ending)
    return rest !== undefined && this.#try(form(rest))
  }

  #plural(): boolean {
    const ies = this.#before('ies')
    if (ies !== undefined) return this.#tryAll(`${ies}ie`, `${ies}y`)
    const es = this.#before('es')
    if (es !== undefined) {
      const isDoubled = es.length === 1 || es.endsWith('ss')
      return isDoubled ? this.#tryAll(es, `${es}e`) : this.#tryAll(`${es}e`, es, `${es}e`)
    }
    const { length } = this.#word
    if (length < 4 || !this.#word.endsWith('s') || /(?:ss|.ous)$/.test(this.#word)) return false
    return this.#try(this.#word.slice(0, -1))
  }

  #past(): boolean {
    if (this.#word.length < 5) return false
    const ied = this.#before('ied')
    if (ied !== undefined) return this.#tryAll(`${ied}ie`, `${ied}y`)
    const rest = this.#before('ed')
    if (rest === undefined || !hasVowel(rest)) return false
    if (this.#tryStem(`${rest}e`) || this.#try(rest)) return true
    if (endsDoubled(rest)) return this.#tryAll(rest.slice(0, -1), rest)
    this.#word = rest.startsWith('un') ? `${rest}ed` : `${rest}e`
    return false
  }

  #participle(): boolean {
    if (this.#word.length < 6) return false
    const rest = this.#before('ing')
    if (rest === undefined || !hasVowel(rest)) return false
    if (this.#tryStem(`${rest}e`) || this.#try(rest)) return true
    if (endsDoubled(rest)) return this.#tryAll(rest.slice(0, -1), rest)
    const { length } = rest
    const isCluster = length > 1 && isConsonant(rest, length - 1) && isConsonant(rest, length - 2)
    this.#word = isCluster ? rest : `${rest}e`
    return false
  }

  #ity(): boolean {
    const rest = this.#before('ity')
    if (rest === undefined) return false
    if (this.#tryAll(rest, `${rest}e`)) return true
    if (rest.endsWith('il')) return this.#try(`${rest.slice(0, -2)}le`)
    if (rest.endsWith('iv')) return this.#try(`${rest}e`)
    if (rest.endsWith('al')) return this.#try(rest)
    if (this.#try(`${rest}ity`)) return true
    this.#word = rest
    return false
  }

  #ion(): boolean {
    if (this.#before('ion') === undefined) return false
    const ization = this.#before('ization')
    if (ization !== undefined) return this.#try(`${ization}ize`)
    return (
      this.#kept('ition', (rest) => [`${rest}e`]) ||
      this.#kept('ation', (rest) => [`${rest}ate`, `${rest}e`, rest]) ||
      this.#kept('ication', (rest) => [`${rest}y`]) ||
      this.#kept('ion', (rest) => [`${rest}e`, rest])
    )
  }

  /** `-er` and `-or`: who does it, or what does it more. */
  #agent(): boolean {
    const izer = this.#before('izer')
    if (izer !== undefined) return this.#try(`${izer}ize`)
    const forms = (ending: 'er' | 'or') => (rest: string) => {
      const short = rest.slice(0, -1)
      const isIer = rest.endsWith('i')
      return [
        ...(endsDoubled(rest) ? [short] : []),
        ...(isIer ? [`${short}y`] : []),
        ...(rest.endsWith('e') ? [short] : []),
        // The original writes an e where it looked for a y.
        isIer ? `${rest}e` : `${rest}${ending[0]}`,
        rest,
        `${rest}e`,
      ]
    }
    return this.#kept('er', forms('er')) || this.#kept('or', forms('or'))
  }

  #ly(): boolean {
    const rest = this.#before('ly')
    if (rest === undefined) return false
    if (this.#tryAll(`${rest}le`, rest)) return true
    const isLong = rest.length > 1
    if (isLong && rest.endsWith('al')) return false
    if (isLong && rest.endsWith('ab')) {
      this.#word = `${rest}le`
      return false
    }
    if (rest.endsWith('i') && this.#try(`${rest.slice(0, -1)}y`)) return true
    this.#word = rest
    return false
  }

  #al(): boolean {
    if (this.#word.length < 4) return false
    const rest = this.#before('al')
    if (rest === undefined) return false
    const short = rest.slice(0, -1)
    if (this.#tryAll(rest, ...(endsDoubled(rest) ? [short] : []), `${rest}e`, `${rest}um`)) return true
    this.#word = `${rest}al`
    if (rest.endsWith('ic')) {
      const stem = rest.slice(0, -2)
      return this.#tryAll(stem, `${stem}y`, `${stem}ic`)
    }
    return rest.endsWith('i') && this.#tryAll(short, `${rest}al`)
  }

  #ive(): boolean {
    // What the endings before have left is known by now, or is tried here for the first time.
    const known = words().get(this.#word)
    const isWord = known?.isException === false
    if (this.#before('ive') === undefined) {
      if (isWord) this.#entry = known
      return isWord
    }
    return this.#kept('ive', (rest) => {
      const stem = rest.endsWith('at') ? rest.slice(0, -2) : undefined
      return [rest, `${rest}e`, ...(stem === undefined ? [] : [`${stem}e`, stem]), `${rest}ion`]
    })
  }

  #ize(): boolean {
    return this.#kept('ize', (rest) => [rest, ...(endsDoubled(rest) ? [rest.slice(0, -1)] : []), `${rest}e`])
  }

  #able(): boolean {
    return this.#kept('ble', (before) => {
      if (!/[ai]$/.test(before)) return []
      const rest = before.slice(0, -1)
      return [rest, ...(endsDoubled(rest) ? [rest.slice(0, -1)] : []), `${rest}e`, `${rest}ate`]
    })
  }

  #ncy(): boolean {
    const rest = this.#before('ncy')
    return rest !== undefined && /[ae]$/.test(rest) && this.#tryAll(`${rest}nt`, `${rest}nce`)
  }

  #nce(): boolean {
    return this.#kept('nce', (before) => {
      const rest = before.slice(0, -1)
      return /[ae]$/.test(before) ? [`${rest}e`, rest] : []
    })
  }
}
