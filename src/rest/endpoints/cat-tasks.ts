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
  column<Row>('-id', 'number of the task at its node', (r) => r.id),
  column<Row>('action:ac', 'what it does', (r) => r.action),
  column<Row>('task_id:ti', 'id of the task', (r) => `${r.nodeId}:${r.id}`),
  column<Row>('parent_task_id:pti', 'task that started it', (r) => r.parent ?? '-'),
  column<Row>('type:ty', 'how it came', (r) => r.type),
  column<Row>('start_time:start', 'start, ms since 1970', (r) => r.startedAt),
  column<Row>('timestamp:ts,hms,hhmmss', 'start as HH:MM:SS', (r) => new Date(r.startedAt).toISOString().slice(11, 19)),
  column<Row>('-running_time_ns:time', 'running for, ns', (r) => r.runningTimeNanos),
  column<Row>('running_time:time', 'running for', (r) => new Duration(r.runningTimeNanos / 1e6)),
  column<Row>('-node_id:ni', 'how the id of the node begins', (r) => r.nodeId.slice(0, 4)),
  column<Row>('ip:i', 'address of the node', (r) => r.ip),
  column<Row>('-port:po', 'port', (r) => r.port),
  column<Row>('node:n', 'name of the node', (r) => nodeName(r.nodeId)),
  column<Row>('-version:v', 'version it answers as', (r) => r.version),
]
const OPAQUE_ID = column<Row>('-x_opaque_id:x', 'what the caller calls it', (r) => r.opaqueId ?? '-')
const DESCRIPTION = column<Row>('description:desc', 'what it is about', (r) => r.description)

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
