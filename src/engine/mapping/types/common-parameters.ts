import { ServiceError } from '../../../errors.ts'
import { illegalArgument } from '../../../illegal-argument.ts'
import { isObject } from '../../../is-object.ts'
import { searchOnlyRefused } from '../../analysis/search-only.ts'
import type { IndexOptions, SimilarityParameters, SimilarityType } from '../field-mapping.ts'
import { JsonNumber } from '../lossless-json.ts'
import { mapperParsing, unsupportedParameters } from '../mapping-errors.ts'
import { classicIsGone, similarityNamed } from '../similarity.ts'
import { type BuildScope, type FieldType, MULTI_FIELDS, parameterValue } from './field-type.ts'
import { tokenName } from './number-value.ts'
import {
  booleanParameter,
  differentValues,
  type FieldScope,
  type MappingScope,
  type Parameter,
  readBoolean,
  readDouble,
  readText,
} from './parameter.ts'

/** How a type differs in the parameters that all share. */
export interface CommonDefaults {
  readonly docValues?: boolean
  /** Type has inverted-index parameters of its own. */
  readonly norms?: boolean
  readonly indexOptions?: IndexOptions
  /** `term_vector` is a parameter. */
  readonly termVector?: true
  /** Never indexed. */
  readonly noIndex?: true
  /** Indexed as terms, as text is, though it has no parameters of an inverted index. */
  readonly isTerm?: true
}

const TERM_VECTORS = [
  'no',
  'yes',
  'with_offsets',
  'with_positions',
  'with_positions_offsets',
  'with_positions_payloads',
  'with_positions_offsets_payloads',
]

/** The parameters of nearly every type, in the order they are shown, `fields` last. */
export function commonParameters(defaults: CommonDefaults = {}): Parameter[] {
  const parameters: Parameter[] = [{ name: 'boost', fallback: 1, read: readDouble }]
  const isPoint = defaults.norms === undefined && defaults.noIndex === undefined && !defaults.isTerm
  parameters.push(
    booleanParameter('index', true, {
      conflict: (_from, _to, path) => [
        `mapper [${path}] has different [index] values`,
        // A number that is not indexed has no analyzer either, and the real server counts that too.
        ...(isPoint ? [`mapper [${path}] has different [analyzer]`] : []),
      ],
    }),
    booleanParameter('store', false, { conflict: differentValues('store') }),
  )
  if (defaults.docValues !== undefined) {
    parameters.push(booleanParameter('doc_values', defaults.docValues, { conflict: differentValues('doc_values') }))
  }
  if (defaults.termVector) parameters.push(TERM_VECTOR)
  if (defaults.norms !== undefined) {
    parameters.push(
      booleanParameter('norms', defaults.norms, {
        read: readNorms,
        conflict: (from, _to, path) =>
          from === true ? [] : [`mapper [${path}] has different [norms] values, cannot change from disable to enabled`],
      }),
    )
  }
  parameters.push(indexOptionsParameter(defaults.indexOptions))
  if (defaults.norms !== undefined) parameters.push(booleanParameter('eager_global_ordinals', false))
  parameters.push(SIMILARITY, MULTI_FIELDS)
  return parameters
}

/** `norms`: whether there are any; 6.x still reads the object that it was in 2.x (`loading` is of no effect). */
function readNorms(value: unknown, scope: FieldScope): boolean | undefined {
  const { name } = scope
  if (!isObject(value) || scope.engineVersion !== 'Elasticsearch_6.8') return readBoolean(value, `${name}.norms`, scope)
  const { enabled, ...others } = value
  const isEnabled = enabled === undefined ? undefined : readBoolean(enabled, `${name}.enabled`)
  const unknown = Object.keys(others).filter((key) => key !== 'loading')
  if (unknown.length > 0) throw unsupportedParameters('norms', value, unknown)
  return isEnabled
}

const TERM_VECTOR: Parameter = {
  name: 'term_vector',
  fallback: 'no',
  read: (value, scope) => {
    const text = readText(value).toLowerCase()
    if (!TERM_VECTORS.includes(text)) {
      throw mapperParsing(
        scope.engineVersion === 'Elasticsearch_6.8'
          ? `wrong value for termVector [${text}] for field [${scope.name}]`
          : `Unknown value [${text}] for field [term_vector] - accepted values are [no, yes, with_positions, with_offsets, with_positions_offsets, with_positions_payloads, with_positions_offsets_payloads]`,
      )
    }
    return text
  },
  conflict: (from, to, path) => {
    const differs = (part: string): boolean => String(from).includes(part) !== String(to).includes(part)
    return [
      ...((from === 'no') !== (to === 'no') ? ['store_term_vector'] : []),
      ...(differs('offsets') ? ['store_term_vector_offsets'] : []),
      ...(differs('positions') ? ['store_term_vector_positions'] : []),
      ...(differs('payloads') ? ['store_term_vector_payloads'] : []),
    ].map((what) => `mapper [${path}] has different [${what}] values`)
  },
}

