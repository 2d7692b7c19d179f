import { flattenSettings } from '../../engine/metadata/flatten-settings.ts'
import { isObject } from '../../is-object.ts'
import type { EndpointHandler } from '../endpoint-handler.ts'
import type { Json } from '../json/json-writer.ts'
import { attributesJson } from '../node-identity.ts'
import { infoSections, isThisNode, nodeHead, nodesAnswer, noNodes } from '../statistics/node-sections.ts'

/** `GET /_nodes[/<node>][/<metric>]`. */
export const nodesInfo: EndpointHandler = (request, context) => {
  const sections = infoSections(request, context)
  let node = request.path['node_id']
  let metrics = request.path['metric']?.split(',')
  // `/_nodes/http` names a metric, `/_nodes/data:true` a node.
  if (
    metrics === undefined &&
    node !== undefined &&
    node.split(',').every((part) => Object.hasOwn(sections, part) || part === '_all')
  ) {
    metrics = node === '_all' ? undefined : node.split(',')
    node = undefined
  }
  if (!isThisNode(node, context)) return { status: 200, json: noNodes(context) }
  const shown = Object.entries(sections).filter(
    ([name]) => metrics === undefined || metrics.includes(name) || metrics.includes('_all'),
  )
  const body: { [name: string]: Json } = {
    ...nodeHead(request, context),
    ...(metrics === undefined ? { total_indexing_buffer: 107_374_182 } : {}),
    roles: request.dialect.nodeRoles,
    ...attributesJson(context),
  }
  for (const [name, section] of shown) body[name] = section()
  if (isObject(body['settings']) && request.parameters.boolean('flat_settings', false))
    body['settings'] = flattenSettings(body['settings'])
  return { status: 200, json: nodesAnswer(context, body) }
}
