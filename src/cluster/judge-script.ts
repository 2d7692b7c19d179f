import { runs } from '../rest/ingest/redirecting-pipeline.ts'
import type { ClusterCall } from './cluster-call.ts'
import type { Found, JudgeContext, JudgedCall } from './judged-call.ts'

/** A script that a pipeline runs may send documents of any index anywhere: it is for who may do everything. @throws {Error} a denial */
export async function judgeScript(call: ClusterCall, route: Found, context: JudgeContext): Promise<JudgedCall> {
  const { id = '' } = route.parameters
  const { pipelines } = await context.state()
  if ([...pipelines.values()].some((pipeline) => runs(pipeline, 'id', id))) context.rights.requireDomain('PUT')
  return { call }
}
