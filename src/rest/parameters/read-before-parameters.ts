import { ServiceError } from '../../errors.ts'
import { readHealth } from '../endpoints/cluster-health.ts'
import { readComponent } from '../endpoints/component-templates.ts'
import { readTemplate } from '../endpoints/composable-templates.ts'
import { readFieldCaps } from '../endpoints/field-caps.ts'
import { readPutAlias } from '../endpoints/indices-put-alias.ts'
import { readRollover } from '../endpoints/indices-rollover.ts'
import { metricsOf } from '../endpoints/indices-stats.ts'
import { readAliasesBody } from '../endpoints/indices-update-aliases.ts'
import { readSpec } from '../endpoints/rank-eval.ts'
import { analyzeBody } from '../indices/analyze-body.ts'
import type { EndpointRequest } from '../rest-request.ts'
import { parseTaskId } from '../tasks/task-id.ts'

/** Endpoints that complain of what they read before they do of parameters that they do not know. */
const READ_FIRST: Readonly<Record<string, (request: EndpointRequest) => unknown>> = {
  'cluster.health': readHealth,
  'cluster.put_component_template': readComponent,
  field_caps: readFieldCaps,
  'indices.analyze': analyzeBody,
  'indices.put_alias': readPutAlias,
  'indices.put_index_template': readTemplateIfAny,
  'indices.rollover': readRollover,
  'indices.simulate_index_template': readTemplateIfAny,
  'indices.simulate_template': readTemplateIfAny,
  'indices.stats': metricsOf,
  'indices.update_aliases': readAliasesBody,
  delete_by_query_rethrottle: readTask,
  rank_eval: readSpec,
  reindex_rethrottle: readTask,
  'tasks.cancel': readTask,
  'tasks.get': readTask,
  update_by_query_rethrottle: readTask,
}

function readTemplateIfAny(request: EndpointRequest): void {
  if (request.body.length > 0) readTemplate('', request)
}

function readTask({ path }: EndpointRequest): void {
  if (path['task_id'] !== undefined) parseTaskId(path['task_id'])
}

/** Reads what an endpoint does before its unknown parameters are complained of. @throws {ServiceError} as the endpoint */
export function readBeforeParameters(request: EndpointRequest): void {
  try {
    READ_FIRST[request.endpoint]?.(request)
  } catch (error) {
    // What was read is looked over once the parameters are known.
    if (!(error instanceof ServiceError) || error.type !== 'action_request_validation_exception') throw error
  }
}
