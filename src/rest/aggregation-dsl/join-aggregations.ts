import type { ChildrenDefinition, ParentDefinition } from '../../engine/aggregation/buckets/join-aggregator.ts'
import { tokenName } from '../../token-name.ts'
import { type AggregationBody, parsingError } from './aggregation-body.ts'

/** `children`. */
export function parseChildren(body: AggregationBody): ChildrenDefinition {
  return { kind: 'children', childType: childType(body, 'children') }
}

/** `parent`. */
export function parseParents(body: AggregationBody): ParentDefinition {
  return { kind: 'parent', childType: childType(body, 'parent') }
}

function childType(body: AggregationBody, kind: string): string {
  let type: string | undefined
  for (const [key, value] of Object.entries(body.whole())) {
    if (typeof value !== 'string')
      throw body.at(key, parsingError(`Unexpected token ${tokenName(value)} in [${body.name}].`))
    if (key !== 'type') throw body.at(key, parsingError(`Unknown key for a VALUE_STRING in [${body.name}]: [${key}].`))
    type = value
  }
  if (type === undefined)
    throw body.atEnd(parsingError(`Missing [child_type] field for ${kind} aggregation [${body.name}]`))
  return type
}
