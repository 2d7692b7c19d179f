import type { EngineVersion } from '../../engine-version.ts'
import { stemArmenian } from './armenian.ts'
import { stemLatvian, stemLithuanian } from './baltic.ts'
import { stemBasque } from './basque.ts'
import { stemBrazilian } from './brazilian.ts'
import { stemCatalan } from './catalan.ts'
import { stemDutch } from './dutch.ts'
import { stemEnglish } from './english.ts'
import { stemEstonian } from './estonian.ts'
import { stemFinnish, stemFinnishWords } from './finnish.ts'
import { stemFrench, stemFrenchWithDiaereses } from './french.ts'
import { stemGerman, stemGerman2 } from './german.ts'
import { stemGermanCaumanns } from './german-caumanns.ts'
import { stemGreek } from './greek.ts'
import { stemHungarian, stemHungarianLetters } from './hungarian.ts'
import { stemBengali, stemHindi } from './indic-languages.ts'
import { stemIndonesian } from './indonesian.ts'
import { stemIrish } from './irish.ts'
import { stemItalian } from './italian.ts'
import { stemKraaijPohlmann } from './kraaij-pohlmann.ts'
import { stemKrovetz } from './kstem.ts'
import {
  stemBokmaalLightly,
  stemBokmaalMinimally,
  stemEnglishMinimally,
  stemEnglishPlurals,
  stemGermanLightly,
  stemGermanMinimally,
  stemNynorskLightly,
  stemNynorskMinimally,
  stemSwedishLightly,
} from './light-germanic.ts'
import {
  stemFrenchLightly,
  stemFrenchMinimally,
  stemFrenchWordsMinimally,
  stemItalianLightly,
  stemPortugueseLightly,
  stemSpanishLightly,
} from './light-romance.ts'
import { stemBulgarian, stemCzech, stemRussianLightly } from './light-slavic.ts'
import { stemFinnishLightly, stemHungarianLightly } from './light-uralic.ts'
import { stemLovins } from './lovins.ts'
import { porterStem, stemPorter } from './porter.ts'
import { stemPortuguese, stemPortuguese2 } from './portuguese.ts'
import { stemRomanian } from './romanian.ts'
import { stemGalician, stemGalicianMinimally, stemPortugueseMinimally, stemPortugueseRslp } from './rslp-stemmers.ts'
import { stemRussian, stemRussianWithoutDiaereses } from './russian.ts'
import { stemDanish, stemDanishWords, stemNorwegian, stemSwedish } from './scandinavian.ts'
import { stemArabic, stemPersian } from './semitic.ts'
import { stemArabicBySnowball } from './snowball-arabic.ts'
import { stemHindiBySnowball, stemNepali } from './snowball-indic.ts'
import { stemIndonesianBySnowball } from './snowball-indonesian.ts'
import { stemTamil } from './snowball-tamil.ts'
import { stemSorani } from './sorani.ts'
import { stemSpanish } from './spanish.ts'
import { stemTurkish } from './turkish.ts'

/** Reduces a lower-case word to its stem. */
export type Stemmer = (word: string) => string

/** Stemmers by their `language` in the settings of a `snowball` filter. */
export const SNOWBALL_STEMMERS: Readonly<Record<string, Stemmer>> = {
  Arabic: stemArabicBySnowball,
  Armenian: stemArmenian,
  Basque: stemBasque,
  Catalan: stemCatalan,
  Danish: stemDanish,
  Dutch: stemDutch,
  English: stemEnglish,
  Estonian: stemEstonian,
  Finnish: stemFinnish,
  French: stemFrench,
  German: stemGerman,
  German2: stemGerman2,
  Hindi: stemHindiBySnowball,
  Hungarian: stemHungarian,
  Indonesian: stemIndonesianBySnowball,
  Irish: stemIrish,
  Italian: stemItalian,
  Kp: stemKraaijPohlmann,
  Lithuanian: stemLithuanian,
  Lovins: stemLovins,
  Nepali: stemNepali,
  Norwegian: stemNorwegian,
  Porter: stemPorter,
  Portuguese: stemPortuguese,
  Romanian: stemRomanian,
  Russian: stemRussian,
  Spanish: stemSpanish,
  Swedish: stemSwedish,
  Tamil: stemTamil,
  Turkish: stemTurkish,
}

