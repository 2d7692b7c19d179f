import { streamWritingTo } from '../../engine/metadata/data-streams.ts'
import { DELETE_INDEX } from '../../engine/metadata/indices-options.ts'
import { illegalArgument } from '../../illegal-argument.ts'
import { clusterFlag } from '../cluster-flag.ts'
import { validationFailed } from '../documents/document-parameters.ts'
import type { EndpointHandler } from '../endpoint-handler.ts'
import { expandIndices } from '../indices/index-names.ts'
import { ACKNOWLEDGED } from '../rest-request.ts'

/** `DELETE /<index>`. */
export const indicesDelete: EndpointHandler = async (request, context) => {
  const expression = request.path['index']
  if (expression === undefined) throw validationFailed(['index / indices is missing'])
  checkDestructive(clusterFlag(context, 'action.destructive_requires_name', false), expression)
  const indices = expandIndices(request, context, expression, DELETE_INDEX, '')
  for (const index of indices) {
    const stream = streamWritingTo(index, context.engine.indices)
    if (stream === undefined) continue
    const reason = `index [${index.name}] is the write index for data stream [${stream.name}] and cannot be deleted`
    throw illegalArgument(reason)
  }
  await context.engine.deleteIndices(indices.map(({ name }) => name))
  return ACKNOWLEDGED
}

/** `action.destructive_requires_name: true`. @throws {ServiceError} illegal_argument_exception */
export function checkDestructive(requiresName: boolean, expression: string | undefined): void {
  if (!requiresName) return
  if (expression === undefined || expression === '_all' || expression.includes('*')) {
    throw illegalArgument('Wildcard expressions or all indices are not allowed')
  }
}
