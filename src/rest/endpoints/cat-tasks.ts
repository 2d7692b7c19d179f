import { catTable, column } from '../cat/cat-table.ts'
import { Duration } from '../cat/cat-value.ts'
import type { EndpointHandler } from '../endpoint-handler.ts'
import { nodeHost, nodeName } from '../node-identity.ts'
import { maySeeTask } from '../tasks/judge-task.ts'
import { listingTasks, selectTasks } from './tasks-list.ts'

interface Row {
  readonly id: number
  readonly action: string
  readonly parent: string | undefined
  readonly type: string
  readonly description: string
  readonly startedAt: number
  readonly runningTimeNanos: number
  readonly nodeId: string
  readonly ip: string
  readonly port: string
  readonly version: string
  readonly opaqueId: string | undefined
}

const COLUMNS = [
  column<Row>('-id', 'id of the task with the node', (r) => r.id),
  column<Row>('action:ac', 'task action', (r) => r.action),
  column<Row>('task_id:ti', 'unique task id', (r) => `${r.nodeId}:${r.id}`),
  column<Row>('parent_task_id:pti', 'parent task id', (r) => r.parent ?? '-'),
  column<Row>('type:ty', 'task type', (r) => r.type),
  column<Row>('start_time:start', 'start time in ms', (r) => r.startedAt),
  column<Row>('timestamp:ts,hms,hhmmss', 'start time in HH:MM:SS', (r) =>
    new Date(r.startedAt).toISOString().slice(11, 19),
  ),
  column<Row>('-running_time_ns:time', 'running time ns', (r) => r.runningTimeNanos),
  column<Row>('running_time:time', 'running time', (r) => new Duration(r.runningTimeNanos / 1e6)),
  column<Row>('-node_id:ni', 'unique node id', (r) => r.nodeId.slice(0, 4)),
  column<Row>('ip:i', 'ip address', (r) => r.ip),
  column<Row>('-port:po', 'bound transport port', (r) => r.port),
  column<Row>('node:n', 'node name', (r) => nodeName(r.nodeId)),
  column<Row>('-version:v', 'es version', (r) => r.version),
]
const OPAQUE_ID = column<Row>('-x_opaque_id:x', 'X-Opaque-ID header', (r) => r.opaqueId ?? '-')
const DESCRIPTION = column<Row>('description:desc', 'task action', (r) => r.description)

/** `GET /_cat/tasks`. */
export const catTasks: EndpointHandler = (request, context) => {
  const node = {
    nodeId: context.engine.nodeId,
    ip: nodeHost(context),
    port: context.publishAddress().split(':').pop() ?? '',
    version: String(request.dialect.version['number']),
  }
  const rows: Row[] = selectTasks(request, context).map((task) => ({
    ...node,
    id: task.id,
    action: task.action,
    parent: undefined,
    type: 'transport',
    description: maySeeTask(request, context, task) ? task.description : '',
    startedAt: task.startedAt,
    runningTimeNanos: task.runningTimeNanos(),
    opaqueId: task.opaqueId,
  }))
  for (const { parentId, ...own } of listingTasks(request, context)) {
    const parent = parentId === undefined ? undefined : `${node.nodeId}:${parentId}`
    const task = { description: '', opaqueId: request.opaqueId, startedAt: Date.now(), runningTimeNanos: 0 }
    rows.push({ ...node, ...own, ...task, parent })
  }
  const isDetailed = request.parameters.boolean('detailed', false)
  const columns = [...COLUMNS, ...(request.dialect.typed ? [] : [OPAQUE_ID]), ...(isDetailed ? [DESCRIPTION] : [])]
  return catTable(request, columns, rows)
}
