import { indexNotFound } from '../../engine/metadata/resolve-indices.ts'
import { ServiceError } from '../../errors.ts'
import type { EndpointHandler } from '../endpoint-handler.ts'
import type { Json } from '../json/json-writer.ts'
import { withTexts } from '../statistics/readable.ts'
import { judgeTask } from '../tasks/judge-task.ts'
import { taskJson } from '../tasks/render-task.ts'
import { parseTaskId } from '../tasks/task-id.ts'
import { ended, waitMs } from './tasks-list.ts'

/** `GET /_tasks/<id>`: a task at work, or what came of one that nobody waited for. */
export const tasksGet: EndpointHandler = async (request, context) => {
  const name = request.path['task_id'] as string
  const { node, id } = parseTaskId(name)
  const waits = request.parameters.boolean('wait_for_completion', false)
  // With the first result the real servers make the index that they are looked for in.
  const nowhere = context.tasks.hasResults()
    ? undefined
    : indexNotFound('.tasks', 'index_expression', context.engine.version)
  const gone = new ServiceError(
    'resource_not_found_exception',
    `task [${name}] isn't running and hasn't stored its results`,
    nowhere === undefined ? {} : { cause: nowhere, rootCause: nowhere },
  )
  if (node !== context.engine.nodeId) {
    throw new ServiceError(
      'resource_not_found_exception',
      `task [${name}] belongs to the node [${node}] which isn't part of the cluster and there is no record of the task`,
      { cause: gone, ...(nowhere === undefined ? {} : { rootCause: nowhere }) },
    )
  }
  const task = context.tasks.get(id)
  const known = task ?? context.tasks.result(id)
  if (known !== undefined) judgeTask(request, context, known)
  if (task !== undefined && waits) await ended([task], waitMs(request))
  const running = context.tasks.get(id)
  const isHuman = request.parameters.boolean('human', false)
  const shownTask = (task: Json): Json => (isHuman ? withTexts(task) : task)
  if (running !== undefined)
    return { status: 200, json: { completed: false, task: shownTask(taskJson(running, context, true)) } }
  const result = context.tasks.result(id)
  if (result === undefined) throw gone
  const { indices: _, ...shown } = result
  return { status: 200, json: { ...shown, task: shownTask(shown.task) } }
}
