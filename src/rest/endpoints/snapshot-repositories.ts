import { flattenSettings, nestSettings } from '../../engine/metadata/flatten-settings.ts'
import type { RepositoryMetadata } from '../../engine/snapshot/repository-settings.ts'
import { repositoryMissing, validateSnapshotName } from '../../engine/snapshot/snapshot-name.ts'
import { ServiceError } from '../../errors.ts'
import { illegalArgument } from '../../illegal-argument.ts'
import { isObject } from '../../is-object.ts'
import { matchWildcard } from '../../match-wildcard.ts'
import { catTable, column } from '../cat/cat-table.ts'
import { validationFailed } from '../documents/document-parameters.ts'
import type { EndpointHandler } from '../endpoint-handler.ts'
import type { Json } from '../json/json-writer.ts'
import { nodeName } from '../node-identity.ts'
import { removeDamaged } from '../remove-damaged.ts'
import { ACKNOWLEDGED, lenientBody } from '../rest-request.ts'

/** `PUT|POST /_snapshot/<repository>`. */
export const createRepository: EndpointHandler = async (request, { engine }) => {
  const { repository } = request.path
  if (request.body.length === 0 && !request.parameters.has('source'))
    throw new ServiceError('parse_exception', 'request body is required')
  const { type, settings } = lenientBody(request)
  if (settings !== undefined && !isObject(settings))
    throw illegalArgument('Malformed settings section, should include an inner object')
  if (type === undefined || type === null) throw validationFailed(['type is missing'])
  const metadata = { type: String(type), settings: flattenSettings(settings ?? {}) }
  // Whoever names another's folder anew would have its snapshots under a name that nobody thought of.
  for (const other of engine.snapshots.sharing(repository as string, metadata))
    for (const method of ['GET', 'PUT', 'DELETE']) request.authorizeDomain(method, `_snapshot/${other}`)
  await engine.snapshots.putRepository(repository as string, metadata, request.parameters.boolean('verify', true))
  return ACKNOWLEDGED
}

/** `GET /_snapshot[/<repositories>]`. */
export const getRepository: EndpointHandler = (request, { engine }) => {
  const flat = request.parameters.boolean('flat_settings', false)
  const { repositories } = engine.snapshots
  const names = request.path['repository']?.split(',') ?? ['_all']
  const found = new Map<string, RepositoryMetadata>()
  for (const name of names) {
    const all = name === '_all' || name === '*'
    const matching = repositories.filter(([known]) => all || known === name || matchWildcard(name, known))
    if (matching.length === 0 && !all && !name.includes('*')) throw repositoryMissing(name)
    for (const [known, metadata] of matching) found.set(known, metadata)
  }
  const json = [...found].map(([name, { type, settings }]) => [
    name,
    { type, settings: flat ? settings : nestSettings(settings) },
  ])
  return { status: 200, json: Object.fromEntries(json) as Json }
}

/** `DELETE /_snapshot/<repository>`: a name or a pattern; what is in the repository stays. */
export const deleteRepository: EndpointHandler = async (request, context) => {
  const { engine } = context
  const name = request.path['repository'] as string
  if (await removeDamaged(request, context, `extra/repository/${name}`)) return ACKNOWLEDGED
  const names = engine.snapshots.repositories.map(([known]) => known)
  const matching = names.includes(name) ? [name] : names.filter((known) => matchWildcard(name, known))
  if (matching.length === 0 && name !== '*') throw repositoryMissing(name)
  await engine.snapshots.deleteRepositories(matching)
  return ACKNOWLEDGED
}

/** `POST /_snapshot/<repository>/_verify`. */
export const verifyRepository: EndpointHandler = async (request, { engine }) => {
  await engine.snapshots.verify(request.path['repository'] as string)
  return { status: 200, json: { nodes: { [engine.nodeId]: { name: nodeName(engine.nodeId) } } } }
}

/** `POST /_snapshot/<repository>/_cleanup`: removes what no snapshot leads to. For 6.8 that is the name of a snapshot. */
export const cleanupRepository: EndpointHandler = async (request, { engine }) => {
  const name = request.path['repository'] as string
  if (request.dialect.typed) validateSnapshotName(name, '_cleanup')
  const { files, bytes } = await engine.snapshots.cleanup(name)
  return { status: 200, json: { results: { deleted_bytes: bytes, deleted_blobs: files } } }
}

const COLUMNS = [
  column<readonly [name: string, RepositoryMetadata]>('id:id,repoId', 'unique repository id', ([name]) => name),
  column<readonly [name: string, RepositoryMetadata]>('type:t,type', 'repository type', ([, { type }]) => type),
]

/** `GET /_cat/repositories`. */
export const catRepositories: EndpointHandler = (request, { engine }) =>
  catTable(request, COLUMNS, engine.snapshots.repositories)
