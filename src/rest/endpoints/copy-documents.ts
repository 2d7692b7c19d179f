import type { IndexOperation } from '../../engine/index/document-operation.ts'
import type { IndexMetadata } from '../../engine/metadata/index-metadata.ts'
import { liveDocuments } from '../../engine/search/live-documents.ts'
import { hasBit } from '../../engine/search/lucene/bit-set.ts'
import { ServiceError } from '../../errors.ts'
import type { RestContext } from '../endpoint-handler.ts'

/** Documents written at a time. */
const BATCH_SIZE = 1_000

/**
 * Copies all documents of an index to a new one of the same mapping, with their versions and routings.
 *
 * @throws {ServiceError} illegal_argument_exception when the index keeps no `_source`
 */
export async function copyDocuments(context: RestContext, source: IndexMetadata, target: string): Promise<void> {
  const searcher = context.engine.searcher(source.name)
  try {
    let batch: IndexOperation[] = []
    const flush = async (): Promise<void> => {
      const results = await context.engine.write(target, batch, false)
      for (const result of results) if (!result.ok) throw result.error
      batch = []
    }
    for (const segment of searcher.segments) {
      const live = liveDocuments(segment)
      for (let doc = 0; doc < segment.maxDoc; doc++) {
        if (live !== undefined && !hasBit(live, doc)) continue
        const { type, id, routing, version, source: json } = searcher.document(segment, doc)
        if (json === undefined) {
          throw new ServiceError(
            'illegal_argument_exception',
            `[${source.name}][${type}][${id}] didn't store _source: an index without it is copied by indexing again`,
          )
        }
        batch.push({
          kind: 'index',
          type,
          id,
          source: json,
          version,
          versionType: 'external',
          ...(routing === undefined ? {} : { routing }),
        })
        if (batch.length >= BATCH_SIZE) await flush()
      }
    }
    if (batch.length > 0) await flush()
    await context.engine.refresh(target)
  } finally {
    searcher.release()
  }
}
