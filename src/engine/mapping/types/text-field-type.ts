import { illegalArgument } from '../../../illegal-argument.ts'
import type { Analyzer } from '../../analysis/analyzer.ts'
import { ChainAnalyzer } from '../../analysis/chain-analyzer.ts'
import type { EngineVersion } from '../../engine-version.ts'
import type { IndexOptions, TextField } from '../field-mapping.ts'
import { IndexingFault } from '../indexing-fault.ts'
import { failedJsonCast } from '../java-text.ts'
import { mapperParsing } from '../mapping-errors.ts'
import { analyzerParameter, commonParameters, fieldBase, scalarText, similarityMembers } from './common-parameters.ts'
import { type FieldType, parameterValue } from './field-type.ts'
import { booleanParameter, type MappingScope, readBoolean, readDouble, readInteger } from './parameter.ts'
import { subFieldAnalyzer, subFieldName, type TextSubField } from './text-sub-field.ts'

/** `position_increment_gap` where neither mapping nor analyzer says otherwise. */
const DEFAULT_GAP = 100
const OMIT_NORMS = 'omit_norms'

/** Analyzed text. */
export const TEXT: FieldType = {
  name: 'text',
  family: 'text',
  parameters: [
    ...commonParameters({ norms: true, indexOptions: 'positions', termVector: true }),
    analyzerParameter('analyzer'),
    analyzerParameter('search_analyzer'),
    analyzerParameter('search_quote_analyzer'),
    {
      name: 'position_increment_gap',
      fallback: undefined,
      frozen: true,
      read: (value, scope) => {
        const gap = readInteger(value)
        if (gap === -1 && scope.engineVersion !== 'Elasticsearch_6.8') return undefined
        if (gap < 0) throw mapperParsing(`[positions_increment_gap] must be positive, got ${gap}`)
        return gap
      },
    },
    // None is all there may be.
    booleanParameter('doc_values', false, {
      isLegacy: true,
      read: (value, { name }) => {
        if (!readBoolean(value, `${name}.doc_values`)) return false
        throw illegalArgument('[text] fields do not support doc values')
      },
    }),
    // What norms were called before 5.0, the other way round.
    {
      name: OMIT_NORMS,
      fallback: undefined,
      isLegacy: true,
      read: (value, { name }) => readBoolean(value, `${name}.norms`),
    },
    booleanParameter('fielddata', false, { read: (value, scope) => readBoolean(value, 'fielddata', scope) }),
    { name: 'fielddata_frequency_filter', fallback: undefined, read: readFrequencyFilter },
    { name: 'index_prefixes', fallback: undefined, read: readIndexPrefixes },
    booleanParameter('index_phrases', false, {
      conflict: (_from, _to, path) => [`mapper [${path}] has different [index_phrases] settings`],
    }),
  ],
  check: (parameters, { name, engineVersion, analyzers, isStored }) => {
    const isLegacy = engineVersion === 'Elasticsearch_6.8'
    const omitsNorms = parameters.get(OMIT_NORMS)
    if (omitsNorms !== undefined) parameters.set('norms', !omitsNorms).delete(OMIT_NORMS)
    // 7.x takes the default analyzer where a search analyzer stands alone.
    if (!isLegacy && parameters.has('search_analyzer') && !parameters.has('analyzer'))
      parameters.set('analyzer', 'default')
    const analyzer = parameters.get('analyzer')
    const search = parameters.get('search_analyzer')
    if (search !== undefined && analyzer === undefined) {
      throw mapperParsing(`analyzer on field [${name}] must be set when search_analyzer is set`)
    }
    if (isLegacy && parameters.has('search_quote_analyzer') && search === undefined) {
      throw mapperParsing(
        `analyzer and search_analyzer on field [${name}] must be set when search_quote_analyzer is set`,
      )
    }
    // What equals the analyzer it falls back to is not shown; with one for phrases 7.x shows the others too.
    const hasOwn = analyzers.analyzer('default_search')?.name === 'default_search'
    const ofIndex = hasOwn ? 'default_search' : 'default'
    const fallback = search ?? analyzer ?? (isLegacy ? undefined : ofIndex)
    if (parameters.get('search_quote_analyzer') === fallback) parameters.delete('search_quote_analyzer')
    else if (!isLegacy && parameters.has('search_quote_analyzer')) {
      parameters.set('analyzer', analyzer ?? 'default').set('search_analyzer', fallback)
    }
    if (search === analyzer && !parameters.has('search_quote_analyzer')) parameters.delete('search_analyzer')
    if (analyzer === 'default' && !parameters.has('search_analyzer')) parameters.delete('analyzer')
    checkSubFields(parameters, name)
    if (isStored !== true) checkPlaces(parameters, name)
  },
  checkMerge: (from, to, path) => {
    const text = (value: unknown): string => {
      const prefixes = value as { min_chars: number; max_chars: number } | undefined
      return prefixes === undefined
        ? 'null'
        : `indexed,tokenized,omitNorms,prefixChars=${prefixes.min_chars}:${prefixes.max_chars}`
    }
    const current = text(from.parameters.get('index_prefixes'))
    const merged = text(to.parameters.get('index_prefixes'))
    if (current !== merged) {
      throw illegalArgument(
        `mapper [${path}] has different index_prefix settings, current [${current}], merged [${merged}]`,
      )
    }
  },
  build: (scope) => {
    const value = (name: string): unknown => parameterValue(TEXT, scope.definition, name)
    const named = (name: string): Analyzer | undefined => {
      const analyzer = value(name)
      return typeof analyzer === 'string' ? scope.analyzers.analyzer(analyzer) : undefined
    }
    const given = named('analyzer')
    const analyzer = given ?? (scope.analyzers.analyzer('default') as Analyzer)
    const search = named('search_analyzer') ?? given ?? scope.analyzers.analyzer('default_search') ?? analyzer
    const quote =
      named('search_quote_analyzer') ??
      named('search_analyzer') ??
      given ??
      scope.analyzers.analyzer('default_search_quoted') ??
      search
    const field: TextField = {
      kind: 'text',
      nullValue: undefined,
      analyzer,
      searchAnalyzer: search,
      searchQuoteAnalyzer: quote,
      norms: value('norms') as boolean,
      indexOptions: value('index_options') as IndexOptions,
      positionIncrementGap: (value('position_increment_gap') as number | undefined) ?? DEFAULT_GAP,
      fielddata: value('fielddata') as boolean,
      ...similarityMembers(value('similarity'), scope, value('index_options')),
      termVector: value('term_vector') as string,
      ...fieldBase(TEXT, scope),
    }
    const { phrases, prefixes } = subFieldsOf(field, value('index_phrases'), value('index_prefixes'), scope)
    const subFields = [phrases, prefixes].filter((subField) => subField !== undefined)
    const parse = field.index || field.store ? scalarText : unkeptText
    return {
      field: {
        ...field,
        ...(phrases === undefined ? {} : { phrases }),
        ...(prefixes === undefined ? {} : { prefixes }),
      },
      parse: hasStrayOffsets(field, prefixes, scope)
        ? strayOffsets(field.path)
        : hasStrayVectors(field)
          ? strayVectors(field.path)
          : parse,
      subFields,
    }
  },
}

