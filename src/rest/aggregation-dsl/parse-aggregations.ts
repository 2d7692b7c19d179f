import type {
  AggregationDefinition,
  AggregationNode,
  AggregationTree,
  PipelineNode,
} from '../../engine/aggregation/aggregation-tree.ts'
import type { PipelineDefinition } from '../../engine/aggregation/pipelines/pipeline-definition.ts'
import { ServiceError } from '../../errors.ts'
import { illegalArgument } from '../../illegal-argument.ts'
import { isObject } from '../../is-object.ts'
import { tokenName } from '../../token-name.ts'
import { didYouMean } from '../body/did-you-mean.ts'
import type { JsonValue } from '../body/parse-json.ts'
import { unknownKey } from '../body/unknown-key.ts'
import { noteAggregation } from '../deprecation/aggregation-deprecations.ts'
import { AggregationBody, type AggregationParseContext, type JsonObject, parsingError } from './aggregation-body.ts'
import {
  AGGREGATIONS,
  LEAF_AGGREGATIONS,
  OPENSEARCH_ONLY,
  PIPELINES,
  SINCE_7,
  UNSUPPORTED_AGGREGATIONS,
} from './aggregation-types.ts'

/** Aggregations in one another at most: the real server overflows its stack somewhere beyond. */
const MAX_DEPTH = 300

const NAME = /^[^[\]>]+$/

/**
 * Reads the `aggs` of a search.
 *
 * @param json  the value of `aggs` or `aggregations`
 * @throws {ServiceError} parsing_exception, x_content_parse_exception, … in the real server's words
 */
export function parseAggregations(json: JsonValue, context: AggregationParseContext): AggregationTree {
  if (!isObject(json)) throw unknownKey('aggs', json)
  return parseLevel(json, context, 1)
}

function parseLevel(json: JsonObject, context: AggregationParseContext, depth: number): AggregationTree {
  if (depth > MAX_DEPTH)
    throw parsingError(`The number of aggregations nested in one another exceeds the limit of [${MAX_DEPTH}]`)
  const aggregations: AggregationNode[] = []
  const pipelines: PipelineNode[] = []
  const is6 = context.engineVersion === 'Elasticsearch_6.8'
  for (const [name, definition] of Object.entries(json)) {
    if (!NAME.test(name)) {
      throw parsingError(
        is6
          ? `Invalid aggregation name [${name}]. Aggregation names must be alpha-numeric and can only contain '_' and '-'`
          : `Invalid aggregation name [${name}]. Aggregation names can contain any character except '[', ']', and '>'`,
      ).at(json, name, 'name')
    }
    if (!isObject(definition)) {
      throw parsingError(
        `Aggregation definition for [${name} starts with a [${tokenName(definition)}], expected a [START_OBJECT].`,
      ).at(json, name)
    }
    const node = parseOne(name, definition, context, depth)
    if (node.kind === 'pipeline') pipelines.push(node.node)
    else aggregations.push(node.node)
  }
  return { aggregations, pipelines }
}

type ParsedNode =
  | { readonly kind: 'aggregation'; readonly node: AggregationNode }
  | { readonly kind: 'pipeline'; readonly node: PipelineNode }

