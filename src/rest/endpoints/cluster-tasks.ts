import { ServiceError } from '../../errors.ts'
import { catTable, column } from '../cat/cat-table.ts'
import { Duration } from '../cat/cat-value.ts'
import type { EndpointHandler, RestContext } from '../endpoint-handler.ts'
import type { Json } from '../json/json-writer.ts'
import { nodeHost, nodeName } from './node-identity.ts'

/** `GET /_cluster/pending_tasks`: changes of the state are made at once. */
export const clusterPendingTasks: EndpointHandler = () => ({ status: 200, json: { tasks: [] } })

/** A request at work. Calls are answered one after the other, so the one that asks is all there is to see. */
interface Task {
  readonly id: number
  readonly action: string
  readonly startedAt: number
}

let lastTask = 0

function ownTask(): Task {
  return { id: ++lastTask, action: 'cluster:monitor/tasks/lists', startedAt: Date.now() }
}

function taskJson(task: Task, context: RestContext): Json {
  return {
    node: context.engine.nodeId,
    id: task.id,
    type: 'transport',
    action: task.action,
    start_time_in_millis: task.startedAt,
    running_time_in_nanos: Math.round((Date.now() - task.startedAt) * 1e6),
    cancellable: false,
    headers: {},
  }
}

/** `GET /_tasks`. */
export const tasksList: EndpointHandler = (request, context) => {
  const task = ownTask()
  const key = `${context.engine.nodeId}:${task.id}`
  const tasks = { [key]: taskJson(task, context) }
  const groupBy = request.parameters.text('group_by', 'nodes')
  if (groupBy === 'none') return { status: 200, json: { tasks: Object.values(tasks) } }
  if (groupBy === 'parents') return { status: 200, json: { tasks } }
  if (groupBy !== 'nodes')
    throw new ServiceError(
      'illegal_argument_exception',
      `[group_by] must be one of [nodes], [parents] or [none] but was [${groupBy}]`,
    )
  return {
    status: 200,
    json: {
      nodes: {
        [context.engine.nodeId]: {
          name: nodeName(context.engine.nodeId),
          transport_address: context.publishAddress(),
          host: nodeHost(context),
          ip: context.publishAddress(),
          roles: ['master', 'data', 'ingest'],
          attributes: {},
          tasks,
        },
      },
    },
  }
}

/** `GET /_tasks/<id>`: what was started is answered before another request is heard. */
export const tasksGet: EndpointHandler = (request) => {
  const id = request.path['task_id'] as string
  if (!/^[^:]+:\d+$/.test(id)) throw new ServiceError('illegal_argument_exception', `malformed task id ${id}`)
  throw new ServiceError('resource_not_found_exception', `task [${id}] isn't running and hasn't stored its results`)
}

/** `POST /_tasks[/<id>]/_cancel`. */
export const tasksCancel: EndpointHandler = (request) => {
  const id = request.path['task_id']
  if (id === undefined) return { status: 200, json: { nodes: {} } }
  if (!/^[^:]+:\d+$/.test(id)) throw new ServiceError('illegal_argument_exception', `malformed task id ${id}`)
  const failure = { type: 'failed_node_exception', reason: `task [${id}] is not found` }
  return { status: 404, json: { node_failures: [failure], nodes: {} } }
}

interface Row extends Task {
  readonly nodeId: string
  readonly ip: string
  readonly port: string
  readonly version: string
}

const COLUMNS = [
  column<Row>('-id', 'id of the task with its node', (r) => `${r.nodeId}:${r.id}`),
  column<Row>('action:ac', 'what it does', (r) => r.action),
  column<Row>('task_id:ti', 'id of the task', (r) => `${r.nodeId}:${r.id}`),
  column<Row>('parent_task_id:pti', 'task that started it', () => '-'),
  column<Row>('type:ty', 'how it came', () => 'transport'),
  column<Row>('start_time:start', 'start, ms since 1970', (r) => r.startedAt),
  column<Row>('timestamp:ts,hms,hhmmss', 'start as HH:MM:SS', (r) => new Date(r.startedAt).toISOString().slice(11, 19)),
  column<Row>('-running_time_ns:time', 'running for, ns', (r) => (Date.now() - r.startedAt) * 1e6),
  column<Row>('running_time:time', 'running for', (r) => new Duration(Date.now() - r.startedAt)),
  column<Row>('-node_id:ni', 'id of the node', (r) => r.nodeId),
  column<Row>('ip:i', 'address of the node', (r) => r.ip),
  column<Row>('-port:po', 'port', (r) => r.port),
  column<Row>('node:n', 'name of the node', (r) => nodeName(r.nodeId)),
  column<Row>('-version:v', 'version it answers as', (r) => r.version),
]

const DETAILED = [...COLUMNS, column<Row>('description:desc', 'what it is about', () => '')]

/** `GET /_cat/tasks`. */
export const catTasks: EndpointHandler = (request, context) =>
  catTable(request, request.parameters.boolean('detailed', false) ? DETAILED : COLUMNS, [
    {
      ...ownTask(),
      nodeId: context.engine.nodeId,
      ip: nodeHost(context),
      port: context.publishAddress().split(':').pop() ?? '',
      version: String(request.dialect.version['number']),
    },
  ])
