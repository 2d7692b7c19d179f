import type { EndpointHandler } from '../endpoint-handler.ts'
import { nodeName } from '../node-identity.ts'

/** `GET /`. */
export const info: EndpointHandler = (request, context) => {
  const { engine, clusterName } = context
  return {
    status: 200,
    pretty: true,
    json: {
      name: nodeName(engine.nodeId),
      cluster_name: clusterName,
      cluster_uuid: engine.clusterUuid,
      version: request.dialect.version,
      tagline: request.dialect.tagline,
    },
  }
}
