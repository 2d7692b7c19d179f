import type { CreateIndexRequest } from '../../engine/engine.ts'
import type { IndexMetadata } from '../../engine/metadata/index-metadata.ts'
import { ServiceError } from '../../errors.ts'
import { noteAskedIndex, noteNewIndex } from '../deprecation/index-deprecations.ts'
import { notingMapping } from '../deprecation/mapping-deprecations.ts'
import type { RestContext } from '../endpoint-handler.ts'
import type { EndpointRequest } from '../rest-request.ts'

/** Faults for which nothing of an index is read. */
const OF_NAME: ReadonlySet<string> = new Set(['invalid_index_name_exception', 'resource_already_exists_exception'])

/**
 * Makes an index, and notes what is deprecated of it: all there is, or as far as it was read where it is refused.
 *
 * @throws {ServiceError} as `Engine.createIndex`
 */
export async function makeIndex(
  name: string,
  asked: CreateIndexRequest,
  request: EndpointRequest,
  context: RestContext,
): Promise<IndexMetadata> {
  // 6.x looks at the first character of a name before it judges the name.
  if (name === '' && context.engine.version === 'Elasticsearch_6.8')
    throw new ServiceError('string_index_out_of_bounds_exception', 'String index out of range: 0')
  let made: IndexMetadata
  try {
    made = await context.engine.createIndex(name, { heard: notingMapping(request.warnings), ...asked })
  } catch (error) {
    const isRead = !(error instanceof ServiceError && OF_NAME.has(error.type))
    if (isRead) noteAskedIndex(name, asked.settings, request.warnings, context)
    throw error
  }
  noteNewIndex(made, asked.settings, request, context)
  return made
}
