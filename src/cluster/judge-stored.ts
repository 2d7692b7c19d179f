import { parseJson } from '../rest/body/parse-json.ts'
import { namesRun } from '../rest/ingest/redirecting-pipeline.ts'
import { readSearchLines } from './bulk-lines.ts'
import type { CallerRights } from './caller-rights.ts'
import type { ClusterCall } from './cluster-call.ts'
import { bodyOf, member, text } from './json-members.ts'
import type { Found, JudgeContext, JudgedCall } from './judged-call.ts'

/**
 * Where answers tell of what is stored by names of its own, besides what was asked for; and where each is read: nowhere, where
 * only who may do everything is told.
 */
const TOLD: Readonly<Record<string, readonly (readonly [member: string, folder: string | undefined])[]>> = {
  'cluster.state': [
    // Of all indices, whichever are asked for.
    ['blocks.indices', undefined],
    ['restore', undefined],
    ['snapshot_deletions', undefined],
    ['snapshots', undefined],
    // Names of indices that are gone.
    ['metadata.index-graveyard', undefined],
    ['metadata.component_template', '_component_template'],
    ['metadata.index_template', '_index_template'],
    ['metadata.ingest', '_ingest/pipeline'],
    ['metadata.repositories', '_snapshot'],
    ['metadata.search_pipeline', '_search/pipeline'],
    ['metadata.stored_scripts', '_scripts'],
    ['metadata.templates', '_template'],
  ],
  'nodes.stats': [
    ['nodes.*.ingest.pipelines', '_ingest/pipeline'],
    ['nodes.*.search_pipeline.pipelines', '_search/pipeline'],
    // By the names of indices.
    ['nodes.*.shard_indexing_pressure.stats', undefined],
  ],
}

/** A call whose answer leaves out what its caller may not read where it is stored. */
export function withoutStored(call: ClusterCall, endpoint: string, rights: CallerRights): ClusterCall {
  const hidden = (TOLD[endpoint] ?? []).filter(([, folder]) => folder === undefined || !rights.mayReadStored(folder))
  if (hidden.length === 0) return call
  const filter = call.query.get('filter_path') ?? ''
  const parts = [...(filter === '' ? [] : [filter]), ...hidden.map(([name]) => `-${name}`)]
  return { ...call, query: new Map(call.query).set('filter_path', parts.join(',')) }
}

/** Rendering a stored template shows it. @throws {Error} a denial */
export async function judgeRendering(call: ClusterCall, route: Found, { rights }: JudgeContext): Promise<JudgedCall> {
  for (const id of [route.parameters['id'], call.query.get('id'), text(member(bodyOf(call), 'id'))])
    if (id !== undefined) rights.requireToRead('_scripts', id)
  return { call }
}

/** Templates that are run with others are for who may read them, and do everything. @throws {Error} a denial */
export async function judgeNamedTemplates(
  call: ClusterCall,
  route: Found,
  { rights }: JudgeContext,
): Promise<JudgedCall> {
  rights.requireDomain()
  const isOne = route.endpoint === 'rank_eval'
  const bodies = isOne ? [bodyOf(call)] : readSearchLines(call.body).map(({ body }) => parseJson(body))
  for (const id of bodies.flatMap((body) => namesRun(body, 'id'))) rights.requireToRead('_scripts', id)
  return { call }
}

/** Trying out a pipeline tells what it does, and what those do that it runs. @throws {Error} a denial */
export async function judgeSimulation(call: ClusterCall, _route: Found, { rights }: JudgeContext): Promise<JudgedCall> {
  rights.requireTried(member(bodyOf(call), 'pipeline'))
  // Where the path has none.
  const id = call.query.get('id')
  if (id !== undefined) rights.requireTried({ name: id })
  return { call }
}
