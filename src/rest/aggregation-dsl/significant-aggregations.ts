import type { SignificanceHeuristic } from '../../engine/aggregation/significance-heuristic.ts'
import type { SignificantTermsDefinition } from '../../engine/aggregation/significant-terms-aggregator.ts'
import type { SignificantTextDefinition } from '../../engine/aggregation/significant-text-aggregator.ts'
import { ServiceError } from '../../errors.ts'
import { isObject } from '../../is-object.ts'
import { failedField, parseFault } from '../../parse-fault.ts'
import { readScript } from '../query-dsl/read-script.ts'
import { type AggregationBody, illegalArgument } from './aggregation-body.ts'
import { checkExecutionHint, readIncludeExclude, readThresholds } from './terms-aggregation.ts'
import { readValuesSource } from './values-source-fields.ts'

/** `significant_terms`. */
export function parseSignificantTerms(body: AggregationBody): SignificantTermsDefinition {
  const source = readValuesSource(body)
  const rest = readRest(body)
  const executionHint = checkExecutionHint(body)
  checkUnread(body)
  return { kind: 'significant_terms', source, executionHint, ...rest }
}

/** `significant_text`. */
export function parseSignificantText(body: AggregationBody): SignificantTextDefinition {
  const field = body.string('field') ?? ''
  // The real server looks for a field of no name in each index.
  if (!body.has('field'))
    body.refuse(new ServiceError('illegal_argument_exception', 'null keys are not supported', { inQueryPhase: true }))
  const sourceFields = body.strings('source_fields')
  const filtersDuplicates = body.boolean('filter_duplicate_text') ?? false
  const rest = readRest(body)
  checkUnread(body)
  return { kind: 'significant_text', field, sourceFields, filtersDuplicates, ...rest }
}

/** From 7 on a member that nobody knows might name a heuristic. @throws {ServiceError} x_content_parse_exception */
function checkUnread(body: AggregationBody): void {
  const field = body.unread()
  if (field === undefined || body.context.engineVersion === 'Elasticsearch_6.8') return
  const { type, reason, detail } = body.unknown(field)
  const cause = body.at(field, new ServiceError('named_object_not_found_exception', `unknown field [${field}]`))
  throw new ServiceError(type, reason, { ...detail, cause })
}

function readRest(
  body: AggregationBody,
): Pick<
  SignificantTermsDefinition,
  'size' | 'shardSize' | 'minDocCount' | 'shardMinDocCount' | 'heuristic' | 'background' | 'filter'
> {
  // A shard sends twice what one of many would.
  const { size, shardSize = 2 * Math.trunc(1.5 * size + 10), ...counts } = readThresholds(body, 10, 3)
  const filter = readIncludeExclude(body)
  const background = body.read('background_filter', (query) => body.context.parseQuery(query))
  return { size, shardSize, ...counts, heuristic: readHeuristic(body) ?? { kind: 'jlh' }, background, filter }
}

/** `script_heuristic`. @throws {ServiceError} x_content_parse_exception, illegal_argument_exception */
function readScriptHeuristic(body: AggregationBody): SignificanceHeuristic | undefined {
  const kind = 'script_heuristic'
  const json = body.raw(kind)
  if (json === undefined) return undefined
  const is6 = body.context.engineVersion === 'Elasticsearch_6.8'
  if (!isObject(json)) {
    if (is6) throw body.wrongToken(kind, json)
    throw parseFault(`[${kind}] Expected START_OBJECT but was: ${Array.isArray(json) ? 'END_ARRAY' : 'END_OBJECT'}`)
  }
  const failed = (reason: string): ServiceError =>
    new ServiceError('parse_exception', `failed to parse [${kind}] significance heuristic. ${reason}`)
  for (const field of Object.keys(json)) {
    if (field === 'script') continue
    throw is6
      ? failedField(body.type, kind, failed(`unknown object [${field}]`).at(json, field))
      : parseFault(`[${kind}] unknown field [${field}]`).at(json, field, 'field')
  }
  if (json['script'] === undefined) {
    throw is6 ? body.failed(kind, failed(`no script found in ${kind}`)) : illegalArgument('Required [script]')
  }
  return { kind: 'script', script: readScript(json['script'], body.context.queries) }
}

function readHeuristic(body: AggregationBody): SignificanceHeuristic | undefined {
  let found = readScriptHeuristic(body)
  for (const kind of ['jlh', 'percentage', 'mutual_information', 'chi_square', 'gnd'] as const) {
    const json = body.raw(kind)
    if (json === undefined) continue
    if (!isObject(json)) throw body.wrongToken(kind, json)
    const known = kind === 'jlh' || kind === 'percentage' ? [] : ['include_negatives', 'background_is_superset']
    for (const field of Object.keys(json)) {
      if (known.includes(field) && !(kind === 'gnd' && field === 'include_negatives')) continue
      const cause = new ServiceError(
        'parse_exception',
        known.length === 0
          ? `failed to parse [${kind}] significance heuristic. expected an empty object, but found [FIELD_NAME] instead`
          : `failed to parse [${kind}] significance heuristic. unknown field [${field}]`,
      )
      throw body.failed(kind, cause)
    }
    if (kind === 'jlh' || kind === 'percentage') found = { kind }
    else {
      const flag = (name: string, fallback: boolean): boolean =>
        json[name] === undefined ? fallback : json[name] === true || json[name] === 'true'
      found = {
        kind,
        backgroundIsSuperset: flag('background_is_superset', true),
        includeNegatives: flag('include_negatives', false),
      }
    }
  }
  return found
}
