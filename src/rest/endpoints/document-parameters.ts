import type { VersionType } from '../../engine/index/document-operation.ts'
import { ServiceError } from '../../errors.ts'
import type { RequestParameters } from '../request-parameters.ts'
import type { EndpointRequest } from '../rest-request.ts'

/** `refresh` of a write. @throws {ServiceError} illegal_argument_exception */
export function refreshPolicy(parameters: RequestParameters): boolean | 'wait_for' {
  const value = parameters.text('refresh')
  switch (value) {
    case undefined:
    case 'false':
      return false
    case '':
    case 'true':
      return true
    case 'wait_for':
      return 'wait_for'
    default:
      throw new ServiceError('illegal_argument_exception', `Unknown value for refresh: [${value}].`)
  }
}

/** `version` and `version_type`, checked against each other. @throws {ServiceError} */
export function versionParameters(parameters: RequestParameters): {
  readonly version?: number
  readonly versionType: VersionType
} {
  const version = parameters.long('version')
  return { versionType: versionTypeOf(parameters.text('version_type')), ...(version === undefined ? {} : { version }) }
}

/** @throws {ServiceError} illegal_argument_exception for a type that is none */
export function versionTypeOf(text: string | undefined): VersionType {
  switch (text) {
    case undefined:
    case 'internal':
      return 'internal'
    case 'external':
    case 'external_gt':
      return 'external'
    case 'external_gte':
      return 'external_gte'
    default:
      throw new ServiceError('illegal_argument_exception', `No version type match [${text}]`)
  }
}

/** `if_seq_no` and `if_primary_term`. */
export function casParameters(parameters: RequestParameters): {
  readonly ifSeqNo?: number
  readonly ifPrimaryTerm?: number
} {
  const ifSeqNo = parameters.long('if_seq_no')
  const ifPrimaryTerm = parameters.long('if_primary_term')
  if (ifSeqNo !== undefined && ifSeqNo < 0) {
    throw new ServiceError('illegal_argument_exception', `sequence numbers must be non negative. got [${ifSeqNo}].`)
  }
  if (ifPrimaryTerm !== undefined && ifPrimaryTerm < 0) {
    throw new ServiceError('illegal_argument_exception', `primary term must be non negative. got [${ifPrimaryTerm}]`)
  }
  return { ...(ifSeqNo === undefined ? {} : { ifSeqNo }), ...(ifPrimaryTerm === undefined ? {} : { ifPrimaryTerm }) }
}

/** Complaints about a document request, all in one message. */
export function validationFailed(complaints: readonly string[]): ServiceError {
  return new ServiceError(
    'action_request_validation_exception',
    `Validation Failed: ${complaints.map((c, i) => `${i + 1}: ${c};`).join('')}`,
  )
}

/** What is wrong with an id, its version and sequence number together; nothing when all is well. */
export function documentComplaints(
  id: string | undefined,
  operation: {
    readonly version?: number
    readonly versionType: VersionType
    readonly ifSeqNo?: number
    readonly ifPrimaryTerm?: number
    readonly opType?: 'index' | 'create'
  },
): string[] {
  const complaints: string[] = []
  if (id !== undefined && Buffer.byteLength(id) > 512) {
    complaints.push(`id is too long, must be no longer than 512 bytes but was: ${Buffer.byteLength(id)}`)
  }
  const { version, versionType } = operation
  if (operation.opType === 'create' && version !== undefined && versionType !== 'internal') {
    complaints.push(`create operations only support internal versioning. use index instead`)
  } else if (operation.opType === 'create' && version !== undefined)
    complaints.push('create operations do not support explicit versions. use index instead')
  if (version !== undefined && (version < 0 || (version === 0 && versionType === 'internal'))) {
    complaints.push(`illegal version value [${version}] for version type [${versionType.toUpperCase()}]`)
  }
  if (version === undefined && versionType !== 'internal') {
    complaints.push(`illegal version value [-3] for version type [${versionType.toUpperCase()}]`)
  }
  if ((operation.ifSeqNo === undefined) !== (operation.ifPrimaryTerm === undefined)) {
    complaints.push(
      operation.ifSeqNo === undefined
        ? `ifSeqNo is unassigned, but primary term is [${operation.ifPrimaryTerm}]`
        : `ifSeqNo is set, but primary term is [0]`,
    )
  }
  return complaints
}

/** The mapping type a path names: typeless words stand for the default one. */
export function typeOf(request: EndpointRequest, type = request.path['type']): string {
  const name = type ?? request.dialect.defaultType
  if (name.startsWith('_') && name !== '_doc') {
    throw new ServiceError(
      'invalid_type_name_exception',
      `Document mapping type name can't start with '_', found: [${name}]`,
    )
  }
  return name
}
