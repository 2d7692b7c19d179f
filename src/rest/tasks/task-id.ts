import { ServiceError } from '../../errors.ts'
import { illegalArgument } from '../../illegal-argument.ts'
import type { RestContext } from '../endpoint-handler.ts'
import type { Json } from '../json/json-writer.ts'

/** A task's name in two parts. */
export interface TaskId {
  readonly node: string
  readonly id: number
}

/** Reads `node:number`. @throws {ServiceError} illegal_argument_exception */
export function parseTaskId(text: string): TaskId {
  const [, node, id] = /^(.*):(.*)$/s.exec(text) ?? []
  const number = Number(id)
  if (node !== undefined && /^[-+]?\d+$/.test(id ?? '')) return { node, id: number }
  const cause =
    node === undefined ? undefined : new ServiceError('number_format_exception', `For input string: "${id}"`)
  throw illegalArgument(`malformed task id ${text}`, cause)
}

/** The failure of a call about a task that is not to be found; `isCancel`: as cancelling words it. */
export function taskFailure({ node, id }: TaskId, context: RestContext, isCancel: boolean): Json {
  const isOurs = node === context.engine.nodeId
  const wanting = context.tasks.get(id) === undefined ? 'is not found' : "doesn't support cancellation"
  const missing = `task [${node}:${id}] ${isCancel ? wanting : 'is missing'}`
  return {
    type: 'failed_node_exception',
    reason: `Failed node [${node}]`,
    node_id: node,
    caused_by: isOurs
      ? { type: 'resource_not_found_exception', reason: missing }
      : { type: 'no_such_node_exception', reason: `No such node [${node}]`, node_id: node },
  }
}
