import type { SignificanceHeuristic } from '../../engine/aggregation/terms/significance-heuristic.ts'
import type { SignificantTermsDefinition } from '../../engine/aggregation/terms/significant-terms-aggregator.ts'
import type { SignificantTextDefinition } from '../../engine/aggregation/terms/significant-text-aggregator.ts'
import { illegalInQueryPhase } from '../../engine/search/query-phase.ts'
import { ServiceError } from '../../errors.ts'
import { illegalArgument } from '../../illegal-argument.ts'
import { OBJECT } from '../body/member-tokens.ts'
import type { JsonValue } from '../body/parse-json.ts'
import { tokenBoolean } from '../body/token-boolean.ts'
import { readScript } from '../query-dsl/read-script.ts'
import type { AggregationBody, JsonObject } from './aggregation-body.ts'
import { checkExecutionHint, readIncludeExclude, readThresholds } from './terms-aggregation.ts'
import { readValueScript, readValuesSource } from './values-source-fields.ts'

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
  if (!body.has('field')) body.refuse(illegalInQueryPhase('null keys are not supported'))
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
  const { size, shardSize = 2 * Math.trunc(1.5 * size + 10), ...counts } = readThresholds(body, 10, 3, true)
  const filter = readIncludeExclude(body)
  const background = body.ofTokens('background_filter', OBJECT, (query) => body.context.parseQuery(query))
  return { size, shardSize, ...counts, heuristic: readHeuristic(body) ?? { kind: 'jlh' }, background, filter }
}

const KINDS = ['jlh', 'percentage', 'mutual_information', 'chi_square', 'gnd'] as const

type Flags = Readonly<Partial<Record<string, boolean>>>

function readHeuristic(body: AggregationBody): SignificanceHeuristic | undefined {
  let found: SignificanceHeuristic | undefined
  for (const kind of KINDS) {
    const known = FLAGS[kind]
    const flags = body.isLegacy
      ? body.ofTokens(kind, OBJECT, (json) => legacyFlags(kind, json as JsonObject, known))
      : body.own(kind, (inside): Flags => Object.fromEntries(known.map((name) => [name, inside.boolean(name)])))
    if (flags === undefined) continue
    const { background_is_superset: backgroundIsSuperset = true, include_negatives: includeNegatives = false } = flags
    found = kind === 'jlh' || kind === 'percentage' ? { kind } : { kind, backgroundIsSuperset, includeNegatives }
  }
  const script = body.isLegacy
    ? body.ofTokens('script_heuristic', OBJECT, (json) =>
        readScript(legacyScript(json as JsonObject), body.context.queries),
      )
    : body.own('script_heuristic', (inside) => {
        const read = readValueScript(inside)
        if (read === undefined) inside.refuse(illegalArgument('Required [script]'))
        return read
      })
  return script === undefined ? found : { kind: 'script', script }
}

const FLAGS: Readonly<Record<(typeof KINDS)[number], readonly string[]>> = {
  jlh: [],
  percentage: [],
  mutual_information: ['include_negatives', 'background_is_superset'],
  chi_square: ['include_negatives', 'background_is_superset'],
  gnd: ['background_is_superset'],
}

const malformed = (kind: string, what: string): ServiceError =>
  new ServiceError('parse_exception', `failed to parse [${kind}] significance heuristic. ${what}`)

/** @throws {ServiceError} parse_exception, json_parse_exception, illegal_argument_exception */
function legacyFlags(kind: string, json: JsonObject, known: readonly string[]): Flags {
  const flags: Record<string, boolean> = {}
  for (const [name, value] of Object.entries(json)) {
    const verb = kind === 'percentage' ? 'got' : 'found'
    if (known.length === 0) throw malformed(kind, `expected an empty object, but ${verb} [FIELD_NAME] instead`)
    if (!known.includes(name)) throw malformed(kind, `unknown field [${name}]`)
    flags[name] = tokenBoolean(value)
  }
  return flags
}

/** @throws {ServiceError} parse_exception */
function legacyScript(json: JsonObject): JsonValue {
  const unknown = Object.keys(json).find((name) => name !== 'script')
  if (unknown !== undefined) throw malformed('script_heuristic', `unknown object [${unknown}]`)
  const { script } = json
  if (script === undefined) throw malformed('script_heuristic', 'no script found in script_heuristic')
  return script
}
