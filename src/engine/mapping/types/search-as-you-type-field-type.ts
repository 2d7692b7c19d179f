import { illegalArgument } from '../../../illegal-argument.ts'
import type { TextField } from '../field-mapping.ts'
import { mapperParsing } from '../mapping-errors.ts'
import { scalarText } from './common-parameters.ts'
import { type BuiltField, type FieldType, MULTI_FIELDS, parameterValue } from './field-type.ts'
import { differentValues, type Parameter, readBoolean, readInteger } from './parameter.ts'
import { TEXT, vectorsMissing } from './text-field-type.ts'
import { subFieldAnalyzer, subFieldName, type TextSubField } from './text-sub-field.ts'

const MIN_SIZE = 2
const MAX_SIZE = 4
const DEFAULT_SIZE = 3
const MAX_PREFIX_CHARS = 20

const MAX_SHINGLE_SIZE: Parameter = {
  name: 'max_shingle_size',
  fallback: DEFAULT_SIZE,
  read: (value, scope) => {
    if (value === null) {
      throw mapperParsing(
        `[max_shingle_size] on mapper [${scope.name}] of type [search_as_you_type] must not have a [null] value`,
      )
    }
    if (typeof value === 'number' && !Number.isInteger(value)) throw illegalArgument(`${value} is not an integer value`)
    const size = readInteger(value)
    if (size < MIN_SIZE || size > MAX_SIZE) {
      throw mapperParsing(`[max_shingle_size] must be at least [${MIN_SIZE}] and at most [${MAX_SIZE}], got [${size}]`)
    }
    return size
  },
  conflict: differentValues('max_shingle_size'),
}

const DOC_VALUES: Parameter = {
  name: 'doc_values',
  fallback: false,
  read: (value, scope) => {
    if (readBoolean(value, `${scope.name}.doc_values`, scope))
      throw mapperParsing('Cannot set [doc_values] on field of type [search_as_you_type]')
    return false
  },
}

/** Parameters of a text that this one has, in the order that it shows them. */
const textParameters = (...names: readonly string[]): readonly Parameter[] =>
  names.flatMap((name) => TEXT.parameters.find((parameter) => parameter.name === name) ?? [])

/**
 * Text that is found while it is being typed (from 7.2 on): it makes fields of its runs of words for itself
 * (`_2gram`, …) and one of their beginnings (`_index_prefix`).
 */
export const SEARCH_AS_YOU_TYPE: FieldType = {
  name: 'search_as_you_type',
  family: 'search_as_you_type',
  isSince7: true,
  parameters: [
    // Read and given up.
    { name: 'boost', fallback: undefined, read: () => undefined },
    ...textParameters('index', 'store'),
    DOC_VALUES,
    MAX_SHINGLE_SIZE,
    ...textParameters('analyzer', 'search_analyzer', 'search_quote_analyzer'),
    ...textParameters('similarity', 'index_options', 'norms', 'term_vector'),
    MULTI_FIELDS,
  ],
  shownDefaults: { doc_values: false, max_shingle_size: DEFAULT_SIZE },
  ...(TEXT.check === undefined ? {} : { check: TEXT.check }),
  build: (scope) => {
    const size = parameterValue(SEARCH_AS_YOU_TYPE, scope.definition, 'max_shingle_size') as number
    const text: TextField = { ...(TEXT.build(scope).field as TextField), typeName: 'search_as_you_type' }
    const { meta: _meta, ...bare } = text
    const own = (subField: TextSubField, more: Partial<TextField>): TextField => ({
      ...bare,
      path: `${text.path}.${subFieldName(subField)}`,
      copyTo: [],
      index: true,
      // Nothing of it is indexed, and nobody is told.
      ...(text.index ? {} : { indexOptions: 'docs' as const }),
      store: false,
      analyzer: subFieldAnalyzer(text.analyzer, subField),
      subField,
      ...more,
    })
    const { typeName: _, ...prefixes } = own(
      { kind: 'prefix', minChars: 1, maxChars: MAX_PREFIX_CHARS, words: size },
      {
        searchAnalyzer: subFieldAnalyzer(text.searchAnalyzer, { kind: 'shingle', size }),
        searchQuoteAnalyzer: text.searchAnalyzer,
        norms: false,
        termVector: 'no',
      },
    )
    const shingles = Array.from({ length: size - 1 }, (__, i) => {
      const subField: TextSubField = { kind: 'shingle', size: i + 2 }
      return own(subField, {
        searchAnalyzer: subFieldAnalyzer(text.searchAnalyzer, subField),
        searchQuoteAnalyzer: subFieldAnalyzer(text.searchQuoteAnalyzer, subField),
        prefixes,
      })
    })
    const stray = scope.engineVersion === 'Elasticsearch_7.10' ? strayPart(text.termVector) : undefined
    return {
      field: { ...text, shingles, prefixes },
      parse: (value) => {
        const parsed = scalarText(value)
        // Its runs of words are not stored.
        if (!text.index) throw illegalArgument(NEITHER)
        return parsed
      },
      ...(stray === undefined ? {} : { complete: missesVectors(stray, prefixes.path) }),
      subFields: [...shingles, prefixes],
    }
  },
}

/** What 7.x keeps of a text's vectors for its beginnings too, which have no vectors. */
const strayPart = (termVector: string): 'offsets' | 'positions' | undefined =>
  (['offsets', 'positions'] as const).find((part) => termVector.includes(part))

/** Documents that are there already from before this was told are kept. */
const missesVectors =
  (part: 'offsets' | 'positions', path: string): NonNullable<BuiltField['complete']> =>
  () => {
    throw vectorsMissing(part, path)
  }

const NEITHER = "it doesn't make sense to have a field that is neither indexed nor stored"
