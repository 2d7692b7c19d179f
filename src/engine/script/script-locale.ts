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

  override get isJsonText(): boolean {
    return true
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

  /** What stands for the point and the comma of numbers. */
  numberParts(): { readonly point: string; readonly group: string } {
    const parts = new Intl.NumberFormat(this.#tag).formatToParts(-1_234_567.5)
    const of = (type: string): string | undefined => parts.find((part) => part.type === type)?.value
    return { point: of('decimal') ?? '.', group: of('group') ?? ',' }
  }

  /** A pattern of shares of a hundred. */
  percentPattern(): string {
    const parts = new Intl.NumberFormat(this.#tag, { style: 'percent' }).formatToParts(1)
    return parts.map(({ type, value }) => (type === 'integer' ? '#,##0' : value)).join('')
  }

  /** A pattern of money of its country, whose sign it has; of no country: the sign that stands for any. */
  currencyPattern(): string {
    const currency = CURRENCIES[this.country]
    if (currency === undefined) return '¤#,##0.00'
    const parts = new Intl.NumberFormat(this.#tag, { style: 'currency', currency }).formatToParts(1)
    const digits = { integer: '#,##0', decimal: '.', fraction: '00' } as Readonly<Record<string, string>>
    return parts.map(({ type, value }) => digits[type] ?? value).join('')
  }

  get language(): string {
    return this.#text.split('_')[0] ?? ''
  }

  get country(): string {
    return this.#text.split('_')[1] ?? ''
  }

  /** What a language or a country is called in English. */
  nameIn(type: 'language' | 'region'): string {
    const code = type === 'language' ? this.language : this.country
    return code === '' ? '' : (new Intl.DisplayNames('en', { type }).of(code) ?? code)
  }

  get #tag(): string {
    try {
      return Intl.getCanonicalLocales(this.#text.replaceAll('_', '-'))[0] ?? 'en'
    } catch {
      return 'en'
    }
  }
}

/** Money of countries. */
const CURRENCIES: Readonly<Record<string, string>> = {
  US: 'USD',
  GB: 'GBP',
  CA: 'CAD',
  KR: 'KRW',
  JP: 'JPY',
  CN: 'CNY',
  IN: 'INR',
  CH: 'CHF',
  ...Object.fromEntries(
    ['DE', 'FR', 'IT', 'ES', 'NL', 'AT', 'BE', 'IE', 'PT', 'FI'].map((country) => [country, 'EUR']),
  ),
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
  constructors: {
    '(String)': (language: string) => new ScriptLocale(language),
    '(String,String)': (language: string, country: string) => new ScriptLocale(`${language}_${country}`),
  },
  methods: {
    'String getLanguage()': (self: ScriptLocale) => self.language,
    'String getCountry()': (self: ScriptLocale) => self.country,
    'String getDisplayLanguage()': (self: ScriptLocale) => self.nameIn('language'),
    'String getDisplayCountry()': (self: ScriptLocale) => self.nameIn('region'),
    'String toLanguageTag()': (self: ScriptLocale) => self.toText().replaceAll('_', '-') || 'und',
  },
  constants: Object.fromEntries(
    Object.entries({ ROOT: '', ...LANGUAGES, ...COUNTRIES, ...FURTHER }).map(([name, text]) => [
      `Locale ${name}`,
      new ScriptLocale(text),
    ]),
  ),
}
