import { openMapping } from '../../engine/indices/open-mapping.ts'
import { DEFAULT_TYPE } from '../../engine/mapping/merge-defaults.ts'
import type { IndexMetadata } from '../../engine/metadata/index-metadata.ts'
import { STRICT_FIND_SOME } from '../../engine/metadata/indices-options.ts'
import { validateTypeName } from '../../engine/metadata/validate-type-name.ts'
import { ServiceError } from '../../errors.ts'
import { illegalArgument } from '../../illegal-argument.ts'
import { contentMap } from '../body/content-map.ts'
import { noteContents } from '../deprecation/index-deprecations.ts'
import { notingMapping } from '../deprecation/mapping-deprecations.ts'
import { validationFailed } from '../documents/document-parameters.ts'
import type { EndpointHandler, RestContext } from '../endpoint-handler.ts'
import { expandIndices, storedType } from '../indices/index-names.ts'
import { includeTypeName, isMappingRoot, unwrapMapping } from '../indices/mapping-body.ts'
import type { EndpointRequest } from '../rest-request.ts'
import { ACKNOWLEDGED } from '../rest-request.ts'

/** `PUT|POST /<index>/_mapping[/<type>]`. */
export const indicesPutMapping: EndpointHandler = async (request, context) => {
  const body = contentMap(request)
  const type = typeOfMapping(request, body ?? {})
  if (body === undefined) throw new ServiceError('parse_exception', 'request body is required')
  validateTypeName(type, true)
  const indices = expandIndices(request, context, request.path['index'], STRICT_FIND_SOME, '_mapping')
  const mapping = unwrapMapping(body, type)
  const typeless = request.path['type'] === undefined && !includeTypeName(request)
  const typeOf = (index: IndexMetadata): string => (typeless ? storedType(index, context, type) : type)
  // What is there is read before what is to come.
  for (const index of indices) noteStored(index, request, context)
  if (type === DEFAULT_TYPE) request.warnings.note('default_mapping')
  const types = new Map(indices.map((index) => [index.name, typeOf(index)]))
  await context.engine.putMapping(types, mapping, notingMapping(request.warnings))
  for (const index of indices) noteContents(context.engine.indices.get(index.name) ?? index, request.warnings)
  return ACKNOWLEDGED
}

/** Notes what is deprecated of an index that is there. */
function noteStored(index: IndexMetadata, { warnings }: EndpointRequest, { dataDir, engine }: RestContext): void {
  noteContents(index, warnings)
  if (Object.values(index.mappings).every((mapping) => mapping['dynamic_templates'] === undefined)) return
  openMapping(index, { dataDir, engineVersion: engine.version, isStored: true, heard: notingMapping(warnings) })
}

function typeOfMapping(request: EndpointRequest, body: { readonly [name: string]: unknown }): string {
  const named = request.path['type']
  const { dialect } = request
  if (named !== undefined) {
    if (!includeTypeName(request)) {
      throw typesNotTaken(request)
    }
    return named
  }
  if (!includeTypeName(request)) {
    const [only, ...more] = Object.keys(body)
    if (only === '_doc' && more.length === 0) {
      throw typesNotTaken(request)
    }
    return dialect.defaultType
  }
  if (request.parameters.has('include_type_name') || !dialect.takesTypelessPaths)
    throw validationFailed(['mapping type is missing'])
  if (isMappingRoot(body as never)) return dialect.defaultType
  const [only, ...more] = Object.keys(body)
  if (only === undefined || more.length > 0) throw validationFailed(['mapping type is missing'])
  return only
}

function typesNotTaken({ dialect }: EndpointRequest): ServiceError {
  const unless = dialect.takesTypedPaths ? ', unless the include_type_name parameter is set to true.' : ''
  return illegalArgument(`Types cannot be provided in put mapping requests${unless}`)
}
