import type { KeywordField } from './field-mapping.ts'
import { plainKeyword } from './types/plain-keyword.ts'

/** `_ignored`: the paths of a document's fields whose values were malformed and passed over (`ignore_malformed`). */
export const IGNORED_FIELD: KeywordField = { ...plainKeyword('_ignored', undefined), store: true, typeName: '_ignored' }
