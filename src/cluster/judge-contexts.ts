import type { JsonValue } from '../rest/body/parse-json.ts'
import type { ClusterCall } from './cluster-call.ts'
import type { ClusterState } from './cluster-state.ts'
import { bodyOf, member } from './json-members.ts'
import type { Found, JudgeContext, JudgedCall } from './judged-call.ts'

/** Judges the next page of scrolls, or their end. @throws {Error} a denial */
export async function judgeScroll(call: ClusterCall, route: Found, context: JudgeContext): Promise<JudgedCall> {
  const ids = [route.parameters['scroll_id'], call.query.get('scroll_id'), member(bodyOf(call), 'scroll_id')]
  const over = requireContexts(idsOf(ids), context, await context.state())
  return route.endpoint === 'scroll' ? { call, contextOver: over } : { call }
}

/** Judges looking at a task that was begun without waiting for it, or changing its course. @throws {Error} a denial */
export async function judgeTask(call: ClusterCall, route: Found, context: JudgeContext): Promise<JudgedCall> {
  requireContexts(idsOf([route.parameters['task_id'], call.query.get('task_id')]), context, await context.state())
  return { call }
}

/** Judges what scrolls, points in time and tasks go over; those that are not known are for who may do everything. */
export function requireContexts(
  ids: readonly string[],
  { rights, contexts }: JudgeContext,
  state: ClusterState,
): string[] {
  if (ids.length === 0) rights.requireDomain()
  return ids.flatMap((id) => {
    const expressions = contexts.find(id, rights.caller)
    if (expressions === undefined) rights.requireDomain()
    else rights.require(expressions, state, '_search')
    return expressions ?? []
  })
}

/** Ids as requests give them: one, several by commas, or an array. */
export function idsOf(values: readonly (JsonValue | undefined)[]): string[] {
  return values
    .flat()
    .filter((id) => id !== undefined && id !== null)
    .flatMap((id) => String(id).split(','))
}

/** `/<index>/_search/point_in_time` and `/_search/point_in_time`, which 7.10 does not have. */
export function isPointInTime({ method, segments }: ClusterCall): boolean {
  const [end, before, index] = [...segments].reverse()
  if (end !== 'point_in_time' || before !== '_search') return false
  return method === 'POST'
    ? segments.length === 3 && index?.startsWith('_') === false
    : method === 'DELETE' && segments.length === 2
}

/** Judges the making and ending of points in time. @throws {Error} a denial */
export async function judgePointInTime(call: ClusterCall, context: JudgeContext): Promise<JudgedCall> {
  const state = await context.state()
  if (call.method === 'DELETE') {
    requireContexts(idsOf([member(bodyOf(call), 'pit_id')]), context, state)
    return { call }
  }
  const names = (call.segments[0] as string).split(',')
  context.rights.require(names, state, '_search')
  return { call, contextOver: names }
}
