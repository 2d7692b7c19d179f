import { isVowelAt, regionAfterConsonant, regionAfterVowel } from './regions.ts'
import { SuffixTable, suffixList } from './suffix-table.ts'

const VOWELS = 'aeiouyàâèéêëîïôùû'
const STANDARD = new SuffixTable([
  ['R2', 'iqUe ance able isme iste iqUes ances ables ismes istes eux'],
  ['atrice', 'atrice ation ateur atrices ations ateurs'],
  ['log', 'logie logies'],
  ['u', 'usion ution usions utions'],
  ['ent', 'ence ences'],
  ['ement', 'ements ement'],
  ['ité', 'ités ité'],
  ['ive', 'ive if ives ifs'],
  ['eaux', 'eaux'],
  ['aux', 'aux'],
  ['euse', 'euse euses'],
  ['issement', 'issements issement'],
  ['amment', 'amment'],
  ['emment', 'emment'],
  ['ment', 'ment ments'],
])
const BEFORE_EMENT = new SuffixTable([
  ['iv', 'iv'],
  ['eus', 'eus'],
  ['cut', 'abl iqU'],
  ['ièr', 'ièr Ièr'],
])
const I_VERBS = suffixList(
  'ira ie isse issante i irai ir iras ies îmes isses issantes îtes is irais issais irions issions irons issons issants it irait issait issant iraIent issaIent irent issent iront ît iriez issiez irez issez',
)
const VERBS = new SuffixTable([
  ['ions', 'ions'],
  ['cut', 'era ée erai er eras ées erais erions erons és erait eraIent èrent eront ez iez eriez erez é'],
  ['e', 'a asse ante ai as âmes asses antes âtes ais assions ants ait ant aIent assent ât assiez'],
])
const RESIDUES = new SuffixTable([
  ['ion', 'ion'],
  ['i', 'Ière ière Ier ier'],
  ['', 'e'],
  ['gu', 'ë'],
])

/** The French stemmer. @source snowballstem.org, as of Lucene 7.7.3 and 8.7 */
export function stemFrench(word: string): string {
  return stem(mark(word))
}

/** The French stemmer since Snowball 2.0, which keeps ë and ï as vowels of their own. @source as of Lucene 9.12 */
export function stemFrenchWithDiaereses(word: string): string {
  const w = stem(mark(word).replaceAll('ë', 'He').replaceAll('ï', 'Hi'))
  return w.replace(/H[ei]?/g, (found) => ({ He: 'ë', Hi: 'ï' })[found] ?? '')
}

function stem(marked: string): string {
  let w = marked
  const rv = regionV(w)
  const r1 = regionAfterConsonant(w, VOWELS)
  const r2 = regionAfterConsonant(w, VOWELS, r1)
  const stemmed = stripStandard(w, rv, r1, r2)
  if (stemmed.removed) w = softEnd(stemmed.word)
  else {
    w = stemmed.word
    const verb = stripVerb(w, rv, r2)
    w = verb === undefined ? stripResidue(w, rv, r2) : softEnd(verb)
  }
  if (/(?:enn|onn|ett|ell|eill)$/.test(w)) w = w.slice(0, -1)
  w = w.replace(/[éè]([^aeiouyàâèéêëîïôùû]+)$/, 'e$1')
  return w.replace(/[IUY]/g, (char) => char.toLowerCase())
}

const softEnd = (w: string): string => w.replace(/Y$/, 'i').replace(/ç$/, 'c')

/** Capitals for letters that are consonants here. */
function mark(word: string): string {
  const s = word.split('')
  for (let at = 0; at < s.length; at++) {
    const char = s[at] as string
    const next = s[at + 1]
    const vowelNext = next !== undefined && VOWELS.includes(next)
    if (VOWELS.includes(char)) {
      const third = s[at + 2]
      if (next !== undefined && 'ui'.includes(next) && third !== undefined && VOWELS.includes(third)) {
        s[at + 1] = next.toUpperCase()
        at--
        continue
      }
      if (next === 'y') {
        s[at + 1] = 'Y'
        at--
        continue
      }
    }
    if (char === 'y' && vowelNext) {
      s[at] = 'Y'
      at--
    } else if (char === 'q' && next === 'u') s[at + 1] = 'U'
  }
  return s.join('')
}

