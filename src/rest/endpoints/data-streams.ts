import type { IndexMetadata } from '../../engine/metadata/index-metadata.ts'
import { STRICT_EXPAND } from '../../engine/metadata/indices-options.ts'
import { resolveIndices } from '../../engine/metadata/resolve-indices.ts'
import { nameFault } from '../../engine/metadata/validate-name.ts'
import { ServiceError } from '../../errors.ts'
import { bytesText } from '../cat/cat-value.ts'
import { validationFailed } from '../documents/document-parameters.ts'
import type { EndpointHandler, RestContext } from '../endpoint-handler.ts'
import { ACKNOWLEDGED, type EndpointRequest } from '../rest-request.ts'

// A domain keeps no data streams: templates that would make them are refused, so that there are none to be found.

const NO_INDICES: ReadonlyMap<string, IndexMetadata> = new Map()

/** `GET /_data_stream[/<names>]`. */
export const getDataStream: EndpointHandler = (request, context) => {
  resolveNone(request, context)
  return { status: 200, json: { data_streams: [] } }
}

/** `GET /_data_stream[/<names>]/_stats`. */
export const dataStreamStats: EndpointHandler = (request, context) => {
  resolveNone(request, context)
  return {
    status: 200,
    json: {
      _shards: { total: 0, successful: 0, failed: 0 },
      data_stream_count: 0,
      backing_indices: 0,
      ...(request.parameters.boolean('human', false) ? { total_store_size: bytesText(0) } : {}),
      total_store_size_bytes: 0,
      data_streams: [],
    },
  }
}

/** `PUT /_data_stream/<name>`: no template fits. @throws {ServiceError} illegal_argument_exception, action_request_validation_exception */
export const createDataStream: EndpointHandler = (request, context) => {
  const name = request.path['name'] as string
  if (name.trim() === '') throw validationFailed(['name is missing'])
  const isLower = name.toLowerCase() === name
  const form = nameFault(name, context.engine.version) ?? (isLower ? undefined : 'must be lowercase')
  const fault = form ?? (name.startsWith('.') ? "must not start with '.'" : undefined)
  const reason =
    fault === undefined
      ? `no matching index template found for data stream [${name}]`
      : `data_stream [${name}] ${fault}`
  throw new ServiceError('illegal_argument_exception', reason)
}

/** `DELETE /_data_stream/<names>`: whether there are any or not. */
export const deleteDataStream: EndpointHandler = () => ACKNOWLEDGED

/** Names without wildcards have to be there. @throws {ServiceError} index_not_found_exception, invalid_index_name_exception */
function resolveNone(request: EndpointRequest, { engine }: RestContext): void {
  const names = request.path['name']?.split(',') ?? []
  resolveIndices(names, STRICT_EXPAND, { indices: NO_INDICES, engineVersion: engine.version, now: Date.now() })
}