/** @throws {ServiceError} illegal_argument_exception where a text is not indexed as its sub-fields need it */
function checkSubFields(parameters: ReadonlyMap<string, unknown>, name: string): void {
  const isIndexed = parameters.get('index') !== false
  const options = parameters.get('index_options') ?? 'positions'
  if (parameters.get('index_prefixes') !== undefined && !isIndexed)
    throw illegalArgument(`Cannot set index_prefixes on unindexed field [${name}]`)
  if (parameters.get('index_phrases') !== true) return
  if (!isIndexed) throw illegalArgument(`Cannot set index_phrases on unindexed field [${name}]`)
  if (options !== 'positions' && options !== 'offsets')
    throw illegalArgument(`Cannot set index_phrases on field [${name}] if positions are not enabled`)
}

/** @throws {ServiceError} illegal_argument_exception for what a text that is not indexed so cannot have */
function checkPlaces(parameters: ReadonlyMap<string, unknown>, name: string): void {
  const isIndexed = parameters.get('index') !== false
  const options = parameters.get('index_options') ?? 'positions'
  const hasPositions = isIndexed && (options === 'positions' || options === 'offsets')
  if (parameters.has('position_increment_gap') && !hasPositions)
    throw illegalArgument(`Cannot set position_increment_gap on field [${name}] without positions enabled`)
  if (parameters.get('fielddata') === true && !isIndexed)
    throw illegalArgument(`Cannot enable fielddata on a [text] field that is not indexed: [${name}]`)
}

