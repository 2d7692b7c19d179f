import { illegalArgument } from '../../../illegal-argument.ts'
import type { Analyzer } from '../../analysis/analyzer.ts'
import type { IndexOptions, KeywordField } from '../field-mapping.ts'
import { mapperParsing } from '../mapping-errors.ts'
import { commonParameters, fieldBase, scalarText, similarityMembers } from './common-parameters.ts'
import { type FieldType, parameterValue } from './field-type.ts'
import { booleanParameter, type MappingScope, readInteger, readText, refuseNull } from './parameter.ts'

const NO_LIMIT = 2147483647

/** Text taken as one term. */
export const KEYWORD: FieldType = {
  name: 'keyword',
  family: 'keyword',
  parameters: [
    ...commonParameters({ docValues: true, norms: false, indexOptions: 'docs' }),
    {
      name: 'null_value',
      fallback: undefined,
      read: (value) => {
        refuseNull(value, 'null_value')
        return readText(value)
      },
    },
    {
      name: 'ignore_above',
      fallback: NO_LIMIT,
      read: (value, { engineVersion }) => {
        const limit = readInteger(value)
        if (limit < 0 && engineVersion === 'Elasticsearch_6.8')
          throw illegalArgument(`[ignore_above] must be positive, got ${limit}`)
        return limit
      },
    },
    {
      name: 'normalizer',
      fallback: undefined,
      conflict: (_from, _to, path) => [`mapper [${path}] has different [normalizer]`],
      read: (value, scope) => {
        const name = readText(value)
        if (scope.analyzers.normalizer(name) === undefined) {
          throw mapperParsing(`normalizer [${name}] not found for field [${scope.name}]`)
        }
        return name
      },
    },
    booleanParameter('split_queries_on_whitespace', false),
  ],
  check: (parameters) => {
    const options = parameters.get('index_options')
    if (options === 'positions' || options === 'offsets') {
      throw illegalArgument(`The [keyword] field does not support positions, got [index_options]=${options}`)
    }
  },
  build: (scope) => {
    const value = (name: string): unknown => parameterValue(KEYWORD, scope.definition, name)
    const normalizerName = value('normalizer')
    const normalizer = typeof normalizerName === 'string' ? scope.analyzers.normalizer(normalizerName) : undefined
    const splits = value('split_queries_on_whitespace') as boolean
    const ignoreAbove = value('ignore_above') as number
    const parse = (json: unknown): string | undefined => {
      const text = scalarText(json)
      if (text.length > ignoreAbove) return undefined
      if (normalizer === undefined) return text
      const tokens = normalizer.analyze(text)
      return tokens.length === 0 ? '' : tokens.terms[0]
    }
    const nullValue = value('null_value')
    const field: KeywordField = {
      kind: 'keyword',
      nullValue: typeof nullValue === 'string' ? parse(nullValue) : undefined,
      normalizer,
      ignoreAbove,
      norms: value('norms') as boolean,
      indexOptions: value('index_options') as IndexOptions,
      ...similarityMembers(value('similarity'), scope, value('index_options')),
      searchAnalyzer: splits ? wordNormalizer(normalizerName, scope) : normalizer,
      ...fieldBase(KEYWORD, scope),
    }
    return { field, parse }
  },
}

/** What takes a text apart at its blanks, and normalizes each word. */
const wordNormalizer = (name: unknown, { analyzers }: MappingScope): Analyzer | undefined =>
  typeof name === 'string' ? analyzers.normalizer(name, 'whitespace') : analyzers.analyzer('whitespace')
