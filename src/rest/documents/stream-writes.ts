import type { Engine } from '../../engine/engine.ts'
import type { DocumentOperation } from '../../engine/index/document-operation.ts'
import type { IndexMetadata } from '../../engine/metadata/index-metadata.ts'
import { illegalArgument } from '../../illegal-argument.ts'

/**
 * Checks that a write may be made by the name that it goes by: to a data stream documents are only added, and never past it to an
 * index behind it, where they may be changed and deleted.
 *
 * @param index  where the name leads to
 * @throws {ServiceError} illegal_argument_exception
 */
export function checkStreamWrite(
  operation: DocumentOperation,
  name: string,
  index: IndexMetadata,
  engine: Engine,
): void {
  const stream = index.dataStream?.name
  if (stream === undefined) return
  const { kind, routing } = operation
  if (name === index.name) {
    const asked = appendedAs(operation, index, engine)
    if (asked === undefined) return
    throw illegalArgument(
      `index request with ${asked} targeting backing indices is disallowed, target corresponding data stream [${stream}] instead`,
    )
  }
  if (kind !== 'create') throw illegalArgument('only write ops with an op_type of create are allowed in data streams')
  if (name !== stream || routing === undefined) return
  throw illegalArgument(
    `index request targeting data stream [${stream}] specifies a custom routing. target the backing indices directly or remove the custom routing.`,
  )
}

/** How a write says that it adds a document; undefined: it changes one. */
function appendedAs(operation: DocumentOperation, { name }: IndexMetadata, engine: Engine): string | undefined {
  const { kind, type, ifSeqNo } = operation
  if (kind === 'create') return 'op_type=create'
  if (kind === 'index')
    return ifSeqNo === undefined ? 'op_type=index and no if_primary_term and if_seq_no set' : undefined
  if (kind !== 'update' || (!operation.docAsUpsert && operation.upsert === undefined)) return undefined
  return engine.get(name, type, operation.id, { realtime: true, isAside: true }) === undefined
    ? 'op_type=create'
    : undefined
}
