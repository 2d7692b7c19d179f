import type { ClassDefinition } from './script-class.ts'
import { ScriptObject } from './script-object.ts'

type CalendarPart = 'weekday' | 'month'
type NameWidth = 'long' | 'short' | 'narrow'

/** Java's Locale: the letters of all of them change case as everybody's do. */
export class ScriptLocale extends ScriptObject {
  readonly language: string
  readonly country: string
  readonly variant: string
  /** How it is written: `Hant`. */
  readonly script: string
  /** By part and width; made once, which takes long. */
  readonly #formats = new Map<string, Intl.DateTimeFormat>()

  /** All empty: the locale of no language. */
  constructor(language: string, country = '', variant = '', script = '') {
    super()
    this.language = language.toLowerCase()
    this.country = country.toUpperCase()
    this.variant = variant
    this.script = script
  }

  get className(): string {
    return 'java.util.Locale'
  }

  override get isJsonText(): boolean {
    return true
  }

  /** `en_US`, `zh_TW_#Hant`, `sl__rozaj`. */
  override toText(): string {
    const { language, country, variant, script } = this
    const more = variant !== '' || script !== ''
    const parts = [language, ...(country !== '' || (language !== '' && more) ? [country] : [])]
    if (parts.join('') === '') return ''
    if (variant !== '') parts.push(variant)
    if (script !== '') parts.push(`#${script}`)
    return parts.join('_')
  }

  /** As BCP 47 writes it; `und`: of no language. */
  get languageTag(): string {
    const { variant } = this
    const plain = this.formatTag === '' ? ['und', this.script, this.country] : [this.formatTag]
    const isTagged = variant.split('_').every((part) => VARIANT.test(part))
    const last = isTagged || variant === '' ? variant.replaceAll('_', '-') : `x-lvariant-${variant}`
    return [...plain, last].filter((part) => part !== '').join('-')
  }

  /** The tag as formats of dates take it, without variants; empty: of no language. */
  get formatTag(): string {
    if (!LANGUAGE.test(this.language)) return ''
    return [this.language, this.script, this.country].filter((part) => part !== '').join('-')
  }

  /** What a day of the week (1: Monday) or a month is called. */
  nameOf(part: CalendarPart, value: number, width: NameWidth): string {
    if (this.formatTag === '' && part === 'month' && width === 'narrow') return String(value)
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

  /** What a language or a country is called in English. */
  nameIn(type: 'language' | 'region'): string {
    const code = type === 'language' ? this.language : this.country
    return code === '' ? '' : (new Intl.DisplayNames('en', { type }).of(code) ?? code)
  }

  get #tag(): string {
    try {
      return Intl.getCanonicalLocales(this.formatTag)[0] ?? 'en'
    } catch {
      return 'en'
    }
  }
}

const LANGUAGE = /^[a-z]{2,8}$/i
const SCRIPT = /^[a-z]{4}$/i
const COUNTRY = /^(?:[a-z]{2}|\d{3})$/i
const VARIANT = /^(?:[a-z\d]{5,8}|\d[a-z\d]{3})$/i

/** What BCP 47 means by a tag, as far as it is one. */
function localeOf(tag: string): ScriptLocale {
  const parts = tag.split('-')
  const take = (form: RegExp): string => (form.test(parts[0] ?? '') ? (parts.shift() as string) : '')
  const language = take(LANGUAGE)
  if (language === '') return new ScriptLocale('')
  const script = take(SCRIPT)
    .toLowerCase()
    .replace(/^./, (letter) => letter.toUpperCase())
  const country = take(COUNTRY)
  const variants: string[] = []
  for (let variant = take(VARIANT); variant !== ''; variant = take(VARIANT)) variants.push(variant)
  // What Java writes for a variant that is none of BCP 47's.
  if (/^x-lvariant-/i.test(parts.join('-'))) variants.push(...parts.slice(2))
  return new ScriptLocale(language.toLowerCase() === 'und' ? '' : language, country, variants.join('_'), script)
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
  statics: { 'Locale forLanguageTag(String)': localeOf },
  constructors: {
    '(String)': (language: string) => new ScriptLocale(language),
    '(String,String)': (language: string, country: string) => new ScriptLocale(language, country),
    '(String,String,String)': (language: string, country: string, variant: string) =>
      new ScriptLocale(language, country, variant),
  },
  methods: {
    'String getLanguage()': (self: ScriptLocale) => self.language,
    'String getCountry()': (self: ScriptLocale) => self.country,
    'String getScript()': (self: ScriptLocale) => self.script,
    'String getVariant()': (self: ScriptLocale) => self.variant,
    'String getDisplayLanguage()': (self: ScriptLocale) => self.nameIn('language'),
    'String getDisplayCountry()': (self: ScriptLocale) => self.nameIn('region'),
    'String toLanguageTag()': (self: ScriptLocale) => self.languageTag,
  },
  constants: Object.fromEntries(
    Object.entries({ ROOT: '', ...LANGUAGES, ...COUNTRIES, ...FURTHER }).map(([name, text]) => [
      `Locale ${name}`,
      new ScriptLocale(...(text.split('_') as [string])),
    ]),
  ),
}
