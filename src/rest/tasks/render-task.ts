import { DIALECTS } from '../dialects/dialect.ts'
import type { RestContext } from '../endpoint-handler.ts'
import type { Json } from '../json/json-writer.ts'
import { nodeAttributes, nodeHost, nodeName } from '../node-identity.ts'
import type { RunningTask } from './running-task.ts'

/** A task as answers show it; `detailed` with what it is about and how far it is. */
export function taskJson(task: RunningTask, context: RestContext, detailed: boolean): Json {
  return {
    node: context.engine.nodeId,
    id: task.id,
    type: 'transport',
    action: task.action,
    ...(detailed ? { status: task.status(), description: task.description } : {}),
    start_time_in_millis: task.startedAt,
    running_time_in_nanos: task.runningTimeNanos(),
    cancellable: true,
    headers: taskHeaders(task.opaqueId),
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
