import { validationFailed } from '../documents/document-parameters.ts'
import type { EndpointHandler } from '../endpoint-handler.ts'
import type { Json } from '../json/json-writer.ts'
import { judgeTask } from '../tasks/judge-task.ts'
import { taskJson } from '../tasks/render-task.ts'
import { parseTaskId, taskFailure } from '../tasks/task-id.ts'
import { groupedTasks, parentTask, selectTasks } from './tasks-list.ts'

/** `POST /_tasks[/<id>]/_cancel`. */
export const tasksCancel: EndpointHandler = async (request, context) => {
  const name = request.path['task_id']
  const groupBy = request.parameters.text('group_by', 'nodes')
  const id = name === undefined ? undefined : parseTaskId(name)
  // It is read in any case.
  parentTask(request)
  if (id !== undefined && (request.parameters.list('nodes') ?? []).length > 0)
    throw validationFailed(['task id cannot be used together with node ids'])
  const task = id?.node === context.engine.nodeId ? context.tasks.get(id.id) : undefined
  if (id !== undefined && task?.isCancellable !== true)
    return {
      status: 200,
      json: { node_failures: [taskFailure(id, context, true)], ...groupedTasks(groupBy, context, {}) },
    }
  const tasks = task === undefined ? selectTasks(request, context).filter(({ isCancellable }) => isCancellable) : [task]
  for (const each of tasks) judgeTask(request, context, each)
  const shown: Record<string, Json> = {}
  for (const each of tasks) {
    shown[`${context.engine.nodeId}:${each.id}`] = taskJson(each, context, false)
    each.cancel('by user request')
  }
  if (request.parameters.boolean('wait_for_completion', false)) await Promise.all(tasks.map((each) => each.end))
  return { status: 200, json: groupedTasks(groupBy, context, shown) }
}
