import { ServiceError } from '../../errors.ts'
import type { RestContext } from '../endpoint-handler.ts'
import { renderTaskFailure, unexpectedError } from '../errors/error-response.ts'
import { isPattern } from '../indices/judge-names.ts'
import { isDenial } from '../is-allowed.ts'
import type { Json } from '../json/json-writer.ts'
import type { EndpointRequest } from '../rest-request.ts'
import { keptTaskJson } from './render-task.ts'
import type { TaskDescription } from './running-task.ts'

/** What a task of {@link answerOrTask} is about. */
export interface AnsweredTask extends Omit<TaskDescription, 'indices' | 'opaqueId'> {
  /** Names and patterns, as given. */
  readonly names: readonly string[]
}

/**
 * Does work and answers when it is done or, with `wait_for_completion=false`, at once with the id of a task that keeps what comes of it.
 *
 * @param work  throws at once what the access layer denies, whoever waits
 */
export async function answerOrTask(
  request: EndpointRequest,
  context: RestContext,
  { names, ...told }: AnsweredTask,
  work: () => Promise<Json>,
) {
  if (request.parameters.boolean('wait_for_completion', true)) return { status: 200, json: await work() }
  const { opaqueId } = request
  const indices = reachable(names, context)
  const task = context.tasks.start({ ...told, indices, opaqueId })
  const finish = (outcome: { readonly response: Json } | { readonly error: Json }) =>
    context.tasks.finish(task, { completed: true, indices, task: keptTaskJson(task, context), ...outcome })
  const fail = (error: unknown) =>
    finish({ error: renderTaskFailure(error instanceof ServiceError ? error : unexpectedError()) })
  try {
    void work()
      .then((response) => finish({ response }), fail)
      .catch(() => context.tasks.finish(task))
  } catch (error) {
    if (isDenial(error)) {
      await context.tasks.finish(task)
      throw error
    }
    await fail(error)
  }
  return { status: 200, json: { task: `${context.engine.nodeId}:${task.id}` } }
}

/** Whose rights are needed to be told of a task: a pattern's result may name any index. */
function reachable(names: readonly string[], { engine }: RestContext): readonly string[] {
  const isWhole = names.length === 0 || names.some(isPattern)
  return isWhole ? [...names, ...engine.indices.keys()] : names
}