function regionV(w: string): number {
  if (isVowelAt(w, 0, VOWELS) && isVowelAt(w, 1, VOWELS) && w.length > 2) return 3
  if (/^(?:par|col|tap)/.test(w)) return 3
  return w.length < 2 ? w.length : regionAfterVowel(w, VOWELS, 1)
}

function stripStandard(
  w: string,
  rv: number,
  r1: number,
  r2: number,
): { readonly word: string; readonly removed: boolean } {
  const kept = { word: w, removed: false }
  const found = STANDARD.find(w)
  if (found === undefined) return kept
  const { start, action } = found
  const stem = w.slice(0, start)
  const done = (word: string) => ({ word, removed: true })
  const inR2 = start >= r2
  switch (action) {
    case 'R2':
      return inR2 ? done(stem) : kept
    case 'atrice':
      return inR2 ? done(stripIc(stem, r2)) : kept
    case 'log':
    case 'u':
    case 'ent':
      return inR2 ? done(stem + action) : kept
    case 'ement':
      return start >= rv ? done(stripBeforeEment(stem, rv, r1, r2)) : kept
    case 'ité':
      if (!inR2) return kept
      if (stem.endsWith('abil')) return done(stem.length - 4 >= r2 ? stem.slice(0, -4) : `${stem.slice(0, -4)}abl`)
      if (stem.endsWith('iv') && stem.length - 2 >= r2) return done(stem.slice(0, -2))
      return done(stripIc(stem, r2))
    case 'ive':
      if (!inR2) return kept
      return done(stem.endsWith('at') && stem.length - 2 >= r2 ? stripIc(stem.slice(0, -2), r2) : stem)
    case 'eaux':
      return done(`${stem}eau`)
    case 'aux':
      return start >= r1 ? done(`${stem}al`) : kept
    case 'euse':
      return inR2 ? done(stem) : start >= r1 ? done(`${stem}eux`) : kept
    case 'issement':
      return start >= r1 && start > 0 && !isVowelAt(w, start - 1, VOWELS) ? done(stem) : kept
    case 'amment':
      return start >= rv ? { word: `${stem}ant`, removed: false } : kept
    case 'emment':
      return start >= rv ? { word: `${stem}ent`, removed: false } : kept
    case 'ment':
      return isVowelAt(w, start - 1, VOWELS) && start - 1 >= rv ? { word: stem, removed: false } : kept
  }
}

function stripIc(stem: string, r2: number): string {
  if (!stem.endsWith('ic')) return stem
  return stem.length - 2 >= r2 ? stem.slice(0, -2) : `${stem.slice(0, -2)}iqU`
}

function stripBeforeEment(stem: string, rv: number, r1: number, r2: number): string {
  const found = BEFORE_EMENT.find(stem)
  if (found === undefined) return stem
  const rest = stem.slice(0, found.start)
  const inR2 = found.start >= r2
  switch (found.action) {
    case 'iv':
      if (!inR2) return stem
      return rest.endsWith('at') && rest.length - 2 >= r2 ? rest.slice(0, -2) : rest
    case 'eus':
      return inR2 ? rest : found.start >= r1 ? `${rest}eux` : stem
    case 'cut':
      return inR2 ? rest : stem
    case 'ièr':
      return found.start >= rv ? `${rest}i` : stem
  }
}

function stripVerb(w: string, rv: number, r2: number): string | undefined {
  const first = I_VERBS.find(w, rv)
  const before = first === undefined || first.start === rv ? undefined : w[first.start - 1]
  if (before !== undefined && before !== 'H' && !VOWELS.includes(before)) return w.slice(0, first?.start)
  const found = VERBS.find(w, rv)
  if (found === undefined) return undefined
  const stem = w.slice(0, found.start)
  if (found.action === 'ions') return found.start >= r2 ? stem : undefined
  return found.action === 'e' && stem.endsWith('e') && stem.length > rv ? stem.slice(0, -1) : stem
}

function stripResidue(word: string, rv: number, r2: number): string {
  const w = /(?:[^aiouès]|Hi)s$/.test(word) ? word.slice(0, -1) : word
  const found = RESIDUES.find(w, rv)
  if (found === undefined) return w
  const stem = w.slice(0, found.start)
  switch (found.action) {
    case 'ion':
      return found.start >= r2 && /[st]$/.test(stem) && stem.length > rv ? stem : w
    case 'i':
      return `${stem}i`
    case '':
      return stem
    case 'gu':
      return stem.endsWith('gu') && stem.length - 2 >= rv ? stem : w
  }
}
