import { regionAfterConsonant, regionAfterVowel } from './regions.ts'
import { SuffixTable } from './suffix-table.ts'

const VOWELS = 'aeiouáéíóú'
/** Mutated beginnings and what they come from. */
const MUTATIONS: readonly (readonly [string, string])[] = [
  ["d'fh", 'f'],
  ['bhf', 'f'],
  ...['h-', 'n-', 't-', "d'", "b'", "m'"].map((prefix) => [prefix, ''] as const),
  ['sh', 's'],
  ['mb', 'b'],
  ['gc', 'c'],
  ['nd', 'd'],
  ['ng', 'g'],
  ['bp', 'p'],
  ['ts', 's'],
  ['dt', 't'],
  ...['b', 'c', 'd', 'f', 'g', 'm', 'p', 't'].map((letter) => [`${letter}h`, letter] as const),
]
const NOUNS = new SuffixTable([
  ['R1', 'íochta aíochta abh eabh ibh aibh amh eamh imh aimh íocht aíocht'],
  ['R2', 'ire aire irí airí'],
])
const DERIVATIONS = new SuffixTable([
  ['R2', 'achta eachta ach each achtúil eachtúil acht eacht'],
  ['arc', 'arcachta arcacht arcachtaí'],
  ['gin', 'gineach gineas ginis'],
  ['graf', 'grafaíochta grafaíoch grafaíocht grafaíochtaí'],
  ['paite', 'patacha paite patach pataigh'],
  ['óid', 'óideacha óideach óidigh'],
])
const VERBS = new SuffixTable([
  ['RV', 'imid aimid ímid aímid faidh fidh'],
  ['R1', 'adh eadh áil ain tear tar'],
])

/** The Irish stemmer. @source snowballstem.org (Jim O'Regan), as of Lucene 7.7.3 */
export function stemIrish(word: string): string {
  const mutation = MUTATIONS.find(([prefix]) => word.startsWith(prefix))
  let w = mutation === undefined ? word : mutation[1] + word.slice(mutation[0].length)
  const regions: Readonly<Record<string, number>> = {
    RV: regionAfterVowel(w, VOWELS),
    R1: regionAfterConsonant(w, VOWELS),
    R2: regionAfterConsonant(w, VOWELS, regionAfterConsonant(w, VOWELS)),
  }
  for (const table of [NOUNS, DERIVATIONS, VERBS]) {
    const found = table.find(w)
    if (found === undefined) continue
    const region = regions[found.action]
    if (region === undefined) w = w.slice(0, found.start) + found.action
    else if (found.start >= region) w = w.slice(0, found.start)
  }
  return w
}
