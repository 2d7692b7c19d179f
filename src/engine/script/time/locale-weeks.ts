import type { ScriptLocale } from '../values/script-locale.ts'
import { ScriptWeekFields } from './calendar-field.ts'

export const SUNDAY_WEEKS = new ScriptWeekFields(7, 1)
export const ISO_WEEKS = new ScriptWeekFields(1, 4)
const MONDAY_WEEKS = new ScriptWeekFields(1, 1)

const words = (text: string): readonly string[] => text.split(' ')
const each = <T>(text: string, value: T): (readonly [string, T])[] => words(text).map((word) => [word, value])

/** Countries whose weeks do not begin on Monday. Java 17 has them of CLDR 39, which Node's Intl is years ahead of. */
const FIRST_DAYS: ReadonlyMap<string, number> = new Map([
  ...each('MV', 5),
  ...each('AE AF BH DJ DZ EG IQ IR JO KW LY OM QA SD SY', 6),
  ...each(
    'AG AS AU BD BR BS BT BW BZ CA CN CO DM DO ET GT GU HK HN ID IL IN JM JP KE KH KR LA MH MM MO MT MX MZ NI NP',
    7,
  ),
  ...each('PA PE PH PK PR PT PY SA SG SV TH TT TW UM US VE VI WS YE ZA ZW', 7),
])

/** Countries whose first week of a year has four days of it at least. */
const LONG_FIRST_WEEKS: ReadonlySet<string> = new Set([
  ...words(
    'AD AN AT AX BE BG CH CZ DE DK EE ES FI FJ FO FR GB GF GG GI GP GR HU IE IM IS IT JE LI LT LU MC MQ NL NO PL PT',
  ),
  ...words('RE RU SE SJ SK SM VA'),
])

/** Weeks of languages, some of them of a country, whose locales are older than CLDR (`COMPAT`). */
const OF_LANGUAGES: ReadonlyMap<string, ScriptWeekFields> = new Map([
  ...each('be bg en he iw hi ja ko mk sq th vi zh es_US fr_CA pt_BR', SUNDAY_WEEKS),
  ...each('es hr pt ro ru sl sr tr uk el_CY id_ID in_ID ms_MY', MONDAY_WEEKS),
  ...each('en_GB en_IE es_ES pt_PT', ISO_WEEKS),
  ...each('mt en_MT', new ScriptWeekFields(7, 4)),
  ...each('ar', new ScriptWeekFields(6, 1)),
])

/** Weeks as a locale's country has them; without one they begin on Sunday. */
export function weeksOfCountry({ country }: ScriptLocale): ScriptWeekFields {
  if (country === '') return SUNDAY_WEEKS
  return new ScriptWeekFields(FIRST_DAYS.get(country) ?? 1, LONG_FIRST_WEEKS.has(country) ? 4 : 1)
}

/** Weeks as 7.x and later have them, by the language; whatever is not known has ISO's. */
export function weeksOfLanguage({ language, country }: ScriptLocale): ScriptWeekFields {
  return OF_LANGUAGES.get(`${language}_${country}`) ?? OF_LANGUAGES.get(language) ?? ISO_WEEKS
}