/** Stemmers by their `language` in the settings of a `stemmer` filter, in lower case. */
export const STEMMERS: Readonly<Record<string, Stemmer>> = {
  arabic: stemArabic,
  armenian: stemArmenian,
  basque: stemBasque,
  bengali: stemBengali,
  brazilian: stemBrazilian,
  bulgarian: stemBulgarian,
  catalan: stemCatalan,
  czech: stemCzech,
  danish: stemDanish,
  dutch: stemDutch,
  dutch_kp: stemKraaijPohlmann,
  dutchkp: stemKraaijPohlmann,
  english: porterStem,
  estonian: stemEstonian,
  finnish: stemFinnish,
  french: stemFrench,
  galician: stemGalician,
  german: stemGerman,
  german2: stemGerman2,
  german_caumanns: stemGermanCaumanns,
  greek: stemGreek,
  hindi: stemHindi,
  hungarian: stemHungarian,
  indonesian: stemIndonesian,
  irish: stemIrish,
  italian: stemItalian,
  kp: stemKraaijPohlmann,
  kstem: stemKrovetz,
  latvian: stemLatvian,
  light_english: stemKrovetz,
  light_finish: stemFinnishLightly,
  light_finnish: stemFinnishLightly,
  light_french: stemFrenchLightly,
  light_german: stemGermanLightly,
  light_hungarian: stemHungarianLightly,
  light_italian: stemItalianLightly,
  light_norwegian: stemBokmaalLightly,
  light_nynorsk: stemNynorskLightly,
  light_portuguese: stemPortugueseLightly,
  light_russian: stemRussianLightly,
  light_spanish: stemSpanishLightly,
  light_swedish: stemSwedishLightly,
  lithuanian: stemLithuanian,
  lovins: stemLovins,
  minimal_english: stemEnglishMinimally,
  minimal_french: stemFrenchMinimally,
  minimal_galician: stemGalicianMinimally,
  minimal_german: stemGermanMinimally,
  minimal_norwegian: stemBokmaalMinimally,
  minimal_nynorsk: stemNynorskMinimally,
  minimal_portuguese: stemPortugueseMinimally,
  norwegian: stemNorwegian,
  persian: stemPersian,
  plural_english: stemEnglishPlurals,
  porter: porterStem,
  porter2: stemEnglish,
  portuguese: stemPortuguese,
  portuguese_rslp: stemPortugueseRslp,
  romanian: stemRomanian,
  russian: stemRussian,
  sorani: stemSorani,
  spanish: stemSpanish,
  swedish: stemSwedish,
  turkish: stemTurkish,
}

/** Stemmers that Snowball 2.0 changed, as OpenSearch has them. */
const CHANGED: Readonly<Record<string, Stemmer>> = {
  danish: stemDanishWords,
  finnish: stemFinnishWords,
  french: stemFrenchWithDiaereses,
  hungarian: stemHungarianLetters,
  minimal_french: stemFrenchWordsMinimally,
  portuguese: stemPortuguese2,
  russian: stemRussianWithoutDiaereses,
}

/** Stemmers that Elasticsearch does not have. */
const ONLY_OPENSEARCH: ReadonlySet<string> = new Set([
  'persian',
  'plural_english',
  'Hindi',
  'Indonesian',
  'Nepali',
  'Tamil',
])

/** The stemmer of a language, by its name in one of the tables; undefined where it has none of that name. */
export function stemmerOf(
  language: string,
  stemmers: Readonly<Record<string, Stemmer>>,
  version: EngineVersion,
): Stemmer | undefined {
  if (!Object.hasOwn(stemmers, language)) return undefined
  // Younger than some of the versions.
  if (version === 'Elasticsearch_6.8' && language.toLowerCase() === 'estonian') return undefined
  if (version !== 'OpenSearch_2.19' && ONLY_OPENSEARCH.has(language)) return undefined
  const changed = version === 'OpenSearch_2.19' ? CHANGED[language.toLowerCase()] : undefined
  return changed ?? stemmers[language]
}
