import type { ServiceError } from '../../../errors.ts'
import type { SegmentReader } from '../../index/segment-reader.ts'
import { javaFloat } from '../../java/java-number-text.ts'
import type { FieldMapping, RankFeatureField } from '../../mapping/field-mapping.ts'
import { TYPED_METADATA } from '../../mapping/metadata-fields.ts'
import { featureOfFrequency, frequencyOfFeature } from '../../mapping/types/rank-feature-field-types.ts'
import { hasBit } from '../lucene/bit-set.ts'
import { DocScoreQuery, type DocScores } from '../lucene/doc-score-query.ts'
import { docSetHas, listDocSet } from '../lucene/doc-set.ts'
import { explainMatch, explainNoMatch } from '../lucene/explanation.ts'
import { type Leaf, segmentKey } from '../lucene/leaf.ts'
import type { LuceneQuery } from '../lucene/lucene-query.ts'
import { MatchNoDocsQuery } from '../lucene/match-no-docs-query.ts'
import type { SearchContext } from '../lucene/search-context.ts'
import type { FeatureFunction, RankFeatureQuery } from './query.ts'
import { fieldOf, illegalQuery, type QueryContext, typeName } from './query-context.ts'

const fround = Math.fround

/** The DSL's `rank_feature`. */
export function rankFeatureQuery(query: RankFeatureQuery, context: QueryContext): LuceneQuery {
  const field = fieldOf(query.field, context)
  const { function: made } = query
  if (field === undefined) {
    const dot = query.field.lastIndexOf('.')
    const parent = dot < 0 ? undefined : fieldOf(query.field.slice(0, dot), context)
    if (parent === undefined && TYPED_METADATA[context.search.engineVersion].has(query.field))
      throw notOfFeatures(query.field, context)
    if (!isFeature(parent) || parent.type !== 'rank_features') {
      return new MatchNoDocsQuery(`unmapped field [${query.field}]`)
    }
    checkFunction(made, context)
    return featureQuery(parent.path, query.field.slice(dot + 1), made, context.search)
  }
  if (!isFeature(field) || field.type !== 'rank_feature') throw notOfFeatures(typeName(field), context)
  if (made.shape === 'log' && !field.positiveScoreImpact) {
    throw illegalQuery(
      context,
      'Cannot use the [log] function with a field that has a negative score impact as it would trigger negative scores',
    )
  }
  checkFunction(made, context)
  return featureQuery(field.path, undefined, made, context.search)
}

/** @throws {ServiceError} query_shard_exception in Lucene's words */
function checkFunction(made: FeatureFunction, context: QueryContext): void {
  const refuse = (what: string, value: number): ServiceError =>
    illegalQuery(context, `${what}, got: ${javaFloat(value)}`)
  if (made.shape === 'log' && made.scalingFactor < 1) throw refuse('scalingFactor must be >= 1', made.scalingFactor)
  if ((made.shape === 'saturation' || made.shape === 'sigmoid') && made.pivot !== undefined && made.pivot <= 0)
    throw refuse('pivot must be > 0', made.pivot)
  if (made.shape === 'sigmoid' && made.exponent <= 0) throw refuse('exp must be > 0', made.exponent)
}

function notOfFeatures(type: string, context: QueryContext): ServiceError {
  return illegalQuery(
    context,
    `[rank_feature] query only works on [rank_feature] fields and features of [rank_features] fields, not [${type}]`,
  )
}

function isFeature(field: FieldMapping | undefined): field is RankFeatureField {
  return field?.kind === 'opaque' && 'positiveScoreImpact' in field
}

function featureQuery(
  path: string,
  feature: string | undefined,
  made: FeatureFunction,
  search: SearchContext,
): LuceneQuery {
  const pivot = (): number => averageFeature(path, feature, search)
  const score = scoreOf(made, pivot)
  const called = feature ?? path
  const text = (ofFunction: string): string =>
    `FeatureQuery(field=${feature === undefined ? '_feature' : path}, feature=${called}, function=${ofFunction})`
  const key = `FeatureQuery:${JSON.stringify([path, feature, made])}`
  const rewritten = (): string => functionText(made, pivot)
  const open = ({ segment }: Leaf): DocScores => {
    const { docs, values } = featuresOf(segment, path, feature)
    const set = listDocSet(docs)
    return {
      docs: set,
      score: (doc, boost) => score(valueAt(docs, values, doc), boost),
      explain: (doc, boost) => {
        if (!docSetHas(set, doc)) {
          const asked = `weight(${text(rewritten())} in ${doc}) [${rewritten()}]`
          return explainNoMatch(`${asked}. Feature ${called} ${docs.length === 0 ? "doesn't exist" : "isn't set"}.`)
        }
        const value = valueAt(docs, values, doc)
        const { name, terms } = formulaOf(made, pivot, search.isLucene9)
        const own = feature === undefined ? `_feature field for the ${path}` : `${path} field for the ${feature}`
        return explainMatch(
          score(value, boost),
          `${name[0]} function on the ${own} feature, computed as ${name[1]} from:`,
          [
            explainMatch(boost, 'w, weight of this function'),
            ...terms.map(([term, meaning]) => explainMatch(term, meaning)),
            explainMatch(value, 'S, feature value'),
          ],
        )
      },
    }
  }
  return new DocScoreQuery(text(functionText(made, () => undefined)), open, key, () => text(rewritten()))
}