/** The fields that a text field makes for itself. */
function subFieldsOf(
  field: TextField,
  indexPhrases: unknown,
  indexPrefixes: unknown,
  { engineVersion, analyzers }: MappingScope,
): Pick<TextField, 'phrases' | 'prefixes'> {
  const { path, indexOptions } = field
  const isLegacy = engineVersion === 'Elasticsearch_6.8'
  // 6.x knows of no search analyzer of theirs.
  const searched = (name: string) =>
    analyzers.analyzer(name) ?? analyzers.analyzer('default_search') ?? analyzers.analyzer('default')
  const make = (subField: TextSubField, options: Partial<TextField>): TextField => ({
    kind: 'text',
    path: `${path}.${subFieldName(subField)}`,
    index: true,
    docValues: false,
    store: !isLegacy && field.store,
    nestedPath: field.nestedPath,
    boost: 1,
    copyTo: [],
    nullValue: undefined,
    analyzer: subFieldAnalyzer(field.analyzer, subField),
    searchAnalyzer: (isLegacy ? searched('default_search') : undefined) ?? field.searchAnalyzer,
    searchQuoteAnalyzer: (isLegacy ? searched('default_search_quoted') : undefined) ?? field.searchQuoteAnalyzer,
    norms: isLegacy || field.norms,
    indexOptions,
    positionIncrementGap: isLegacy ? ownGap(field.analyzer) : field.positionIncrementGap,
    fielddata: false,
    similarity: isLegacy ? 'BM25' : field.similarity,
    ...(isLegacy || field.similarityParameters === undefined
      ? {}
      : { similarityParameters: field.similarityParameters }),
    termVector: isLegacy ? 'no' : field.termVector,
    subField,
    ...options,
  })
  let prefixes: TextField | undefined
  if (indexPrefixes !== undefined) {
    const { min_chars: minChars, max_chars: maxChars } = indexPrefixes as { min_chars: number; max_chars: number }
    prefixes = make(
      { kind: 'prefix', minChars, maxChars },
      { norms: false, indexOptions: indexOptions === 'freqs' ? 'docs' : indexOptions },
    )
  }
  const phrases =
    indexPhrases === true
      ? make(
          { kind: 'phrase', followsGraph: !isLegacy },
          {
            positionIncrementGap: ownGap(field.analyzer),
            // 6.x keeps all of them where the text's have offsets.
            ...(isLegacy && field.termVector.includes('offsets') ? { termVector: 'with_positions_offsets' } : {}),
          },
        )
      : undefined
  return { ...(phrases === undefined ? {} : { phrases }), ...(prefixes === undefined ? {} : { prefixes }) }
}

/** 6.x keeps offsets of a text's vectors for its prefixes too, which have no vectors. */
function hasStrayOffsets(field: TextField, prefixes: TextField | undefined, { engineVersion }: MappingScope): boolean {
  return prefixes !== undefined && engineVersion === 'Elasticsearch_6.8' && field.termVector.includes('offsets')
}

/** What is only stored has no words to keep vectors of. */
const hasStrayVectors = (field: TextField): boolean => field.store && !field.index && field.termVector !== 'no'

const strayVectors =
  (path: string) =>
  (value: unknown): never => {
    scalarText(value)
    throw new IndexingFault(`cannot store term vectors for a field that is not indexed (field="${path}")`)
  }

/** Looks at a text that is kept nowhere. */
function unkeptText(value: unknown): undefined {
  scalarText(value)
}

const strayOffsets =
  (path: string) =>
  (value: unknown): never => {
    scalarText(value)
    // The prefixes stand under the field's own name, whatever it is part of.
    throw vectorsMissing('offsets', `${path.slice(path.lastIndexOf('.') + 1)}._index_prefix`)
  }

/** Lucene's fault of a field that says what its vectors hold and has none. */
export const vectorsMissing = (part: 'offsets' | 'positions', path: string): IndexingFault =>
  new IndexingFault(`cannot index term vector ${part} when term vectors are not indexed (field="${path}")`)

/** The gap left in phrases, by 6.x in prefixes too: not the mapping's, but that of the analyzer, which built-in ones have not. */
function ownGap(analyzer: Analyzer): number {
  const isCustom = analyzer instanceof ChainAnalyzer && analyzer.chain.names !== undefined
  return isCustom ? analyzer.positionIncrementGap : 0
}

function readFrequencyFilter(value: unknown): unknown {
  const given = (value ?? {}) as Record<string, unknown>
  const allowed = ['min', 'max', 'min_segment_size']
  const unknown = Object.keys(given).filter((key) => !allowed.includes(key))
  if (unknown.length > 0) {
    throw mapperParsing(
      `Mapping definition for [fielddata_frequency_filter] has unsupported parameters:  ${unknown.map((key) => `[${key} : ${String(given[key])}]`).join(' ')}`,
    )
  }
  return {
    min: readDouble(given['min'] ?? 0),
    max: readDouble(given['max'] ?? 2147483647),
    min_segment_size: readInteger(given['min_segment_size'] ?? 0),
  }
}

function readIndexPrefixes(
  value: unknown,
  scope: { readonly name: string; readonly engineVersion: EngineVersion },
): unknown {
  if (value === null && scope.engineVersion !== 'Elasticsearch_6.8') return undefined
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw failedJsonCast(value, 'java.util.Map')
  }
  const given = value as Record<string, unknown>
  const min = readInteger(given['min_chars'] ?? 2)
  const max = readInteger(given['max_chars'] ?? 5)
  const unknown = Object.keys(given).filter((key) => key !== 'min_chars' && key !== 'max_chars')
  if (unknown.length > 0) {
    throw mapperParsing(
      `Mapping definition for [${scope.engineVersion === 'Elasticsearch_6.8' ? 'index_prefixes' : scope.name}] has unsupported parameters:  ${unknown.map((key) => `[${key} : ${String(given[key])}]`).join(' ')}`,
    )
  }
  if (min > max) throw illegalArgument(`min_chars [${min}] must be less than max_chars [${max}]`)
  if (min < 1) throw illegalArgument(`min_chars [${min}] must be greater than zero`)
  if (max >= 20) throw illegalArgument(`max_chars [${max}] must be less than 20`)
  return { min_chars: min, max_chars: max }
}
