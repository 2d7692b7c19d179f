import { clusterFlag } from '../cluster-flag.ts'
import type { EndpointHandler } from '../endpoint-handler.ts'
import { nodeName } from '../node-identity.ts'

/** `GET /`. */
export const info: EndpointHandler = (request, context) => {
  const { engine, clusterName } = context
  const { distribution, ...version } = request.dialect.version
  const isOverridden = clusterFlag(context, 'compatibility.override_main_response_version', false)
  return {
    status: 200,
    pretty: true,
    json: {
      name: nodeName(engine.nodeId),
      cluster_name: clusterName,
      cluster_uuid: engine.clusterUuid,
      version: isOverridden ? { ...version, number: '7.10.2' } : request.dialect.version,
      tagline: request.dialect.tagline,
    },
  }
}