/** A function in Lucene's toString. @param average  undefined: not known before the query is rewritten */
function functionText(made: FeatureFunction, average: () => number | undefined): string {
  switch (made.shape) {
    case 'log':
      return `LogFunction(scalingFactor=${javaFloat(made.scalingFactor)})`
    case 'saturation': {
      const pivot = made.pivot ?? average()
      return `SaturationFunction(pivot=${pivot === undefined ? 'null' : javaFloat(pivot)})`
    }
    case 'sigmoid':
      return `SigmoidFunction(pivot=${javaFloat(made.pivot)}, a=${javaFloat(made.exponent)})`
    case 'linear':
      return 'LinearFunction'
  }
}

interface Formula {
  /** What it is called, and how it is written. */
  readonly name: readonly [string, string]
  /** What stands in it besides the weight and the feature, each with what it means. */
  readonly terms: readonly (readonly [value: number, meaning: string])[]
}

const PIVOT = 'k, pivot feature value that would give a score contribution equal to w/2'
const EXPONENT = 'a, exponent, higher values make the function grow slower before k and faster after k'

/** A function in Lucene's words. */
function formulaOf(made: FeatureFunction, average: () => number, isLucene9: boolean): Formula {
  switch (made.shape) {
    case 'log':
      return { name: ['Log', 'w * log(a + S)'], terms: [[made.scalingFactor, 'a, scaling factor']] }
    case 'saturation':
      return { name: ['Saturation', 'w * S / (S + k)'], terms: [[made.pivot ?? average(), PIVOT]] }
    case 'sigmoid': {
      const { pivot, exponent } = made
      // Lucene 8 tells the pivot in the exponent's place, too.
      const told = isLucene9 ? exponent : pivot
      return {
        name: ['Sigmoid', 'w * S^a / (S^a + k^a)'],
        terms: [
          [pivot, PIVOT],
          [told, EXPONENT],
        ],
      }
    }
    case 'linear':
      return { name: ['Linear', 'w * S'], terms: [] }
  }
}

/** A function's score for a feature and a boost, step by step as Lucene reckons it. */
function scoreOf(made: FeatureFunction, average: () => number): (feature: number, boost: number) => number {
  switch (made.shape) {
    case 'log': {
      const { scalingFactor } = made
      return (feature, boost) => fround(boost * Math.log(fround(scalingFactor + feature)))
    }
    case 'saturation': {
      let known = made.pivot
      return (feature, boost) => {
        known ??= average()
        return fround(boost * fround(1 - fround(known / fround(feature + known))))
      }
    }
    case 'sigmoid': {
      const { pivot, exponent } = made
      const raised = pivot ** exponent
      return (feature, boost) => fround(boost * (1 - raised / (feature ** exponent + raised)))
    }
    case 'linear':
      return (feature, boost) => fround(boost * feature)
  }
}

/** The feature whose frequency is the average of all; 1 where there is none. */
function averageFeature(path: string, feature: string | undefined, search: SearchContext): number {
  let sum = 0
  let count = 0
  for (const { segment } of search.leaves) {
    const { values } = featuresOf(segment, path, feature)
    count += values.length
    for (const value of values) sum += frequencyOfFeature(value)
  }
  return count === 0 ? 1 : featureOfFrequency(Math.trunc(fround(sum / count)))
}

interface Features {
  /** Ascending. */
  readonly docs: Int32Array
  /** By place in `docs`. */
  readonly values: Float32Array
}

/** By segment, then path and feature. */
const known = new WeakMap<object, Map<string, Features>>()

function featuresOf(segment: SegmentReader, path: string, feature: string | undefined): Features {
  const key = segmentKey(segment)
  let bySegment = known.get(key)
  if (bySegment === undefined) {
    bySegment = new Map()
    known.set(key, bySegment)
  }
  const name = JSON.stringify([path, feature])
  let found = bySegment.get(name)
  if (found === undefined) {
    found = readFeatures(segment, path, feature)
    bySegment.set(name, found)
  }
  return found
}

function readFeatures(segment: SegmentReader, path: string, feature: string | undefined): Features {
  const column = segment.field(path)?.docValues
  const docs: number[] = []
  const values: number[] = []
  if (column?.kind === 'binary') {
    const { present, offsets } = column
    for (let doc = 0; doc < segment.maxDoc; doc++) {
      if (present !== undefined && !hasBit(present, doc)) continue
      const at = offsets === undefined ? doc : (offsets[doc] as number)
      if (offsets !== undefined && at === offsets[doc + 1]) continue
      const json: unknown = JSON.parse(Buffer.from(column.value(at)).toString())
      const value = feature === undefined ? json : (json as Record<string, unknown>)[feature]
      if (typeof value !== 'number') continue
      docs.push(doc)
      values.push(value)
    }
  }
  return { docs: Int32Array.from(docs), values: Float32Array.from(values) }
}

function valueAt(docs: Int32Array, values: Float32Array, doc: number): number {
  let low = 0
  let high = docs.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((docs[middle] as number) < doc) low = middle + 1
    else high = middle
  }
  return values[low] as number
}
