import { SuffixTable, suffixList } from './suffix-table.ts'

const HINDI = [
  'ाइयाँ ाइयां ाइयों ाऊंगा ाऊंगी ाएंगी ाएंगे ताएं ताओं नाएं नाओं ाएगा ाएगी ाओगी ाओगे ातीं',
  'ियाँ ियां ियों ूंगा ूंगी ेंगी ेंगे तीं ाइए ाईं ाएं ाओं ाकर ाता ाती ाते ाना ाने ाया ुआं ुएं',
  'ुओं ेगा ेगी ोगी ोगे कर ता ती ते ना नी ने ाँ ां ाई ाए ाओ िए ीं ें ों ा ि ी ु ू े ो',
].flatMap((line) => line.split(' '))

/** Signs of vowels, and the letters of the same. */
const SIGNS = '\u093e\u093f\u0940\u0941\u0942\u0947\u094b'
const LETTERS = 'आइईउऊएओ'
const CONSONANT = /[\u0915-\u0939\u093c\u0958-\u095f]/

/** Endings that begin with a consonant stand for such with the vowel in it, and follow another. */
const isAfterConsonant = (ending: string): boolean => CONSONANT.test(ending.charAt(0))

/** As they are after consonants, and with the letter of the vowel that they begin with; also the sign of no vowel at all. The longest first. */
const HINDI_ENDINGS = [
  '\u094d',
  'अ',
  ...HINDI,
  ...HINDI.map((ending) =>
    isAfterConsonant(ending) ? `अ${ending}` : `${LETTERS[SIGNS.indexOf(ending.charAt(0))]}${ending.slice(1)}`,
  ),
].sort((one, other) => other.length - one.length)

/**
 * The Snowball stemmer of Hindi: the longest ending that leaves a letter.
 *
 * @source Snowball, «Hindi stemmer» (after Ramanathan and Rao, «A Lightweight Stemmer for Hindi»)
 */
export function stemHindiBySnowball(word: string): string {
  const ending = HINDI_ENDINGS.find((one) => {
    const left = word.length - one.length
    if (left < 1 || !word.endsWith(one)) return false
    return !isAfterConsonant(one) || (left > 1 && CONSONANT.test(word.charAt(left - 1)))
  })
  return ending === undefined ? word : word.slice(0, -ending.length)
}

/** Postpositions of Nepali; those that follow a vowel stay. */
const POSTPOSITIONS = new SuffixTable([
  ['cut', 'द्वारा मार्फत सँगै पछि लाइ लाई सँग संग मा मै रत ले'],
  ['cut but after a vowel', 'को का कि की कै'],
])

/** Endings of Nepali's verbs. */
const OF_VERBS = suffixList(
  [
    'थिइस् नेछन् नेछस् हुनेछ हुन्छ इएका इएकी इएको इछन् इछस् इन्छ एछन् एछस् छिन् छेस् छ्यौ थिन्',
    'थियो थियौ थिस् थ्यो थ्यौ दियो देखि देखी नेका नेकै नेको नेछु नेछौ माथि लान् होस् िएका िएकी',
    'िएको िछन् िछस् िन्छ ेछन् ेछस् इछौ इदा इदै इदो इयो इस् एका एकी एकै एको एछु एछौ छन् छस् थिए',
    'नेछ पर् भयो हरु हरू िछौ िदा िदै िदो ियो िस् ेका ेकी ेकै ेको ेछु ेछौ इछ एछ छु छे छौ थी थे',
    'दा दी दै दो नु ने यो यौ िछ ेछ छ',
  ].join(' '),
)

/**
 * The Snowball stemmer of Nepali.
 *
 * @source Snowball, «Nepali stemmer» (Shrestha, Bartunov, Dhakal)
 */
export function stemNepali(word: string): string {
  let stem = withoutPostposition(word)
  for (;;) {
    stem = withoutNasal(stem)
    const ending = OF_VERBS.find(stem)
    if (ending === undefined) return stem
    stem = stem.slice(0, ending.start)
  }
}

function withoutPostposition(word: string): string {
  const found = POSTPOSITIONS.find(word)
  if (found === undefined) return word
  const stem = word.slice(0, found.start)
  return found.action === 'cut but after a vowel' && /[एे]$/.test(stem) ? word : stem
}

/** Without a sign at the end that goes before what is in front of it does. */
const withoutNasal = (word: string): string =>
  /(?:यौ|छौ|नौ|थे)[ँं]$/.test(word) || /त्रै$/.test(word) ? word.slice(0, -1) : word
