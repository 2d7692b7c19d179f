import { stemArmenian } from './armenian.ts'
import { stemLatvian, stemLithuanian } from './baltic.ts'
import { stemBasque } from './basque.ts'
import { stemBrazilian } from './brazilian.ts'
import { stemCatalan } from './catalan.ts'
import { stemDutch } from './dutch.ts'
import { stemEnglish } from './english.ts'
import { stemFinnish } from './finnish.ts'
import { stemFrench } from './french.ts'
import { stemGerman, stemGerman2 } from './german.ts'
import { stemGermanCaumanns } from './german-caumanns.ts'
import { stemHungarian } from './hungarian.ts'
import { stemBengali, stemHindi } from './indic-languages.ts'
import { stemIndonesian } from './indonesian.ts'
import { stemIrish } from './irish.ts'
import { stemItalian } from './italian.ts'
import {
  stemBokmaalLightly,
  stemBokmaalMinimally,
  stemEnglishMinimally,
  stemGermanLightly,
  stemGermanMinimally,
  stemNynorskLightly,
  stemNynorskMinimally,
  stemSwedishLightly,
} from './light-germanic.ts'
import {
  stemFrenchLightly,
  stemFrenchMinimally,
  stemItalianLightly,
  stemPortugueseLightly,
  stemSpanishLightly,
} from './light-romance.ts'
import { stemBulgarian, stemCzech, stemRussianLightly } from './light-slavic.ts'
import { stemFinnishLightly, stemHungarianLightly } from './light-uralic.ts'
import { porterStem, stemPorter } from './porter.ts'
import { stemPortuguese } from './portuguese.ts'
import { stemRomanian } from './romanian.ts'
import { stemGalician, stemGalicianMinimally, stemPortugueseMinimally, stemPortugueseRslp } from './rslp-stemmers.ts'
import { stemRussian } from './russian.ts'
import { stemDanish, stemNorwegian, stemSwedish } from './scandinavian.ts'
import { stemArabic } from './semitic.ts'
import { stemSorani } from './sorani.ts'
import { stemSpanish } from './spanish.ts'

/** Reduces a lower-case word to its stem. */
export type Stemmer = (word: string) => string

/** Stemmers by their `language` in the settings of a `snowball` filter. */
export const SNOWBALL_STEMMERS: Readonly<Record<string, Stemmer>> = {
  Armenian: stemArmenian,
  Basque: stemBasque,
  Catalan: stemCatalan,
  Danish: stemDanish,
  Dutch: stemDutch,
  English: stemEnglish,
  Finnish: stemFinnish,
  French: stemFrench,
  German: stemGerman,
  German2: stemGerman2,
  Hungarian: stemHungarian,
  Irish: stemIrish,
  Italian: stemItalian,
  Lithuanian: stemLithuanian,
  Norwegian: stemNorwegian,
  Porter: stemPorter,
  Portuguese: stemPortuguese,
  Romanian: stemRomanian,
  Russian: stemRussian,
  Spanish: stemSpanish,
  Swedish: stemSwedish,
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
  english: porterStem,
  finnish: stemFinnish,
  french: stemFrench,
  galician: stemGalician,
  german: stemGerman,
  german2: stemGerman2,
  german_caumanns: stemGermanCaumanns,
  hindi: stemHindi,
  hungarian: stemHungarian,
  indonesian: stemIndonesian,
  irish: stemIrish,
  italian: stemItalian,
  latvian: stemLatvian,
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
  minimal_english: stemEnglishMinimally,
  minimal_french: stemFrenchMinimally,
  minimal_galician: stemGalicianMinimally,
  minimal_german: stemGermanMinimally,
  minimal_norwegian: stemBokmaalMinimally,
  minimal_nynorsk: stemNynorskMinimally,
  minimal_portuguese: stemPortugueseMinimally,
  norwegian: stemNorwegian,
  porter: porterStem,
  porter2: stemEnglish,
  portuguese: stemPortuguese,
  portuguese_rslp: stemPortugueseRslp,
  romanian: stemRomanian,
  russian: stemRussian,
  sorani: stemSorani,
  spanish: stemSpanish,
  swedish: stemSwedish,
}
