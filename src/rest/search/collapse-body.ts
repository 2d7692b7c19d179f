import { illegalInQueryPhase } from '../../engine/search/query-phase.ts'
import { ServiceError } from '../../errors.ts'
import { illegalArgument } from '../../illegal-argument.ts'
import { isObject } from '../../is-object.ts'
import { failedField, inField, parseFault } from '../../parse-fault.ts'
import { tokenName } from '../../token-name.ts'
import { NUMBER } from '../body/member-tokens.ts'
import type { JsonValue } from '../body/parse-json.ts'
import { readInt } from '../body/read-int.ts'
import { unknownField } from '../body/unknown-field.ts'
import { unknownKey } from '../body/unknown-key.ts'
import { parsingException } from '../parsing-exception.ts'
import type { QueryContext } from '../query-dsl/query-reader.ts'
import { type InnerHitOptions, readInnerHitOptions } from './inner-hit-options.ts'

/** `collapse` of a search. */
export interface Collapse {
  readonly field: string
  /** Hits of each group to show, by name. */
  readonly innerHits: ReadonlyMap<string, InnerHitOptions>
}

const MEMBERS = ['field', 'inner_hits', 'max_concurrent_group_searches']

/** @throws {ServiceError} parsing_exception, x_content_parse_exception, illegal_argument_exception */
export function parseCollapse(json: JsonValue | undefined, queries: QueryContext): Collapse | undefined {
  if (json === undefined) return undefined
  if (!isObject(json)) throw unknownKey('collapse', json)
  const isVersion6 = queries.engineVersion === 'Elasticsearch_6.8'
  for (const key of Object.keys(json)) {
    if (!MEMBERS.includes(key)) throw unknownField('collapse', key, isVersion6, MEMBERS, json)
  }
  const { field, inner_hits: inner, max_concurrent_group_searches: concurrent } = json
  if (field === undefined) throw illegalInQueryPhase('null keys are not supported')
  if (typeof field !== 'string')
    throw parseFault(`[collapse] field doesn't support values of type: ${tokenName(field)}`).at(json, 'field')
  if (field === '') throw failedField('collapse', 'field', illegalArgument('field name is null or empty'), json)
  if (concurrent !== undefined) {
    const token = tokenName(concurrent)
    if (!NUMBER.includes(token))
      throw parseFault(`[collapse] max_concurrent_group_searches doesn't support values of type: ${token}`).at(
        json,
        'max_concurrent_group_searches',
      )
    const check = (): void => {
      if (readInt(concurrent, isVersion6) > 0) return
      throw illegalArgument('maxConcurrentGroupRequests` must be positive')
    }
    inField('collapse', 'max_concurrent_group_searches', check, json)
  }
  return { field, innerHits: innerHitsOf(inner, queries) }
}

function innerHitsOf(json: JsonValue | undefined, queries: QueryContext): Collapse['innerHits'] {
  const byName = new Map<string, InnerHitOptions>()
  if (json === undefined) return byName
  for (const [i, one] of (Array.isArray(json) ? json : [json]).entries()) {
    if (!isObject(one) && Array.isArray(json))
      throw failedField('collapse', 'inner_hits', parsingException('Invalid token in inner_hits array').at(json, i))
    if (!isObject(one)) throw parseFault(`[collapse] inner_hits doesn't support values of type: ${tokenName(one)}`)
    const options = read(one, queries)
    if (options.name === undefined) throw illegalArgument('Field name cannot be null')
    byName.set(options.name, options)
  }
  return byName
}

function read(json: { readonly [name: string]: JsonValue }, queries: QueryContext): InnerHitOptions {
  try {
    const { stored_fields: stored, ...rest } = json
    // The searches of groups know no «no fields at all».
    const isNone = stored === '_none_' || (Array.isArray(stored) && stored.length === 1 && stored[0] === '_none_')
    return readInnerHitOptions(isNone ? rest : json, queries, true)
  } catch (error) {
    if (!(error instanceof ServiceError) || error.type !== 'x_content_parse_exception') throw error
    throw failedField('collapse', 'inner_hits', error)
  }
}
