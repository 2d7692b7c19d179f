import { porterStem } from './porter.ts'

/** Reduces a lower-case word to its stem. */
export type Stemmer = (word: string) => string

/** Stemmers by their `language` in the settings of a `stemmer` filter, in lower case. */
export const STEMMERS: Readonly<Record<string, Stemmer>> = {
  english: porterStem,
  porter: porterStem,
}

/** Stemmers by their `language` in the settings of a `snowball` filter. */
export const SNOWBALL_STEMMERS: Readonly<Record<string, Stemmer>> = {
  Porter: porterStem,
}
