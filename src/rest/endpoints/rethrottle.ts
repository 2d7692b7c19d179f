import { illegalArgument } from '../../illegal-argument.ts'
import { requestsPerSecondOf } from '../by-query/by-query-options.ts'
import type { EndpointHandler } from '../endpoint-handler.ts'
import { judgeTask } from '../tasks/judge-task.ts'
import { nodesWithTasks, taskJson } from '../tasks/render-task.ts'
import { parseTaskId, taskFailure } from '../tasks/task-id.ts'

/** `POST /_reindex/<task>/_rethrottle` and its siblings: another speed for work under way. */
export const rethrottle: EndpointHandler = (request, context) => {
  const id = parseTaskId(request.path['task_id'] as string)
  const requestsPerSecond = requestsPerSecondOf(request.parameters)
  if (requestsPerSecond === undefined) throw illegalArgument('requests_per_second is a required parameter')
  const task = id.node === context.engine.nodeId ? context.tasks.get(id.id) : undefined
  if (task?.rethrottle === undefined)
    return { status: 200, json: { node_failures: [taskFailure(id, context, false)], nodes: {} } }
  judgeTask(request, context, task)
  task.rethrottle(requestsPerSecond)
  const name = `${context.engine.nodeId}:${task.id}`
  return { status: 200, json: { nodes: nodesWithTasks(context, { [name]: taskJson(task, context, true) }) } }
}
