import type { ClassDefinition } from './script-class.ts'
import { ScriptObject } from './script-object.ts'

type CalendarPart = 'weekday' | 'month'
type NameWidth = 'long' | 'short' | 'narrow'

/** Java's Locale: the letters of all of them change case as everybody's do. */
export class ScriptLocale extends ScriptObject {
  readonly #text: string
  /** By part and width; made once, which takes long. */
  readonly #formats = new Map<string, Intl.DateTimeFormat>()

  /** @param text  as Java shows it, `en_US`; empty: of no language */
  constructor(text: string) {
    super()
    this.#text = text
  }

  get className(): string {
    return 'java.util.Locale'
  }

  override toText(): string {
    return this.#text
  }

  /** What a day of the week (1: Monday) or a month is called. */
  nameOf(part: CalendarPart, value: number, width: NameWidth): string {
    if (this.#text === '' && part === 'month' && width === 'narrow') return String(value)
    const key = `${part} ${width}`
    let format = this.#formats.get(key)
    if (format === undefined) {
      format = new Intl.DateTimeFormat(this.#tag, { [part]: width, timeZone: 'UTC' })
      this.#formats.set(key, format)
    }
    // A Monday is the first of 2024.
    return format.format(part === 'weekday' ? Date.UTC(2024, 0, value) : Date.UTC(2024, value - 1, 1))
  }

  get #tag(): string {
    try {
      return Intl.getCanonicalLocales(this.#text.replaceAll('_', '-'))[0] ?? 'en'
    } catch {
      return 'en'
    }
  }
}

const LANGUAGES = {
  ENGLISH: 'en',
  KOREAN: 'ko',
  GERMAN: 'de',
  FRENCH: 'fr',
  ITALIAN: 'it',
  JAPANESE: 'ja',
  CHINESE: 'zh',
}
const COUNTRIES = { US: 'en_US', UK: 'en_GB', CANADA: 'en_CA', KOREA: 'ko_KR', GERMANY: 'de_DE', FRANCE: 'fr_FR' }
const FURTHER = { ITALY: 'it_IT', JAPAN: 'ja_JP', CHINA: 'zh_CN' }

export const LOCALE_CLASS: ClassDefinition = {
  name: 'Locale',
  javaName: 'java.util.Locale',
  statics: { 'Locale forLanguageTag(String)': (tag: string) => new ScriptLocale(tag.replaceAll('-', '_')) },
  constructors: { '(String)': (language: string) => new ScriptLocale(language) },
  constants: Object.fromEntries(
    Object.entries({ ROOT: '', ...LANGUAGES, ...COUNTRIES, ...FURTHER }).map(([name, text]) => [
      `Locale ${name}`,
      new ScriptLocale(text),
    ]),
  ),
}
