import { ServiceError } from '../../errors.ts'
import type { MappingUpdate } from './parsed-document.ts'

/**
 * What the real server finds wrong with a document that it has read without complaint, as it puts it into the index: no field
 * is blamed, a sequence number is used up, and the fields that the document brings stay in the mapping.
 */
export class IndexingFault extends ServiceError {
  /** The fields that the document brought: they stay. */
  mappingUpdate: MappingUpdate | undefined

  constructor(reason: string) {
    super('illegal_argument_exception', reason)
  }
}
