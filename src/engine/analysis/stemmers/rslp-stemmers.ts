import { withoutAccents } from './ending-rules.ts'
import { rslpStep } from './rslp.ts'
import { GALICIAN_STEPS } from './rslp-galician.ts'
import { PORTUGUESE_STEPS } from './rslp-portuguese.ts'

const portuguese = {
  plural: rslpStep(PORTUGUESE_STEPS.plural),
  adverb: rslpStep(PORTUGUESE_STEPS.adverb),
  feminine: rslpStep(PORTUGUESE_STEPS.feminine),
  augmentative: rslpStep(PORTUGUESE_STEPS.augmentative),
  noun: rslpStep(PORTUGUESE_STEPS.noun),
  verb: rslpStep(PORTUGUESE_STEPS.verb),
  vowel: rslpStep(PORTUGUESE_STEPS.vowel),
}

/** The Portuguese stemmer RSLP. @source Lucene, PortugueseStemmer */
export function stemPortugueseRslp(word: string): string {
  const w = portuguese.augmentative(portuguese.feminine(portuguese.adverb(portuguese.plural(word))))
  const noun = portuguese.noun(w)
  const verb = noun === w ? portuguese.verb(w) : noun
  const stem = noun === w && verb === w ? portuguese.vowel(w) : verb
  return withoutAccents(stem, 'àáâãäåçèéêëìíîïñòóôõöùúûüýÿ', 'aaaaaaceeeeiiiinooooouuuuyy')
}

/** RSLP's plural step alone. @source Lucene, PortugueseMinimalStemmer */
export const stemPortugueseMinimally = portuguese.plural

const galician = {
  plural: rslpStep(GALICIAN_STEPS.plural),
  unification: rslpStep(GALICIAN_STEPS.unification),
  adverb: rslpStep(GALICIAN_STEPS.adverb),
  augmentative: rslpStep(GALICIAN_STEPS.augmentative),
  noun: rslpStep(GALICIAN_STEPS.noun),
  verb: rslpStep(GALICIAN_STEPS.verb),
  vowel: rslpStep(GALICIAN_STEPS.vowel),
}

/** The Galician stemmer. @source Lucene, GalicianStemmer */
export function stemGalician(word: string): string {
  let w = galician.adverb(galician.unification(galician.plural(word)))
  for (let before = ''; before.length !== w.length; ) {
    before = w
    w = galician.augmentative(w)
  }
  const noun = galician.noun(w)
  const stem = galician.vowel(noun.length === w.length ? galician.verb(noun) : noun)
  return withoutAccents(stem, 'áéêíóú', 'aeeiou')
}

/** The plural step of the Galician stemmer alone. @source Lucene, GalicianMinimalStemmer */
export const stemGalicianMinimally = galician.plural
