import { parseTimeMs } from '../../engine/metadata/time-value.ts'
import type { EndpointHandler } from '../endpoint-handler.ts'
import { nodeName } from '../node-identity.ts'
import { bodyObject } from '../rest-request.ts'
import { checkMetrics, isThisNode, nodesAnswer, noNodes } from '../statistics/node-sections.ts'

/** `GET /_nodes/usage`: calls are not counted by kind, nor are aggregations. */
export const nodesUsage: EndpointHandler = (request, context) => {
  const metrics = request.path['metric']?.split(',')
  checkMetrics(metrics, request)
  if (!isThisNode(request.path['node_id'], context)) return { status: 200, json: noNodes(context) }
  const isAsked = (name: string): boolean => metrics === undefined || metrics[0] === '_all' || metrics.includes(name)
  return {
    status: 200,
    json: nodesAnswer(context, {
      timestamp: Date.now(),
      since: context.startedAt,
      ...(isAsked('rest_actions') ? { rest_actions: {} } : {}),
      ...(isAsked('aggregations') && !request.dialect.typed ? { aggregations: {} } : {}),
    }),
  }
}

/** `POST /_nodes/reload_secure_settings`: nothing is kept with a password, so any but an empty one is wrong; 6.x asks for none. */
export const nodesReloadSecureSettings: EndpointHandler = (request, context) => {
  const password = request.dialect.typed ? undefined : bodyObject(request)?.['secure_settings_password']
  const isWrong = password !== undefined && password !== null && password !== ''
  if (!isThisNode(request.path['node_id'], context)) return { status: 200, json: noNodes(context) }
  const reason = { type: 'security_exception', reason: 'Provided keystore password was incorrect' }
  return {
    status: 200,
    json: nodesAnswer(context, {
      name: nodeName(context.engine.nodeId),
      ...(isWrong ? { reload_exception: reason } : {}),
    }),
  }
}

/** `GET /_nodes/hot_threads`: one line about the one thread. */
export const nodesHotThreads: EndpointHandler = (request, context) => {
  const { parameters } = request
  const threads = parameters.integer('threads', 3)
  const ignoresIdle = parameters.boolean('ignore_idle_threads', true)
  const interval = parameters.text('interval', '500ms')
  parseTimeMs(interval, 'interval')
  parameters.integer('snapshots')
  if (!isThisNode(request.path['node_id'], context)) return { status: 200, text: '' }
  const { user, system } = process.cpuUsage()
  const text = `::: {${nodeName(context.engine.nodeId)}}{${context.engine.nodeId}}{${context.publishAddress()}}\n   Hot threads at ${new Date().toISOString()}, interval=${interval}, busiestThreads=${threads}, ignoreIdleThreads=${ignoresIdle}:\n   \n   event loop: ${Math.round((user + system) / 1000)}ms of processor time since the start\n`
  return { status: 200, text }
}
