import { ServiceError } from '../../errors.ts'
import { validationFailed } from '../documents/document-parameters.ts'
import type { RestContext } from '../endpoint-handler.ts'
import type { DocumentChange } from './change-documents.ts'

/** A change of documents where they are: an index that was deleted meanwhile fails them. */
export function existingDocuments(
  context: RestContext,
  operation: DocumentChange['operation'],
  pipeline?: string,
): DocumentChange {
  return {
    targetName: ({ index }) => index.name,
    target: async ([{ index }]) => {
      const current = context.engine.indices.get(index.name)
      if (current !== undefined && current.uuid === index.uuid) return current
      throw new ServiceError('index_not_found_exception', 'no such index', { index: index.name, indexUuid: index.uuid })
    },
    operation,
    pipeline,
    checkBatch(batch) {
      const written = pipeline === '' ? batch.filter(({ scripted }) => scripted?.op !== 'delete') : []
      if (written.length > 0) throw validationFailed(written.map(() => 'pipeline cannot be an empty string'))
    },
  }
}
