import type { RestContext } from '../endpoint-handler.ts'
import { withReached } from '../indices/judge-names.ts'
import { isAllowed } from '../is-allowed.ts'
import type { EndpointRequest } from '../rest-request.ts'
import type { RunningTask } from './running-task.ts'
import type { TaskResult } from './task-registry.ts'

/**
 * Judges whether a caller may be told of a task, or change its course: what it reads and writes is what is asked about.
 *
 * @throws {Error} the access layer's denial
 */
export function judgeTask(request: EndpointRequest, context: RestContext, { indices }: RunningTask | TaskResult): void {
  if (indices === undefined) request.authorizeDomain()
  else request.authorize(withReached(indices, context), '_tasks')
}

/** Whether a caller may be told what a task is about. */
export function maySeeTask(request: EndpointRequest, context: RestContext, task: RunningTask): boolean {
  return isAllowed(() => judgeTask(request, context, task))
}
