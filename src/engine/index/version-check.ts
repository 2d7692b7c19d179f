import { ServiceError } from '../../errors.ts'
import { type Long, nextLong } from '../algorithms/long.ts'
import type { EngineVersion } from '../engine-version.ts'
import type { DocumentOperation, VersionType } from './document-operation.ts'

/** What the store has of a document now. */
export interface CurrentVersion {
  readonly seqNo: number
  readonly version: Long
  readonly primaryTerm: number
  readonly deleted: boolean
}

/**
 * The version a write gives its document.
 *
 * @param current  undefined when the id was never written (or forgotten)
 * @throws {ServiceError} version_conflict_engine_exception (409)
 */
export function nextVersion(
  operation: Pick<DocumentOperation, 'kind' | 'type' | 'version' | 'versionType' | 'ifSeqNo' | 'ifPrimaryTerm'>,
  id: string,
  current: CurrentVersion | undefined,
  engineVersion: EngineVersion,
): Long {
  const exists = current !== undefined && !current.deleted
  // 6.x compares with what a document was when it was deleted, too.
  const seen = exists || engineVersion === 'Elasticsearch_6.8' ? current : undefined
  const conflict = (reason: string) => {
    const name = engineVersion === 'Elasticsearch_6.8' ? `[${operation.type}][${id}]` : `[${id}]`
    return new ServiceError('version_conflict_engine_exception', `${name}: version conflict, ${reason}`)
  }
  if (operation.ifSeqNo !== undefined && operation.ifPrimaryTerm !== undefined) {
    if (seen === undefined)
      throw conflict(
        `required seqNo [${operation.ifSeqNo}], primary term [${operation.ifPrimaryTerm}]. but no document was found`,
      )
    if (seen.seqNo !== operation.ifSeqNo || seen.primaryTerm !== operation.ifPrimaryTerm) {
      throw conflict(
        `required seqNo [${operation.ifSeqNo}], primary term [${operation.ifPrimaryTerm}]. current document has seqNo [${seen.seqNo}] and primary term [${seen.primaryTerm}]`,
      )
    }
  }
  if (operation.kind === 'create' && exists && operation.versionType === 'internal') {
    throw conflict(`document already exists (current version [${current.version}])`)
  }
  const { version, versionType } = operation
  if (version === undefined) return nextLong(current?.version ?? 0)
  if (versionType === 'internal' && seen === undefined && engineVersion !== 'Elasticsearch_6.8')
    throw conflict(`document does not exist (expected version [${version}])`)
  checkGiven(version, versionType, versionType === 'internal' ? seen : current, conflict)
  return versionType === 'internal' ? nextLong(current?.version ?? 0) : version
}

function checkGiven(
  version: Long,
  versionType: VersionType,
  current: CurrentVersion | undefined,
  conflict: (reason: string) => ServiceError,
): void {
  switch (versionType) {
    case 'internal':
      if (current?.version !== version) {
        throw conflict(`current version [${current?.version ?? -1}] is different than the one provided [${version}]`)
      }
      return
    case 'external':
      if (current !== undefined && current.version >= version) {
        throw conflict(`current version [${current.version}] is higher or equal to the one provided [${version}]`)
      }
      return
    case 'external_gte':
      if (current !== undefined && current.version > version) {
        throw conflict(`current version [${current.version}] is higher than the one provided [${version}]`)
      }
  }
}
