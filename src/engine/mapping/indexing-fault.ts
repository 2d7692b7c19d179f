import { ServiceError } from '../../errors.ts'

/** What the real server finds wrong with a document that it has read without complaint: no field is blamed. */
export class IndexingFault extends ServiceError {
  constructor(reason: string) {
    super('illegal_argument_exception', reason)
  }
}