/** Reads an aggregation member by member, so that of several faults the first one in the text is told. */
function parseOne(name: string, json: JsonObject, context: AggregationParseContext, depth: number): ParsedNode {
  let metadata: JsonObject | undefined
  let inside: AggregationTree | undefined
  let found: ReturnType<typeof parseBody> | undefined
  for (const [field, value] of Object.entries(json)) {
    if (!isObject(value))
      throw parsingError(`Expected [START_OBJECT] under [${field}], but got a [${tokenName(value)}] in [${name}]`).at(
        json,
        field,
      )
    if (field === 'meta') metadata = value
    else if (field === 'aggregations' || field === 'aggs') {
      if (inside !== undefined) throw parsingError(`Found two sub aggregation definitions under [${name}]`).at(value)
      inside = parseLevel(value, context, depth + 1)
    } else {
      if (found !== undefined)
        throw parsingError(`Found two aggregation type definitions in [${name}]: [${found.type}] and [${field}]`).at(
          value,
        )
      found = parseBody(name, field, value, context)
    }
  }
  if (found === undefined) throw parsingError(`Missing definition for aggregation [${name}]`).at(json, undefined, 'end')
  if (found.kind === 'pipeline') {
    if (inside !== undefined) {
      throw illegalArgument(`Aggregation [${name}] cannot define sub-aggregations`)
    }
    return { kind: 'pipeline', node: { name, metadata, definition: found.definition } }
  }
  if (
    inside !== undefined &&
    LEAF_AGGREGATIONS.has(found.type) &&
    (context.engineVersion !== 'OpenSearch_2.19' || !isEmpty(inside))
  ) {
    throw new ServiceError(
      'aggregation_initialization_exception',
      `Aggregator [${name}] of type [${found.type}] cannot accept sub-aggregations`,
    )
  }
  return {
    kind: 'aggregation',
    node: {
      name,
      metadata,
      definition: found.definition,
      inside: inside ?? { aggregations: [], pipelines: [] },
      ...(found.faults.length === 0 ? {} : { faults: found.faults }),
    },
  }
}

/** Reads what stands under an aggregation's type. */
function parseBody(
  name: string,
  type: string,
  json: JsonObject,
  context: AggregationParseContext,
):
  | {
      readonly kind: 'aggregation'
      readonly type: string
      readonly definition: AggregationDefinition
      readonly faults: readonly ServiceError[]
    }
  | { readonly kind: 'pipeline'; readonly type: string; readonly definition: PipelineDefinition } {
  const isTooNew = context.engineVersion === 'Elasticsearch_6.8' && SINCE_7.has(type)
  const isElsewhere = context.engineVersion !== 'OpenSearch_2.19' && OPENSEARCH_ONLY.has(type)
  if (isTooNew || isElsewhere) throw unknownType(type, json, context)
  if (context.queries.warnings !== undefined) noteAggregation(type, json, context.queries.warnings)
  if (Object.hasOwn(UNSUPPORTED_AGGREGATIONS, type)) {
    throw illegalArgument(UNSUPPORTED_AGGREGATIONS[type] as string)
  }
  const body = new AggregationBody(json, parserOf(type, context), name, context)
  const pipeline = Object.hasOwn(PIPELINES, type) ? PIPELINES[type] : undefined
  if (pipeline !== undefined) {
    const definition = body.readAll(() => pipeline(body))
    return { kind: 'pipeline', type, definition }
  }
  const parse = Object.hasOwn(AGGREGATIONS, type) ? AGGREGATIONS[type] : undefined
  if (parse === undefined) throw unknownType(type, json, context)
  const definition = body.readAll(() => parse(body))
  return { kind: 'aggregation', type, definition, faults: body.faults }
}

/** What the parser of a type calls itself: 6.x' reads one as it does another. */
function parserOf(type: string, { engineVersion }: AggregationParseContext): string {
  return type === 'min' && engineVersion === 'Elasticsearch_6.8' ? 'avg' : type
}

function isEmpty(tree: AggregationTree): boolean {
  return tree.aggregations.length === 0 && tree.pipelines.length === 0
}

function unknownType(type: string, json: JsonObject, context: AggregationParseContext): ServiceError {
  if (context.engineVersion === 'Elasticsearch_6.8') {
    return new ServiceError(
      'named_object_not_found_exception',
      `unable to parse BaseAggregationBuilder with name [${type}]: parser not found`,
    ).at(json)
  }
  const cause = new ServiceError('named_object_not_found_exception', `unknown field [${type}]`).at(json)
  const known = new Set([...Object.keys(AGGREGATIONS), ...Object.keys(PIPELINES)])
  if (context.engineVersion !== 'OpenSearch_2.19') for (const name of OPENSEARCH_ONLY) known.delete(name)
  const reason = `Unknown aggregation type [${type}]${didYouMean(type, known)}`
  return new ServiceError('parsing_exception', reason, { cause })
}
