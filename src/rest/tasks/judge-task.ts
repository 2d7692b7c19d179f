import { isAllowed } from '../is-allowed.ts'
import type { EndpointRequest } from '../rest-request.ts'
import type { RunningTask } from './running-task.ts'
import type { TaskResult } from './task-registry.ts'

/**
 * Judges whether a caller may be told of a task, or change its course: what it reads and writes is what is asked about.
 *
 * @throws {Error} the access layer's denial
 */
export function judgeTask(request: EndpointRequest, { indices }: RunningTask | TaskResult): void {
  if (indices === undefined) request.authorizeDomain()
  else request.authorize(indices, '_tasks')
}

/** Whether a caller may be told what a task is about. */
export function maySeeTask(request: EndpointRequest, task: RunningTask): boolean {
  return isAllowed(() => judgeTask(request, task))
}
