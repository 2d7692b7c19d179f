/** What a word is taken for by how it begins. */
interface Kind {
  readonly isVerb: boolean
  readonly isDefined: boolean
}

/** Letters that stand for hamza and their carriers, and what is left of the hamza at a word's end and within. */
const HAMZA_AT_END = /[أإآؤئ]$/
const HAMZA_WITHIN: Readonly<Record<string, string>> = { أ: 'ا', إ: 'ا', آ: 'ا', ؤ: 'و', ئ: 'ي' }

/**
 * The Snowball stemmer of Arabic.
 *
 * @source Snowball, «Arabic stemmer» (Assem Chelli, Abdelkrim Aries)
 */
export function stemArabicBySnowball(word: string): string {
  const kind = kindOf(word)
  const stem = withoutPrefixes(withoutSuffixes(plainLetters(word), kind), kind)
  return stem.replace(HAMZA_AT_END, 'ء').replace(/[أإآؤئ]/g, (letter) => HAMZA_WITHIN[letter] as string)
}

/** An article makes it a noun. */
function kindOf(word: string): Kind {
  const isDefined = /^(?:بال|كال)/.test(word) ? word.length > 4 : /^(?:لل|ال)/.test(word) && word.length > 3
  return { isVerb: !isDefined, isDefined }
}

/** Without vowel signs and lengthening, digits of Europe, letters in their plain forms. */
function plainLetters(word: string): string {
  return word
    .replace(/[\u0640\u064b-\u0652]/g, '')
    .replace(/[\ufe80-\ufefc]/g, (shape) => shape.normalize('NFKC'))
    .replace(/[\u0660-\u0669]/g, (digit) => String(digit.charCodeAt(0) - 0x660))
}

/** Endings, the longest first, with how long a word must be to lose them. */
type Endings = readonly (readonly [ending: string, minLength: number])[]

const endings = (...rules: readonly (readonly [minLength: number, endings: string])[]): Endings =>
  rules
    .flatMap(([minLength, some]) => some.split(' ').map((ending) => [ending, minLength] as const))
    .sort(([one], [other]) => other.length - one.length)

const ofVerbs = {
  objects: endings([4, 'ه ك'], [5, 'ني نا ها هم هن كم كن'], [6, 'هما كما كمو']),
  persons: endings([4, 'ت ا ن ي'], [5, 'نا تا تن'], [6, 'ان ون ين تما']),
  plurals: endings([5, 'وا تم']),
  pluralsWithin: endings([4, 'و'], [6, 'تمو']),
}

const ofNouns = {
  owners: endings([4, 'ي ك ه'], [5, 'نا كم ها هن هم'], [6, 'كما هما']),
  n: endings([6, 'ن']),
  vowels: endings([5, 'ا ي و']),
  plural: endings([5, 'ات']),
  t: endings([4, 'ت']),
  feminine: endings([4, 'ة']),
  relation: endings([3, 'ي']),
}

/**
 * A word that loses endings, as Snowball's programs take them: the longest that fits decides, whether the word is long enough for it
 * or not, and what was taken off stays off where the way there turns out to be wrong.
 */
class ShrinkingWord {
  text: string

  constructor(text: string) {
    this.text = text
  }

  /** @param before  letters at the end that are passed over */
  loses(endings: Endings, before = 0): boolean {
    const { text } = this
    const end = text.length - before
    const found = endings.find(([ending]) => text.endsWith(ending, end))
    if (found === undefined || text.length < found[1]) return false
    this.text = text.slice(0, end - found[0].length) + text.slice(end)
    return true
  }
}

function withoutSuffixes(text: string, kind: Kind): string {
  const word = new ShrinkingWord(text)
  if (kind.isVerb && losesOfVerbs(word)) return word.text
  if (losesOfNouns(word, kind)) return word.text
  return word.text.replace(/ى$/, 'ي')
}

function losesOfVerbs(word: ShrinkingWord): boolean {
  const { objects, persons, plurals, pluralsWithin } = ofVerbs
  if (!word.loses(objects)) return word.loses(plurals) || word.loses(persons)
  while (word.loses(objects));
  if (!word.loses(persons)) word.loses(pluralsWithin)
  return true
}

function losesOfNouns(word: ShrinkingWord, { isDefined }: Kind): boolean {
  const { owners, n, vowels, plural, t, feminine, relation } = ofNouns
  const losesInner = (): boolean => word.loses(vowels) || word.loses(plural) || word.loses(t)
  let before = 0
  if (!word.loses(feminine)) {
    // Where an owner alone is told, what is looked for next stands a letter further in.
    if (!isDefined && word.loses(owners)) before = losesInner() ? 0 : 1
    else if (!(word.loses(n) && losesInner()) && !(!isDefined && word.loses(vowels))) word.loses(plural)
  }
  return word.loses(relation, before)
}

function withoutPrefixes(text: string, kind: Kind): string {
  let word = text
  // Where a prefix was replaced, those behind it are looked for behind what replaced it.
  let at = 0
  const isLong = (most: number): boolean => word.length > most
  const doubled = /^أ([أآؤاإ])/.exec(word)
  if (doubled !== null && isLong(3)) {
    word = (doubled[1] === 'ؤ' ? 'أ' : (doubled[1] as string)) + word.slice(2)
    at = 1
  }
  const cut = (count: number, by = ''): void => {
    word = word.slice(0, at) + by + word.slice(at + count)
  }
  const begins = (...prefixes: string[]): boolean => prefixes.some((prefix) => word.startsWith(prefix, at))
  if (!begins('فا', 'وا') && begins('ف', 'و') && isLong(3)) cut(1)
  if (begins('بال', 'كال')) {
    if (isLong(5)) {
      cut(3)
      return word
    }
  } else if (begins('لل', 'ال') && isLong(4)) {
    cut(2)
    return word
  }
  // What begins with a doubled letter keeps one of them, with a single one none.
  if (!begins('با') && begins('ب', 'كك') && isLong(3)) {
    cut(1)
    return word
  }
  if (!kind.isVerb) return word
  if (begins('سي', 'ست', 'سن', 'سأ') && isLong(4)) {
    cut(1)
    at++
  }
  if (begins('يست', 'نست', 'تست') && isLong(4)) cut(3, 'است')
  return word
}
