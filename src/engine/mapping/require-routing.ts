import { ServiceError } from '../../errors.ts'
import type { EngineVersion } from '../engine-version.ts'
import type { IndexMapping } from './index-mapping.ts'

/** What is looked for or written. */
interface RoutedDocument {
  readonly type: string
  readonly id?: string | undefined
  readonly routing?: string | undefined
  /** The type as it was asked for, where that stands for another. */
  readonly askedType?: string | undefined
}

/**
 * Refuses to look for or write a document without a routing where its type's mapping requires one
 * (`_routing.required`).
 *
 * @throws {ServiceError} routing_missing_exception
 */
export function requireRouting(
  mapping: IndexMapping,
  index: string,
  document: RoutedDocument,
  version: EngineVersion,
): void {
  const { type, id = 'null', routing, askedType = type } = document
  if (routing !== undefined || !mapping.routingRequired(type)) return
  const name = version === 'OpenSearch_2.19' ? `[${index}]/[${id}]` : `[${index}]/[${askedType}]/[${id}]`
  throw new ServiceError('routing_missing_exception', `routing is required for ${name}`, { index, indexUuid: '_na_' })
}
