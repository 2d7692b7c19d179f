/** The sign of no vowel. */
const PULLI = '்'
const HARD = '[கசடதபற]'
const SIGN = '[ாிீெேுூை]'
/** Shorter words are not taken apart. */
const LEAST = 5
/** Longer ones are no words: each ending that is taken away would be a way through all of it. */
const LONGEST = 1_000

/** An ending and what stands in its place. The first of a list that fits is taken. */
type Rule = readonly [ending: RegExp, place: string]

/** Rules for endings that all leave the same: each as it is written, and where needed what must not be or be in front of it. */
function rules(place: string, ...endings: readonly (string | readonly [before: string, ending: string])[]): Rule[] {
  return endings.map((one) => {
    const [before, ending] = typeof one === 'string' ? ['', one] : one
    return [new RegExp(`${before}(?:${ending})$`), place]
  })
}

const not = (before: string): string => `(?<!${before})`
const after = (before: string): string => `(?<=${before})`

/** What the join to a suffix left at the end of a word. */
const JOINTS: readonly Rule[] = [
  ...rules('', 'ந்(?:த்?)?', [after('[ைிீ]'), 'ய்']),
  ...rules('ள்', 'ட்[பக]்'),
  ...rules('ல்', 'ன்ற்', 'ற்க்'),
  ...rules('டு', 'ட்ட்'),
]
/** Where a case was taken away. */
const JOINT_OF_CASE: Rule = [/(?<!ை)த்த்$/, 'ம்']
const FURTHER_JOINTS: readonly Rule[] = [
  ...rules(PULLI, 'ுக்(?:க்)?'),
  ...rules('', `${HARD}்${HARD}்`, `${HARD}்`),
  ...rules(PULLI, '்[யரலவழளஙஞணநமன]்'),
  ...rules('', 'வ்|[வய]', [not(SIGN), 'னு']),
  ...rules('ம்', [not('ை'), 'ங்']),
  ...rules('', 'ங்', [after(`${SIGN}|்`), PULLI]),
]

const ATTACHED_WORDS: readonly Rule[] = [
  ...rules(PULLI, 'ுடன்', 'ில்லை', 'ிடம்', 'ின்றி', 'ாகி', 'ாகிய', 'ென்று', 'ுள்ள', 'ுடைய', 'ுடை', 'ெனும்'),
  ...rules(PULLI, [not(SIGN), 'ல்ல'], 'ென'),
  ...rules('', 'படு|பட்ட|பட்டு|பட்டது|பட்டண|குரிய|பற்றி|விடு|விட்டு|படிதான|படி|தான|ெல்லாம்'),
]

const CASES: readonly Rule[] = [
  ...rules('', 'னை'),
  ...rules(PULLI, [not(HARD), 'ினை'], [not(`ின|${HARD}`), 'ை'], [after(`்${HARD}`), 'ை']),
  ...rules(PULLI, 'ொடு', 'ோடு', 'ில்', 'ிற்', [not('ம'), 'ின்'], 'ின்று', 'ிருந்து', 'விட', [after('^.{3,}'), 'ிடம்']),
  ...rules(PULLI, 'ால்', 'ுடை', 'ாமல்', [not(SIGN), 'ல்'], 'ுள்'),
  ...rules('', 'கண்', 'முன்', 'மேல்', 'மேற்', 'கீழ்', 'பின்', [not(SIGN), 'து']),
  ...rules('ி', 'ீ'),
]

const PLURALS: readonly Rule[] = [
  ...rules(PULLI, [not(HARD), 'ுங்கள்']),
  ...rules('ல்', 'ற்கள்'),
  ...rules('ள்', 'ட்கள்'),
  ...rules('', 'கள்'),
]

const TENSES: readonly Rule[] = [
  ...rules('', 'கொண்டிர்|படு', 'மார்', 'மின்', 'னன்', 'னான்', 'னாள்', 'னார்', [not('[அஆஇஈஉஊஎஏஐஒஓஔ]'), 'வன்']),
  ...rules('', '[னவ]ள்', '[னவ]ர்', '[னபகதய]', 'ப[னளர]்', [not(SIGN), 'து'], 'ிற்று', '[பன]ம்', '[தறக]ும்', 'னென்', '[னவ]ை'),
  ...rules(PULLI, [not('ச'), 'ான்'], 'ா[ளர]்', 'ேன்', 'ா', '[ாெேோ]ம்', 'டும்', 'ாய்', 'னிர்', 'ீர்', 'ீயர்'),
  ...rules('', [after(PULLI), '[கத]ு']),
]
const PARTICIPLES: readonly Rule[] = rules('', '(?:ாநின்ற|கின்ற|கிற)்?')

/**
 * The Snowball stemmer of Tamil.
 *
 * @source Snowball, «Tamil stemmer» (Damodharan Rajalingam)
 */
export function stemTamil(word: string): string {
  if (word.length > LONGEST) return word
  let stem = fixed(word, false) ?? word
  if (stem.length < LEAST) return stem
  stem = withoutPrefix(withoutPrefix(stem, /^எ[கசதவநபமயஙஞ]்/), /^[அஇஉ][கசதவநபமயஙஞ]்/)
  if (stem.length >= LEAST) stem = allFixed(stem.replace(/[ோோ]$/, PULLI), false)
  if (stem.length >= LEAST && stem.endsWith('ும்')) {
    stem = stem.replace(/ும்$/, PULLI)
    stem = fixed(stem, false) ?? stem
  }
  const plain = cut(stem, ATTACHED_WORDS)
  if (stem.length >= LEAST && plain !== undefined) stem = allFixed(plain, false)
  const base = stem.length >= LEAST ? cut(stem, CASES) : undefined
  const hasCase = base !== undefined
  if (base !== undefined) stem = allFixed(base.replace(/ின்$/, PULLI), hasCase)
  stem = cut(stem, PLURALS) ?? stem
  if (stem.length >= LEAST) stem = stem.replace(/[பவ]ி$/, '')
  for (let isFound = true; isFound && stem.length >= LEAST; ) {
    const withoutTense = cut(stem, TENSES)
    const withoutParticiple = cut(withoutTense ?? stem, PARTICIPLES)
    isFound = withoutTense !== undefined || withoutParticiple !== undefined
    stem = allFixed(withoutParticiple ?? withoutTense ?? stem, hasCase)
  }
  return stem
}

/** Undefined: no rule fits. */
function cut(word: string, list: readonly Rule[]): string | undefined {
  for (const [ending, place] of list) if (ending.test(word)) return word.replace(ending, place)
  return undefined
}

/** A word without what a join left at its end, once; undefined: there is nothing. */
function fixed(word: string, hasCase: boolean): string | undefined {
  if (word.length < 4) return undefined
  return cut(word, JOINTS) ?? (hasCase ? cut(word, [JOINT_OF_CASE]) : undefined) ?? cut(word, FURTHER_JOINTS)
}

function allFixed(word: string, hasCase: boolean): string {
  let stem = word
  for (let next = fixed(stem, hasCase); next !== undefined; next = fixed(stem, hasCase)) stem = next
  return stem
}

const VOWELS_AT_START: Readonly<Record<string, string>> = { வோ: 'ஓ', வொ: 'ஒ', வு: 'உ', வூ: 'ஊ' }

function withoutPrefix(word: string, prefix: RegExp): string {
  if (!prefix.test(word)) return word
  const rest = word.replace(prefix, '')
  const vowel = VOWELS_AT_START[rest.slice(0, 2)]
  return vowel === undefined ? rest : vowel + rest.slice(2)
}
