import type { JsonValue } from '../rest/body/parse-json.ts'
import { mayRedirect, runs } from '../rest/ingest/redirecting-pipeline.ts'
import type { ClusterCall } from './cluster-call.ts'
import type { ClusterState } from './cluster-state.ts'
import type { ClusterTemplate } from './cluster-templates.ts'
import { bodyOf } from './json-members.ts'
import type { Found, JudgeContext, JudgedCall } from './judged-call.ts'
import { matcher } from './resolve-names.ts'

/**
 * Judges making and removing pipelines by what is written through them. One that may send documents elsewhere is for who may do
 * everything: it could send them to an index that its author reads.
 *
 * @throws {Error} a denial
 */
export async function judgePipeline(call: ClusterCall, route: Found, context: JudgeContext): Promise<JudgedCall> {
  const { rights } = context
  const { id = '' } = route.parameters
  const state = await context.state()
  if (call.method !== 'DELETE' && mayRedirect(bodyOf(call))) rights.requireDomain('PUT')
  // A sign is part of the name, which the matcher takes off names of indices.
  const changed = call.method === 'DELETE' ? [...state.pipelines.keys()].filter(matcher(`+${id}`)) : [id]
  if (changed.length === 0) return { call }
  const templates = await context.templates()
  for (const name of changed) judgeUsers(name, state, templates, context)
  return { call }
}

/**
 * Judges pipelines that settings name: one that may send documents elsewhere is given to an index, or to those to come, by who may do
 * everything. Writes are judged by it as well, but may be on their way while it is given.
 *
 * @param definition  an index, a template, or settings alone
 * @throws {Error} a denial
 */
export async function judgeGivenPipelines(definition: JsonValue | undefined, context: JudgeContext): Promise<void> {
  const named = pipelinesGiven(definition)
  if (named.length === 0) return
  const { pipelines } = await context.state()
  if (named.some((id) => mayRedirect(pipelines.get(id)))) context.rights.requireDomain('PUT')
}

function pipelinesGiven(definition: JsonValue | undefined): readonly string[] {
  if (typeof definition !== 'object' || definition === null) return []
  return Object.entries(definition).flatMap(([name, value]: [string, JsonValue]) =>
    /(?:^|\.)(?:default|final)_pipeline$/.test(name) && typeof value === 'string' ? [value] : pipelinesGiven(value),
  )
}

/** Indices whose settings name it, or that a template would give it; anything where another pipeline runs it. */
function judgeUsers(
  id: string,
  state: ClusterState,
  templates: readonly ClusterTemplate[],
  { rights }: JudgeContext,
): void {
  const indices = [...state.indices].filter(([, { pipelines }]) => pipelines.includes(id)).map(([name]) => name)
  rights.requireIndices(indices, '_settings', 'PUT')
  for (const { patterns, pipelines } of templates)
    if (pipelines.includes(id)) for (const pattern of patterns) rights.requirePattern(pattern)
  if ([...state.pipelines.values()].some((pipeline) => runs(pipeline, 'name', id))) rights.requireDomain('PUT')
}
