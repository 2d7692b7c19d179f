import { ServiceError } from '../../../errors.ts'
import { ChainAnalyzer } from '../chain-analyzer.ts'
import type { AnalyzerFactory, CharFilterFactory, TokenFilterFactory, TokenizerFactory } from '../factories.ts'
import { checkOptions } from './korean-settings.ts'
import { makeNoriAnalyzer, makeNoriTokenizer, makePartOfSpeechFilter } from './nori-factory.ts'
import { readingFormFilter } from './nori-filters.ts'
import { NoriNumberFilter } from './nori-number-filter.ts'
import { makeSeunjeonTokenizer } from './seunjeon-factory.ts'
import { UnicodeCharFilter } from './unicode-char-filter.ts'
import { UNICODE_FORMS, type UnicodeForm } from './unicode-form.ts'

/** Korean tokenizers by their type in the settings. */
export const koreanTokenizerFactories: Readonly<Record<string, TokenizerFactory>> = {
  seunjeon_tokenizer: makeSeunjeonTokenizer,
  seunjeon_default_tokenizer: makeSeunjeonTokenizer,
  nori_tokenizer: makeNoriTokenizer,
}

/** Korean token filters by their type. */
export const koreanTokenFilterFactories: Readonly<Record<string, TokenFilterFactory>> = {
  nori_part_of_speech: makePartOfSpeechFilter,
  nori_readingform: (context) => {
    checkOptions(context, 'nori_readingform', [])
    return readingFormFilter
  },
  nori_number: (context) => {
    checkOptions(context, 'nori_number', [])
    return new NoriNumberFilter()
  },
}

const normalizer = (form: UnicodeForm): CharFilterFactory => {
  return (context) => {
    checkOptions(context, form, [])
    return new UnicodeCharFilter(form)
  }
}

/** Char filters that Korean text needs, by their type. */
export const koreanCharFilterFactories: Readonly<Record<string, CharFilterFactory>> = {
  icu_normalizer: (context) => {
    const { settings } = context
    checkOptions(context, 'icu_normalizer', ['name', 'mode'])
    const name = settings.text('name', 'nfkc_cf')
    const form = UNICODE_FORMS.find((known) => known === name)
    if (form === undefined) throw badValue('name', name, UNICODE_FORMS)
    const mode = settings.text('mode', 'compose')
    if (mode !== 'compose' && mode !== 'decompose') throw badValue('mode', mode, ['compose', 'decompose'])
    if (mode === 'decompose' && form === 'nfkc_cf') throw badValue('name', form, ['nfc', 'nfkc'])
    return new UnicodeCharFilter(form, mode === 'decompose')
  },
  nfc: normalizer('nfc'),
  nfkc: normalizer('nfkc'),
  nfkc_cf: normalizer('nfkc_cf'),
}

/** Korean analyzers by name. */
export const koreanAnalyzers: Readonly<Record<string, AnalyzerFactory>> = {
  seunjeon_analyzer: (context) =>
    new ChainAnalyzer(context.name, { charFilters: [], tokenizer: makeSeunjeonTokenizer(context), tokenFilters: [] }),
  nori: makeNoriAnalyzer,
}

function badValue(setting: string, value: string, allowed: readonly string[]): ServiceError {
  return new ServiceError(
    'illegal_argument_exception',
    `[${setting}] of an icu_normalizer must be one of [${allowed.join(', ')}], got [${value}]`,
  )
}
