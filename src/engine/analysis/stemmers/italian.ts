import { markBetweenVowels, regionAfterConsonant, romanceRegion } from './regions.ts'
import { SuffixTable, suffixList } from './suffix-table.ts'

const VOWELS = 'aeiouàèìòù'
const MARKS = { u: { mark: 'U', beforeVowel: true }, i: { mark: 'I', beforeVowel: true } }
const PRONOUNS = suffixList(
  'la cela gliela mela tela vela le cele gliele mele tele vele ne cene gliene mene sene tene vene ci li celi glieli meli teli veli gli mi si ti vi lo celo glielo melo telo velo',
)
const STANDARD = new SuffixTable([
  [
    '',
    'ica osa ista anza ice atrice iche abile ibile ose ante mente iste anze ici atrici ichi abili ibili ismi osi anti isti ico ismo oso istà istè istì',
  ],
  ['ic', 'azione atore azioni atori'],
  ['log', 'logia logie'],
  ['u', 'usione uzione usioni uzioni'],
  ['ente', 'enza enze'],
  ['RV', 'amenti imenti amento imento'],
  ['amente', 'amente'],
  ['ità', 'ità'],
  ['ivo', 'iva ive ivi ivo'],
])
const VERBS = suffixList(
  'isca enda ata ita uta ava eva iva erebbe irebbe isce ende are ere ire asse ate avate evate ivate ete erete irete ite ereste ireste ute erai irai isci endi erei irei assi ati iti eresti iresti uti avi evi ivi isco ando endo Yamo iamo avamo evamo ivamo eremo iremo assimo ammo emmo eremmo iremmo immo ano iscano avano evano ivano eranno iranno ono iscono arono erono irono erebbero irebbero assero essero issero ato ito uto avo evo ivo ar ir erà irà erò irò',
)

/** The Italian stemmer. @source snowballstem.org, as of Lucene 7.7.3 */
export function stemItalian(word: string): string {
  const accented = word.replace(/[áéíóú]/g, (char) => 'àèìòù'['áéíóú'.indexOf(char)] as string).replaceAll('qu', 'qU')
  let w = markBetweenVowels(accented, VOWELS, MARKS)
  const rv = romanceRegion(w, VOWELS)
  const r1 = regionAfterConsonant(w, VOWELS)
  const r2 = regionAfterConsonant(w, VOWELS, r1)
  w = stripPronoun(w, rv)
  w = stripStandard(w, rv, r1, r2) ?? stripVerb(w, rv)
  w = stripVowel(w, rv)
  return w.replace(/[IU]/g, (char) => char.toLowerCase())
}

function stripPronoun(w: string, rv: number): string {
  const pronoun = PRONOUNS.find(w)
  if (pronoun === undefined) return w
  const rest = w.slice(0, pronoun.start)
  const before = /(?:ando|endo|ar|er|ir)$/.exec(rest)
  if (before === null || before.index < rv) return w
  return before[0].length === 4 ? rest : `${rest}e`
}

function stripStandard(w: string, rv: number, r1: number, r2: number): string | undefined {
  const found = STANDARD.find(w)
  if (found === undefined) return undefined
  const { start, action } = found
  const stem = w.slice(0, start)
  const cut = (text: string, suffixes: RegExp) => {
    const size = suffixes.exec(text)?.[0].length ?? 0
    return size > 0 && text.length - size >= r2 ? text.slice(0, -size) : text
  }
  if (action === 'RV') return start >= rv ? stem : undefined
  if (action === 'amente') {
    if (start < r1) return undefined
    const rest = cut(stem, /(?:iv|ic|os|abil)$/)
    return rest !== stem && stem.endsWith('iv') ? cut(rest, /at$/) : rest
  }
  if (start < r2) return undefined
  switch (action) {
    case 'ic':
      return cut(stem, /ic$/)
    case 'ità':
      return cut(stem, /(?:abil|ic|iv)$/)
    case 'ivo': {
      const rest = cut(stem, /at$/)
      return rest === stem ? stem : cut(rest, /ic$/)
    }
    default:
      return stem + action
  }
}

function stripVerb(w: string, rv: number): string {
  const found = VERBS.find(w, rv)
  return found === undefined ? w : w.slice(0, found.start)
}

function stripVowel(word: string, rv: number): string {
  let w = word
  if (/[aeioàèìò]$/.test(w) && w.length - 1 >= rv) {
    w = w.slice(0, -1)
    if (w.endsWith('i') && w.length - 1 >= rv) w = w.slice(0, -1)
  }
  return /[cg]h$/.test(w) && w.length - 2 >= rv ? w.slice(0, -1) : w
}
