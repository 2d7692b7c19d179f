import { endingStemmer } from './ending-rules.ts'

const russianCase = endingStemmer([
  [6, 4, 'иями оями'],
  [5, 3, 'иям иях оях ями оям оьв ами его ему ери ими ого ому ыми оев'],
  [4, 2, 'ая яя ях юю ах ею их ия ию ьв ою ую ям ых ея ам ем ей ём ев ий им ое ой ом ов ые ый ым ми'],
  [3, 1, 'а е и й о у ы ь я'],
])

/** Savoy's light Russian stemmer. @source Lucene, RussianLightStemmer */
export function stemRussianLightly(word: string): string {
  const w = russianCase(word)
  if (w.length <= 3) return w
  return /(?:и|ь|нн)$/.test(w) ? w.slice(0, -1) : w
}

const czechCase = endingStemmer([
  [7, 5, 'atech'],
  [6, 4, 'ětem etem atům'],
  [5, 3, 'ech ich ích ého ěmi emi ému ěte ete ěti eti ího iho ími ímu imu ách ata aty ých ama ami ové ovi ými'],
  [4, 2, 'em es ém ím ům at ám os us ým mi ou'],
  [3, 1, 'a e i o u y á é í ý ě ů'],
])
const czechPossessive = endingStemmer([[5, 2, 'ov in ův']])

/** The Czech stemmer. @source Lucene, CzechStemmer (Dolamic and Savoy, «Indexing and stemming approaches for the Czech language») */
export function stemCzech(word: string): string {
  const w = czechPossessive(czechCase(word))
  if (w === '') return w
  if (w.endsWith('čt')) return `${w.slice(0, -2)}ck`
  if (w.endsWith('št')) return `${w.slice(0, -2)}sk`
  if (/[cč]$/.test(w)) return `${w.slice(0, -1)}k`
  if (/[zž]$/.test(w)) return `${w.slice(0, -1)}h`
  if (w.at(-2) === 'e') return w.slice(0, -2) + w.slice(-1)
  return w.length > 2 && w.at(-2) === 'ů' ? `${w.slice(0, -2)}o${w.slice(-1)}` : w
}

const bulgarianArticle = endingStemmer([
  [6, 3, 'ият'],
  [5, 2, 'ът то те та ия'],
  [4, 2, 'ят'],
])

function bulgarianPlural(w: string): string {
  const { length } = w
  const end = (size: number, text: string) => w.slice(0, -size) + text
  if (length > 6) {
    if (w.endsWith('овци')) return end(3, '')
    if (w.endsWith('ове')) return end(3, '')
    if (w.endsWith('еве')) return end(3, 'й')
  }
  if (length > 5) {
    if (w.endsWith('ища')) return end(3, '')
    if (w.endsWith('та')) return end(2, '')
    if (w.endsWith('ци')) return end(2, 'к')
    if (w.endsWith('зи')) return end(2, 'г')
    if (/е.и$/.test(w)) return `${w.slice(0, -3)}я${w.at(-2)}`
  }
  if (length > 4) {
    if (w.endsWith('си')) return end(2, 'х')
    if (w.endsWith('и')) return end(1, '')
  }
  return w
}

/** The Bulgarian stemmer. @source Lucene, BulgarianStemmer (Nakov, «BulStem», and Savoy) */
export function stemBulgarian(word: string): string {
  if (word.length < 4) return word
  if (word.length > 5 && word.endsWith('ища')) return word.slice(0, -3)
  let w = bulgarianPlural(bulgarianArticle(word))
  if (w.length > 3) {
    if (w.endsWith('я')) w = w.slice(0, -1)
    if (/[аое]$/.test(w)) w = w.slice(0, -1)
  }
  if (w.length > 4 && w.endsWith('ен')) w = `${w.slice(0, -2)}н`
  return w.length > 5 && w.at(-2) === 'ъ' ? w.slice(0, -2) + w.slice(-1) : w
}
