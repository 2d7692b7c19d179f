import type { JsonValue } from '../../rest/body/parse-json.ts'
import type { Json } from '../../rest/json/json-writer.ts'
import type { Route } from '../../rest/router.ts'
import type { ClusterCall } from '../cluster-call.ts'
import type { IndexTypes, NewType } from './index-types.ts'

/** An answer as JSON. */
export interface JsonAnswer {
  readonly status: number
  readonly json: Json
}

/** A call in the words of a cluster without types, and what becomes of its answer. */
export interface TypedCall {
  /** Absent when the domain answers by itself. */
  readonly call?: ClusterCall
  readonly direct?: JsonAnswer
  /** Elements of the answer's array that were not asked for, by place: put in as they are. */
  readonly inserted?: { readonly member: 'items' | 'docs'; readonly elements: ReadonlyMap<number, Json> }
  /** The type to show behind the nth `_index` of the answer. */
  readonly typeShown?: (index: string, count: number) => string
  /** Words a short answer anew. */
  readonly rewrite?: (status: number, json: JsonValue) => JsonAnswer
  /** Types to remember when the call succeeds. */
  readonly remembered?: readonly NewType[]
  /** Whether it changes which indices there are. */
  readonly changesIndices?: boolean
}

/** What a translation is made from. */
export interface TypedRequest {
  readonly call: ClusterCall
  readonly route: Extract<Route, { kind: 'found' }>
  readonly types: IndexTypes
}

/** Translates the calls to some endpoints. @throws {ServiceError} for what has no translation */
export type TypedTranslation = (request: TypedRequest) => Promise<TypedCall> | TypedCall

/** The path's types; undefined for none, or all. */
export function pathTypes({ route }: TypedRequest): readonly string[] | undefined {
  const { type } = route.parameters
  return type === undefined || type === '_all' || type === '*' ? undefined : type.split(',')
}

/** The path's indices: none for all. */
export function pathIndices({ route }: TypedRequest): readonly string[] {
  const { index } = route.parameters
  return index === undefined ? [] : index.split(',')
}

/** A path of the parts that are there. */
export function segments(...parts: readonly (string | undefined)[]): readonly string[] {
  return parts.filter((part) => part !== undefined)
}
