import { regionAfterConsonant, regionAfterVowel } from './regions.ts'
import { SuffixTable, suffixList } from './suffix-table.ts'

const VOWELS = 'аеиоуыэюя'
/** `ая`: only behind one of these letters. */
const GERUNDS = new SuffixTable([
  ['ая', 'в вши вшись'],
  ['', 'ив ыв ивши ывши ившись ывшись'],
])
const ADJECTIVES = suffixList('ее ие ое ые ими ыми ей ий ой ый ем им ом ым его ого ему ому их ых ею ою ую юю ая яя')
const PARTICIPLES = new SuffixTable([
  ['ая', 'ем нн вш щ ющ'],
  ['', 'ивш ывш ующ'],
])
const VERBS = new SuffixTable([
  ['ая', 'ла на ете йте ли й л ем н ло но нно ет ют ны ть ешь'],
  ['', 'ила ыла ена ите ейте уйте или ыли ей уй ил ыл им ым ен ило ыло ено ует ит ыт уют ят ены ить ыть ишь ю ую'],
])
const NOUNS = suffixList(
  'а ев ов е ие ье и еи ии ами ями иями й ей ией ий ой ам ем ием ом ям иям о у ах ях иях ы ь ю ию ью я ия ья',
)

/** The Russian stemmer. @source snowballstem.org, as of Lucene 7.7.3 */
export function stemRussian(word: string): string {
  const rv = regionAfterVowel(word, VOWELS)
  const r2 = regionAfterConsonant(word, VOWELS, regionAfterConsonant(word, VOWELS))
  let w = strip(word, GERUNDS, rv) ?? stripInflection(word, rv)
  if (w.endsWith('и') && w.length - 1 >= rv) w = w.slice(0, -1)
  const derived = /(?:ость|ост)$/.exec(w)
  if (derived !== null && derived.index >= rv && derived.index >= r2) w = w.slice(0, derived.index)
  return tidy(w, rv)
}

/** The Russian stemmer to which ё is as good as е. @source snowballstem.org, as of Lucene 9.12.2 */
export const stemRussianWithoutDiaereses = (word: string): string => stemRussian(word.replaceAll('ё', 'е'))

function strip(w: string, table: SuffixTable<string>, rv: number): string | undefined {
  const found = table.find(w, rv)
  if (found === undefined) return undefined
  if (found.action !== '' && (found.start <= rv || !/[ая]/.test(w[found.start - 1] as string))) return undefined
  return w.slice(0, found.start)
}

function stripInflection(word: string, rv: number): string {
  const w = /с[ья]$/.test(word) && word.length - 2 >= rv ? word.slice(0, -2) : word
  const adjective = ADJECTIVES.find(w, rv)
  if (adjective !== undefined) {
    const stem = w.slice(0, adjective.start)
    return strip(stem, PARTICIPLES, rv) ?? stem
  }
  return strip(w, VERBS, rv) ?? cut(w, NOUNS.find(w, rv)?.start)
}

const cut = (w: string, at: number | undefined): string => (at === undefined ? w : w.slice(0, at))

function tidy(w: string, rv: number): string {
  const superlative = /ейше?$/.exec(w)
  if (superlative !== null && superlative.index >= rv) {
    const stem = w.slice(0, superlative.index)
    return stem.endsWith('нн') && stem.length - 2 >= rv ? stem.slice(0, -1) : stem
  }
  if (w.endsWith('нн') && w.length - 2 >= rv) return w.slice(0, -1)
  return w.endsWith('ь') && w.length - 1 >= rv ? w.slice(0, -1) : w
}
