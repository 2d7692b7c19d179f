import { DIALECTS } from '../dialects/dialect.ts'
import type { RestContext } from '../endpoint-handler.ts'
import type { Json } from '../json/json-writer.ts'
import { nodeAttributes, nodeHost, nodeName } from '../node-identity.ts'
import type { RunningTask } from './running-task.ts'

/** A task as answers show it; `detailed` with what it is about and how far it is. */
export function taskJson(
  task: RunningTask,
  context: RestContext,
  detailed: boolean,
): { readonly [name: string]: Json } {
  return {
    node: context.engine.nodeId,
    id: task.id,
    type: 'transport',
    action: task.action,
    ...(detailed ? { ...shownStatus(task), description: task.description } : {}),
    start_time_in_millis: task.startedAt,
    running_time_in_nanos: task.runningTimeNanos(),
    cancellable: task.isCancellable,
    ...cancelledJson(task.cancelled, context),
    headers: taskHeaders(task.opaqueId),
    ...usedJson(context, detailed),
  }
}

/** A task as its result shows it: what it used of the node is told of those under way alone. */
export function keptTaskJson(task: RunningTask, context: RestContext): Json {
  const { resource_stats: _, ...kept } = taskJson(task, context, true)
  return kept
}

const shownStatus = ({ status }: RunningTask): { readonly status?: Json } =>
  status === undefined ? {} : { status: status() }

/** Whether a task is to stop, which OpenSearch tells. */
export function cancelledJson(reason: string | undefined, { engine }: RestContext): { readonly cancelled?: boolean } {
  return engine.version === 'OpenSearch_2.19' ? { cancelled: reason !== undefined } : {}
}

/** What a task used of the node, which OpenSearch tells and nobody measures here. */
export function usedJson({ engine }: RestContext, detailed: boolean): { readonly resource_stats?: Json } {
  if (engine.version !== 'OpenSearch_2.19' || !detailed) return {}
  const nothing = { cpu_time_in_nanos: 0, memory_in_bytes: 0 }
  const threads = { thread_executions: 0, active_threads: 0 }
  return {
    resource_stats: { average: nothing, total: nothing, min: nothing, max: nothing, thread_info: threads },
  }
}

/** What of a request's headers its task keeps. */
export function taskHeaders(opaqueId: string | undefined): { readonly [name: string]: Json } {
  return opaqueId === undefined ? {} : { 'X-Opaque-Id': opaqueId }
}

/** Tasks under the node that does them; no node when there are none. */
export function nodesWithTasks(context: RestContext, tasks: Readonly<Record<string, Json>>): Json {
  if (Object.keys(tasks).length === 0) return {}
  const { nodeId } = context.engine
  return {
    [nodeId]: {
      name: nodeName(nodeId),
      transport_address: context.publishAddress(),
      host: nodeHost(context),
      ip: context.publishAddress(),
      roles: DIALECTS[context.engine.version].nodeRoles,
      attributes: nodeAttributes(context),
      tasks,
    },
  }
}
