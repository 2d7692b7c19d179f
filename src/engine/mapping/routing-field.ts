import type { KeywordField } from './field-mapping.ts'
import { plainKeyword } from './types/plain-keyword.ts'

/** `_routing`: what a document was sent with, to be searched for. Hits show it from their records. */
export const ROUTING_FIELD: KeywordField = {
  ...plainKeyword('_routing', undefined),
  docValues: false,
  typeName: '_routing',
}
