import { ServiceError } from '../../errors.ts'
import type { EndpointHandler } from '../endpoint-handler.ts'

/** `GET /_scripts/<id>`: none can be stored, so none is found. */
export const getScript: EndpointHandler = (request) => ({
  status: 404,
  json: { _id: request.path['id'] as string, found: false },
})

/** `DELETE /_scripts/<id>`. */
export const deleteScript: EndpointHandler = (request) => {
  throw new ServiceError(
    'resource_not_found_exception',
    `stored script [${request.path['id']}] does not exist and cannot be deleted`,
  )
}

/** `GET /_snapshot[/<repository>]`: none can be made, so none is there. */
export const getRepository: EndpointHandler = (request) => {
  const name = request.path['repository']
  if (name === undefined || name === '_all' || name.includes('*')) return { status: 200, json: {} }
  throw repositoryMissing(name)
}

/** Every call about a repository or its snapshots. */
export const missingRepository: EndpointHandler = (request) => {
  throw repositoryMissing(request.path['repository'] ?? '_all')
}

/** `GET /_snapshot[/<repository>[/<snapshot>]]/_status`: without a repository, what is under way: nothing. */
export const snapshotStatus: EndpointHandler = (request) => {
  const name = request.path['repository']
  if (name === undefined || name === '_all') return { status: 200, json: { snapshots: [] } }
  throw repositoryMissing(name)
}

/** `GET /_script_language`: no script is taken, in whatever language. */
export const scriptLanguages: EndpointHandler = () => ({
  status: 200,
  json: { types_allowed: [], language_contexts: [] },
})

/** `GET /_script_context`. */
export const scriptContexts: EndpointHandler = () => ({ status: 200, json: { contexts: [] } })

function repositoryMissing(name: string): ServiceError {
  return new ServiceError('repository_missing_exception', `[${name}] missing`)
}
