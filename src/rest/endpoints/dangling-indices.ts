import { illegalArgument } from '../../illegal-argument.ts'
import type { EndpointHandler } from '../endpoint-handler.ts'

/** `GET /_dangling`: folders of indices that nobody knows are removed when the domain starts. */
export const listDanglingIndices: EndpointHandler = (_request, context) => ({
  status: 200,
  json: {
    _nodes: { total: 1, successful: 1, failed: 0 },
    cluster_name: context.clusterName,
    dangling_indices: [],
  },
})

/** `POST|DELETE /_dangling/<uuid>`. @throws {ServiceError} illegal_argument_exception */
export const changeDanglingIndex: EndpointHandler = (request) => {
  request.parameters.boolean('accept_data_loss', false)
  const reason = `No dangling index found for UUID [${request.path['index_uuid']}]`
  throw illegalArgument(reason)
}
