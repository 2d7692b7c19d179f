import type { DocumentOperation, UpdateOperation } from '../../engine/index/document-operation.ts'
import { writeUpdated } from '../../engine/index/update-source.ts'
import { bytesText } from '../cat/cat-value.ts'

/** Most bytes of a source that a message shows. */
const MOST_SHOWN_BYTES = 2048

/**
 * The request for one shard that writes are sent in, as messages of the real server show it. What an update's script
 * says is left out.
 *
 * @param shard   `[index][0]`
 * @param writes  the only one, or how many there are
 */
export function shardRequestText(
  shard: string,
  index: string,
  writes: DocumentOperation | number,
  refresh: boolean | 'wait_for',
): string {
  const content = typeof writes === 'number' ? `[${writes}] requests` : `[${operationText(index, writes)}]`
  const waits = refresh === true ? ' and a refresh' : refresh === 'wait_for' ? ' blocking until refresh' : ''
  return `BulkShardRequest [${shard}] containing ${content}${waits}`
}

function operationText(index: string, operation: DocumentOperation): string {
  const document = `[${index}][${operation.type}][${operation.id}]`
  switch (operation.kind) {
    case 'index':
    case 'create':
      return `index {${document}, source[${sourceText(operation.source)}]}`
    case 'delete':
      return `delete {${document}}`
    case 'update':
      return `update {${document}, ${updateText(operation)}}`
  }
}

function updateText({ doc, upsert, docAsUpsert, script, detectNoop }: UpdateOperation): string {
  const part = (name: string, document: UpdateOperation['doc']): readonly string[] =>
    document === undefined ? [] : [`${name}[index {[null][null][null], source[${sourceText(writeUpdated(document))}]}]`]
  return [
    `doc_as_upsert[${docAsUpsert}]`,
    ...part('doc', doc),
    ...part('upsert', upsert),
    `scripted_upsert[${script?.create !== undefined}]`,
    `detect_noop[${detectNoop}]`,
  ].join(', ')
}

function sourceText(source: Buffer): string {
  const { length } = source
  if (length > MOST_SHOWN_BYTES) {
    return `n/a, actual length: [${bytesText(length)}], max length: ${bytesText(MOST_SHOWN_BYTES)}`
  }
  const text = source.toString()
  return text.trimStart().startsWith('{') ? text : '_na_'
}
