import { stemArmenian } from './armenian.ts'
import { stemBasque } from './basque.ts'
import { stemCatalan } from './catalan.ts'
import { stemDutch } from './dutch.ts'
import { stemEnglish } from './english.ts'
import { stemFinnish } from './finnish.ts'
import { stemFrench } from './french.ts'
import { stemGerman, stemGerman2 } from './german.ts'
import { stemHungarian } from './hungarian.ts'
import { stemIrish } from './irish.ts'
import { stemItalian } from './italian.ts'
import { porterStem, stemPorter } from './porter.ts'
import { stemPortuguese } from './portuguese.ts'
import { stemRomanian } from './romanian.ts'
import { stemRussian } from './russian.ts'
import { stemDanish, stemNorwegian, stemSwedish } from './scandinavian.ts'
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
  armenian: stemArmenian,
  basque: stemBasque,
  catalan: stemCatalan,
  danish: stemDanish,
  dutch: stemDutch,
  english: porterStem,
  finnish: stemFinnish,
  french: stemFrench,
  german: stemGerman,
  german2: stemGerman2,
  hungarian: stemHungarian,
  irish: stemIrish,
  italian: stemItalian,
  norwegian: stemNorwegian,
  porter: porterStem,
  porter2: stemEnglish,
  portuguese: stemPortuguese,
  romanian: stemRomanian,
  russian: stemRussian,
  spanish: stemSpanish,
  swedish: stemSwedish,
}
