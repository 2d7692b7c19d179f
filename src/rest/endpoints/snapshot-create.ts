import { dataStreams } from '../../engine/metadata/data-streams.ts'
import { resolveDateMathName } from '../../engine/metadata/date-math-name.ts'
import { resolveIndices, resolveNames } from '../../engine/metadata/resolve-indices.ts'
import { selectIndices } from '../../engine/snapshot/select-indices.ts'
import { validateSnapshotName } from '../../engine/snapshot/snapshot-name.ts'
import type { SnapshotStream } from '../../engine/snapshot/snapshot-record.ts'
import { ServiceError } from '../../errors.ts'
import { validationFailed } from '../documents/document-parameters.ts'
import type { EndpointHandler, RestContext } from '../endpoint-handler.ts'
import { scopeOf } from '../indices/index-names.ts'
import { isPattern, judgedBeforeErrors, judgeUnknown } from '../indices/judge-names.ts'
import { ACKNOWLEDGED, type EndpointRequest, requiredBody } from '../rest-request.ts'
import { bodyOptions, parseSnapshotBody, stringList } from '../snapshots/snapshot-body.ts'
import { indexNames, snapshotJson } from '../snapshots/snapshot-json.ts'

/** What a snapshot's global state would be asked for by. */
const GLOBAL_STATE: readonly (readonly [part: string, api: string])[] = [
  ['_cluster', 'settings'],
  ['_template', '*'],
  ['_ingest', 'pipeline'],
  ['_scripts', '*'],
]

/** Sees that a caller may read (GET) or write (PUT) what belongs to the domain as a whole. */
export function authorizeGlobalState(request: EndpointRequest, method: 'GET' | 'PUT'): void {
  for (const [part, api] of GLOBAL_STATE) request.authorize([part], api, method)
  // Templates and pipelines have their effect on indices of any name.
  if (method === 'PUT') request.authorizeDomain(method)
}

/** Judges what a request names of a snapshot, whether that has it or not: it must not be told which. */
export function judgeAsked(request: EndpointRequest, indices: readonly string[]): void {
  const names = indices.filter((name) => !isPattern(name))
  request.authorize(names, '_search')
}

/** `PUT|POST /_snapshot/<repository>/<snapshot>`: makes a snapshot. */
export const createSnapshot: EndpointHandler = async (request, context) => {
  const { engine } = context
  const { repository } = request.path as { readonly repository: string }
  const body = parseSnapshotBody(request)
  const name = resolveDateMathName(request.path['snapshot'] as string, Date.now(), engine.version)
  validateSnapshotName(repository, name)
  const indices = judgedBeforeErrors(request, context, body.indices, '_search', () => {
    const known = judgeUnknown(request, context, body.indices, '_search')
    return resolveIndices(known, body.options, scopeOf(context))
  })
  request.authorize(indices, '_search')
  if (body.includeGlobalState) authorizeGlobalState(request, 'GET')
  checkOpen(indices, context, request)
  const { done } = await engine.snapshots.create({
    repository,
    name,
    indices,
    dataStreams: namedStreams(body, context),
    includeGlobalState: body.includeGlobalState,
    partial: body.partial,
    metadata: body.metadata,
  })
  if (!request.parameters.boolean('wait_for_completion', false)) {
    // Its failure is logged.
    done.catch(() => {})
    return { status: 200, json: { accepted: true } }
  }
  return { status: 200, json: { snapshot: snapshotJson(await done, request, engine.nodeId) } }
}

/** Data streams that a snapshot is to have as such. */
function namedStreams(
  { indices, options }: ReturnType<typeof parseSnapshotBody>,
  context: RestContext,
): readonly SnapshotStream[] {
  const names = resolveNames(indices, options, scopeOf(context))
  const streams = [...dataStreams(context.engine.indices.values()).values()].filter(({ name }) => names.has(name))
  return streams.map(({ name, indices: behind }) => ({ name, indices: behind.map((index) => index.name) }))
}

/** 6.8 takes open indices only. */
function checkOpen(names: readonly string[], { engine }: RestContext, { dialect }: EndpointRequest): void {
  if (!dialect.typed || names.every((name) => engine.indices.get(name)?.state === 'open')) return
  throw new ServiceError('cluster_block_exception', 'blocked by: [FORBIDDEN/4/index closed];')
}

/** `PUT /_snapshot/<repository>/<snapshot>/_clone/<target>`: copies a snapshot, or some of its indices; not in 6.8. */
export const cloneSnapshot: EndpointHandler = async (request, { engine }) => {
  const { path, dialect, uri, method } = request
  if (dialect.typed) return { status: 400, json: { error: `no handler found for uri [${uri}] and method [${method}]` } }
  const body = requiredBody(request)
  const indices = stringList(body, 'indices')
  if (indices.length === 0) throw validationFailed(['indices patterns are empty'])
  judgeAsked(request, indices)
  const { ignoreUnavailable } = bodyOptions(body)
  const { repository, snapshot: source } = path as { readonly repository: string; readonly snapshot: string }
  const record = (await engine.snapshots.list(repository, true)).find(({ name }) => name === source)
  if (record !== undefined) {
    const options = { ignoreUnavailable: true, version: engine.version }
    request.authorize(selectIndices([...indexNames(record)], indices, options), '_search')
  }
  await engine.snapshots.clone({
    repository,
    source,
    target: path['target_snapshot'] as string,
    indices,
    ignoreUnavailable,
  })
  return ACKNOWLEDGED
}
