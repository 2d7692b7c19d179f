import { matchWildcard } from '../../match-wildcard.ts'
import type { EndpointRequest } from '../rest-request.ts'

/** Which of an index's parts to break statistics down by: patterns of their names. */
export interface StatsDetail {
  readonly types?: readonly string[]
  readonly groups?: readonly string[]
  readonly fielddataFields?: readonly string[]
  readonly completionFields?: readonly string[]
}

/** Reads what a call for statistics asks to be told apart. */
export function readDetail({ parameters }: EndpointRequest): StatsDetail {
  const types = parameters.list('types')
  const groups = parameters.list('groups')
  const fields = parameters.list('fields')
  const fielddataFields = parameters.list('fielddata_fields') ?? fields
  const completionFields = parameters.list('completion_fields') ?? fields
  return {
    ...(types === undefined ? {} : { types }),
    ...(groups === undefined ? {} : { groups }),
    ...(fielddataFields === undefined ? {} : { fielddataFields }),
    ...(completionFields === undefined ? {} : { completionFields }),
  }
}

/** Whether patterns name a type or group: `_all` by itself names every one. */
export function isTold(patterns: readonly string[] | undefined, name: string): boolean {
  if (patterns === undefined) return false
  const [first] = patterns
  return (patterns.length === 1 && first === '_all') || patterns.some((pattern) => matchWildcard(pattern, name))
}
