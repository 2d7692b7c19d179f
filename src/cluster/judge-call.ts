import type { PathParameters, Route } from '../rest/router.ts'
import type { CallerRights } from './caller-rights.ts'
import { type ClusterCall, isJson } from './cluster-call.ts'
import { asksForMore, endpointReach, FURTHER_METHODS } from './endpoint-reach.ts'
import { isPointInTime, judgePointInTime, judgeScroll, judgeTask } from './judge-contexts.ts'
import { judgeIndexTemplates } from './judge-index-templates.ts'
import { IndexJudge } from './judge-indices.ts'
import { judgePipeline } from './judge-pipeline.ts'
import { judgeScript } from './judge-script.ts'
import { judgeNamedTemplates, judgeRendering, judgeSimulation, withoutStored } from './judge-stored.ts'
import { judgeTemplate } from './judge-template.ts'
import type { Found, JudgeContext, JudgedCall } from './judged-call.ts'

/** Parameters of paths that the cluster takes from the query too. */
const PATH_NAMES = ['index', 'indices', 'alias', 'target', 'new_index'] as const

/**
 * Judges everything a call touches beyond its path. Who may do everything is asked no more; for the others, what cannot be
 * known to touch only what is theirs is refused.
 *
 * @throws {Error} the access layer's denial
 * @throws {ServiceError} for a body that cannot be read, 503 when the cluster does not tell its state
 */
export async function judgeCall(call: ClusterCall, route: Route, context: JudgeContext): Promise<JudgedCall> {
  const { rights } = context
  const { method } = call
  // It tells the methods of a path, and touches nothing.
  if (method === 'OPTIONS') return { call }
  const further = route.kind === 'found' ? FURTHER_METHODS[route.endpoint] : undefined
  // Who may not read everything may not be told what is stored by what else may be done.
  const readsAll = method === 'HEAD' || rights.hasDomain('GET')
  if (readsAll && rights.hasDomain(method) && (further === undefined || rights.hasDomain(further))) return { call }
  const reach =
    route.kind === 'found' && hasPlainNames(route.parameters, context.takesTypes)
      ? endpointReach(route.endpoint)
      : undefined
  const isReadable = call.body.length === 0 || isJson(call)
  const namesByQuery = PATH_NAMES.some((name) => call.query.has(name)) && !isAnalyze(route)
  if (route.kind === 'found') rights.requireStored(route.endpoint, route.parameters)
  if (reach?.kind === 'path' && !asksForMore(call.query))
    return { call: withoutStored(call, (route as Found).endpoint, rights) }
  if (isReadable && !namesByQuery) {
    const judge = reach === undefined ? undefined : CONTEXT_JUDGES[(route as Found).endpoint]
    if (judge !== undefined) return judge(withSourceAsBody(call, rights), route as Found, context)
    if (isPointInTime(call)) return judgePointInTime(withSourceAsBody(call, rights), context)
  }
  if (route.kind !== 'found' || reach?.kind !== 'indices' || namesByQuery || !isReadable) {
    rights.requireDomain()
    if (further !== undefined) rights.requireDomain(further)
    // It may run what is stored, and show it.
    if (!readsAll && (namesByQuery || !isReadable)) rights.requireDomain('GET')
    return { call }
  }
  const own = withoutStored(withSourceAsBody(call, rights), route.endpoint, rights)
  return new IndexJudge(own, route, reach.api, context, await context.state()).judge()
}

/**
 * Names that begin with an underscore are commands: those the table of endpoints does not know are not indices either. What looks
 * like a type where there are none is the path of a plugin.
 */
function hasPlainNames({ index, type, alias }: PathParameters, takesTypes: boolean): boolean {
  if (type !== undefined && !takesTypes && type !== '_doc') return false
  const isPlain = (name: string | undefined) => name === undefined || !name.startsWith('_')
  return (isPlain(index) || index === '_all') && (isPlain(type) || type === '_doc') && isPlain(alias)
}

function isAnalyze(route: Route): boolean {
  return route.kind === 'found' && route.endpoint === 'indices.analyze'
}

/** `source` of the query is a body by another name: it becomes one, so that there is one. */
function withSourceAsBody(call: ClusterCall, rights: CallerRights): ClusterCall {
  const source = call.query.get('source')
  if (source === undefined) return call
  const query = new Map(call.query)
  query.delete('source')
  query.delete('source_content_type')
  if (call.body.length > 0) return { ...call, query }
  const moved = { ...call, query, contentType: call.query.get('source_content_type'), body: Buffer.from(source) }
  if (!isJson(moved)) rights.requireDomain()
  return moved
}

/** Endpoints whose requests name something that was begun, or stored, before. */
const CONTEXT_JUDGES: Readonly<
  Record<string, (call: ClusterCall, route: Found, context: JudgeContext) => Promise<JudgedCall>>
> = {
  clear_scroll: judgeScroll,
  delete_by_query_rethrottle: judgeTask,
  delete_script: judgeScript,
  'indices.delete_index_template': judgeIndexTemplates,
  'indices.delete_template': judgeIndexTemplates,
  'indices.put_index_template': judgeIndexTemplates,
  'indices.put_template': judgeIndexTemplates,
  'ingest.delete_pipeline': judgePipeline,
  'ingest.put_pipeline': judgePipeline,
  'ingest.simulate': judgeSimulation,
  msearch_template: judgeNamedTemplates,
  put_script: judgeScript,
  rank_eval: judgeNamedTemplates,
  reindex_rethrottle: judgeTask,
  render_search_template: judgeRendering,
  scroll: judgeScroll,
  search_template: judgeTemplate,
  'tasks.cancel': judgeTask,
  'tasks.get': judgeTask,
  update_by_query_rethrottle: judgeTask,
}
