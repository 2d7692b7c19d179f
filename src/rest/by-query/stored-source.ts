import { illegalArgument } from '../../illegal-argument.ts'
import { renderSource, type SourceFilter, visibleSource } from '../documents/source-filter.ts'
import { writeJson } from '../json/json-writer.ts'
import type { MatchedDocument } from './found-documents.ts'

/** What a matched document is written again from. @throws {ServiceError} illegal_argument_exception when it was not kept */
export function sourceOf({ index, mapping, document }: MatchedDocument, filter: SourceFilter): Buffer {
  const source = filter.enabled ? visibleSource(document, mapping) : undefined
  if (source === undefined) {
    const type = mapping.engineVersion === 'OpenSearch_2.19' ? '' : `[${document.type}]`
    throw illegalArgument(`[${index.name}]${type}[${document.id}] didn't store _source`)
  }
  return Buffer.from(writeJson(renderSource(source, filter, mapping.engineVersion)))
}
