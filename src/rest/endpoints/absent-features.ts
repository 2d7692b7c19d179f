import { ServiceError } from '../../errors.ts'
import type { EndpointHandler } from '../endpoint-handler.ts'

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

function repositoryMissing(name: string): ServiceError {
  return new ServiceError('repository_missing_exception', `[${name}] missing`)
}
