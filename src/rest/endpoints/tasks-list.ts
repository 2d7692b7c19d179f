import { parseTimeMs } from '../../engine/metadata/time-value.ts'
import { ServiceError } from '../../errors.ts'
import { illegalArgument } from '../../illegal-argument.ts'
import { timerOf } from '../../longest-timer.ts'
import { matchWildcard } from '../../match-wildcard.ts'
import type { EndpointHandler, RestContext } from '../endpoint-handler.ts'
import type { Json } from '../json/json-writer.ts'
import type { EndpointRequest } from '../rest-request.ts'
import { maySeeTask } from '../tasks/judge-task.ts'
import { cancelledJson, nodesWithTasks, taskHeaders, taskJson, usedJson } from '../tasks/render-task.ts'
import type { RunningTask } from '../tasks/running-task.ts'
import { parseTaskId, type TaskId } from '../tasks/task-id.ts'

/** A call for the list of tasks, as one of them: the call itself, and what each node is asked by it. */
export interface ListingTask {
  readonly id: number
  readonly action: string
  readonly type: 'transport' | 'direct'
  readonly parentId?: number
}

/** Those of a call's own two tasks that it asks for. */
export function listingTasks(request: EndpointRequest, context: RestContext): readonly ListingTask[] {
  const [action, parentId] = ['cluster:monitor/tasks/lists', context.tasks.nextId()]
  const tasks: readonly ListingTask[] = [
    { id: parentId, action, type: 'transport' },
    { id: context.tasks.nextId(), action: `${action}[n]`, type: 'direct', parentId },
  ]
  return parentTask(request) === undefined ? tasks.filter((task) => isSelected(request, context, task.action)) : []
}

/** `GET /_tasks`: what runs, and this call itself. */
export const tasksList: EndpointHandler = async (request, context) => {
  const { parameters } = request
  const tasks = selectTasks(request, context)
  if (parameters.boolean('wait_for_completion', false)) await ended(tasks, waitMs(request))
  const detailed = parameters.boolean('detailed', false)
  const shown: Record<string, Json> = {}
  for (const task of tasks) {
    // That something runs is for everybody who may ask, what it is about for those who may see its indices.
    const isDetailed = detailed && maySeeTask(request, context, task)
    shown[`${context.engine.nodeId}:${task.id}`] = taskJson(task, context, isDetailed)
  }
  const groupBy = parameters.text('group_by', 'nodes')
  const own = listingTasks(request, context).map((task) => ownTask(task, request, context, detailed))
  // Grouped by parents, a task's own are within it.
  const [first, second] = own
  const outer = groupBy === 'parents' && second !== undefined ? [{ ...first, children: [second] }] : own
  for (const task of outer) shown[`${context.engine.nodeId}:${task.id}`] = task
  return { status: 200, json: groupedTasks(groupBy, context, shown) }
}

/** Tasks by their nodes, their parents or none (`group_by`). @throws {ServiceError} illegal_argument_exception */
export function groupedTasks(groupBy: string, context: RestContext, shown: Readonly<Record<string, Json>>) {
  if (groupBy === 'none') return { tasks: Object.values(shown) }
  if (groupBy === 'parents') return { tasks: shown }
  if (groupBy === 'nodes') return { nodes: nodesWithTasks(context, shown) }
  throw illegalArgument(`[group_by] must be one of [nodes], [parents] or [none] but was [${groupBy}]`)
}

/** Reads `parent_task_id`; undefined: none. @throws {ServiceError} illegal_argument_exception */
export function parentTask({ parameters }: EndpointRequest): TaskId | undefined {
  const text = parameters.text('parent_task_id')
  return text === undefined || text === '' ? undefined : parseTaskId(text)
}

/** Running tasks that `actions`, `nodes` and `parent_task_id` name: no task here has a parent. */
export function selectTasks(request: EndpointRequest, context: RestContext): readonly RunningTask[] {
  if (parentTask(request) !== undefined) return []
  return context.tasks.running().filter((task) => isSelected(request, context, task.action))
}

/** How long a call that waits for tasks does so, ms. */
export function waitMs(request: EndpointRequest): number {
  return parseTimeMs(request.parameters.text('timeout', '30s'), 'timeout')
}

/** Waits for the end of tasks. @throws {ServiceError} timeout_exception */
export async function ended(tasks: readonly RunningTask[], ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<'late'>((resolve) => {
    timer = timerOf(() => resolve('late'), ms)
  })
  const all = Promise.all(tasks.map((task) => task.end))
  const first = await Promise.race([all, timeout])
  clearTimeout(timer)
  if (first === 'late') throw new ServiceError('timeout_exception', 'Timed out waiting for completion of tasks')
}

function isSelected(request: EndpointRequest, context: RestContext, action: string): boolean {
  const actions = request.parameters.list('actions')
  const nodes = request.parameters.list('nodes')
  const own = ['_all', '_local', '_master', '*', context.engine.nodeId]
  return (
    (actions === undefined || actions.some((pattern) => matchWildcard(pattern, action))) &&
    (nodes === undefined || nodes.some((node) => own.includes(node)))
  )
}

function ownTask(
  { id, action, type, parentId }: ListingTask,
  request: EndpointRequest,
  context: RestContext,
  detailed: boolean,
) {
  const { nodeId } = context.engine
  return {
    node: nodeId,
    id,
    type,
    action,
    ...(detailed ? { description: '' } : {}),
    start_time_in_millis: Date.now(),
    running_time_in_nanos: 0,
    cancellable: false,
    ...cancelledJson(undefined, context),
    ...(parentId === undefined ? {} : { parent_task_id: `${nodeId}:${parentId}` }),
    headers: taskHeaders(request.opaqueId),
    ...usedJson(context, detailed),
  }
}