/** `similarity`: a built-in one or one of the settings' own (`index.similarity.<name>.type`). */
const SIMILARITY: Parameter = {
  name: 'similarity',
  fallback: undefined,
  read: (value, scope) => {
    const name = readText(value)
    const isOwn = scope.settings[`index.similarity.${name}.type`] !== undefined
    if (similarityNamed(name, scope) === undefined || (name === 'default' && !isOwn && scope.isStored !== true)) {
      throw mapperParsing(`Unknown Similarity type [${name}] for field [${scope.name}]`)
    }
    if (similarityNamed(name, scope)?.type === 'classic' && scope.engineVersion !== 'Elasticsearch_6.8') {
      throw classicIsGone()
    }
    return name
  },
  conflict: (_from, _to, path) => [`mapper [${path}] has different [similarity]`],
}

function indexOptionsParameter(fallback: IndexOptions | undefined): Parameter {
  // What is taken as one term has no positions, which 6.8 finds out later.
  const accepted = fallback === 'docs' ? ['docs', 'freqs'] : ['positions', 'docs', 'freqs', 'offsets']
  return {
    name: 'index_options',
    fallback,
    read: (value, scope) => {
      const text = readText(value)
      if (scope.engineVersion === 'Elasticsearch_6.8') {
        if (!/^(?:docs|freqs|positions|offsets)$/.test(text))
          throw new ServiceError('parse_exception', `failed to parse index option [${text}]`)
      } else if (!accepted.includes(text) && scope.isStored !== true) {
        const known = accepted.join(', ')
        throw mapperParsing(`Unknown value [${text}] for field [index_options] - accepted values are [${known}]`)
      }
      // Types without a default take the parameter and never show it.
      return fallback === undefined ? undefined : text
    },
  }
}

/** `similarity` and `similarityParameters` of a field, and what it counts for its length. */
export function similarityMembers(
  name: unknown,
  scope: MappingScope,
  indexOptions?: unknown,
): {
  readonly similarity: SimilarityType
  readonly similarityParameters?: SimilarityParameters
  readonly isAsLongAsUnique?: true
} {
  const found = similarityNamed(typeof name === 'string' ? name : 'default', scope)
  return {
    similarity: found?.type ?? 'BM25',
    ...(found?.parameters === undefined ? {} : { similarityParameters: found.parameters }),
    // Scripted similarities are not Lucene's own, which count so from 8 on.
    ...(indexOptions === 'docs' && scope.engineVersion !== 'Elasticsearch_6.8' && found?.type !== 'scripted'
      ? { isAsLongAsUnique: true }
      : {}),
  }
}

/**
 * Members that every {@link FieldMapping} has, from a definition's parameters: to be spread behind a field's own, since V8
 * gives each object that begins with others' members a hidden class of its own.
 */
export function fieldBase(type: FieldType, scope: BuildScope) {
  const value = (name: string): unknown => parameterValue(type, scope.definition, name)
  return {
    path: scope.path,
    index: value('index') !== false,
    docValues: value('doc_values') === true,
    store: value('store') === true,
    nestedPath: scope.nestedPath,
    boost: (value('boost') as number | undefined) ?? 1,
    copyTo: scope.definition.copyTo,
    ...(scope.definition.meta === undefined ? {} : { meta: scope.definition.meta }),
  }
}

/** What 6.x says of an analyzer that there is not. */
const unknownAnalyzer = (analyzer: string, field: string): ServiceError =>
  mapperParsing(`analyzer [${analyzer}] not found for field [${field}]`)

/**
 * `analyzer`, `search_analyzer`, `search_quote_analyzer`, by name; absent from the parameters when not given.
 *
 * @param unknownInSix  the fault of an analyzer that there is not, where 6.x words it otherwise for the field's type
 */
export function analyzerParameter(name: string, unknownInSix = unknownAnalyzer): Parameter {
  return {
    name,
    fallback: undefined,
    read: (value, scope) => {
      const text = readText(value)
      const found = scope.analyzers.analyzer(text)
      const searchOnly = name === 'analyzer' && scope.isStored !== true ? found?.searchOnly : undefined
      if (searchOnly !== undefined) throw searchOnlyRefused(text, searchOnly, 'index time')
      if (found === undefined) {
        throw scope.engineVersion === 'Elasticsearch_6.8'
          ? unknownInSix(text, scope.name)
          : illegalArgument(`analyzer [${text}] has not been configured in mappings`)
      }
      return text
    },
    ...(name === 'analyzer'
      ? {
          conflict: (from: unknown, to: unknown, path: string) =>
            (from ?? 'default') === (to ?? 'default') ? [] : [`mapper [${path}] has different [analyzer]`],
        }
      : {}),
  }
}

/** Text of a JSON scalar, of a number its digits; an object is refused as the real parser refuses it. */
export function scalarText(value: unknown): string {
  if (typeof value === 'string') return value
  if (value instanceof JsonNumber) return value.text
  if (typeof value !== 'object' || value === null) return String(value)
  throw new ServiceError('illegal_state_exception', `Can't get text on a ${tokenName(value)}`).at(value)
}
