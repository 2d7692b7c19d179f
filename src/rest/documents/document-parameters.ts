import type { Long } from '../../engine/algorithms/long.ts'
import type { VersionType } from '../../engine/index/document-operation.ts'
import { DEFAULT_TYPE } from '../../engine/mapping/merge-defaults.ts'
import { ServiceError } from '../../errors.ts'
import { illegalArgument } from '../../illegal-argument.ts'
import type { JsonValue } from '../body/parse-json.ts'
import { readLong } from '../body/read-long.ts'
import type { Dialect } from '../dialects/dialect.ts'
import type { RequestParameters } from '../parameters/request-parameters.ts'
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
      throw illegalArgument(`Unknown value for refresh: [${value}].`)
  }
}

/** `version` and `version_type`, checked against each other. @throws {ServiceError} */
export function versionParameters(
  parameters: RequestParameters,
  opType?: 'index' | 'create',
): {
  readonly version?: Long
  readonly versionType: VersionType
} {
  const version = parameters.long('version')
  return {
    versionType: versionTypeOf(parameters.text('version_type')),
    ...(saysNothing(version, opType) ? {} : { version }),
  }
}

/** Lucene's `Versions.MATCH_ANY`, no version in particular: clients written in Java send it, and `MATCH_DELETED`. */
export const MATCH_ANY = -3
const MATCH_DELETED = -4

/** Whether a version asks for no more than the action itself does. */
export const saysNothing = (version: Long | undefined, action?: string): version is undefined =>
  version === undefined || version === MATCH_ANY || (version === MATCH_DELETED && action === 'create')

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
      throw illegalArgument(`No version type match [${text}]`)
  }
}

/** `if_seq_no` and `if_primary_term`. */
export function casParameters(parameters: RequestParameters): Pick<WriteChecks, 'ifSeqNo' | 'ifPrimaryTerm'> {
  return writeCondition(parameters.long('if_seq_no'), parameters.long('if_primary_term'))
}

/** The same members of a body: an update's, or an action line. @throws {ServiceError} illegal_argument_exception, json_parse_exception */
export const bodyCondition = (body: {
  readonly [name: string]: JsonValue
}): Pick<WriteChecks, 'ifSeqNo' | 'ifPrimaryTerm'> =>
  writeCondition(readLong(body['if_seq_no']), readLong(body['if_primary_term']))

/** What a write expects of the document there is. @throws {ServiceError} illegal_argument_exception */
function writeCondition(
  ifSeqNo: Long | undefined,
  ifPrimaryTerm: Long | undefined,
): Pick<WriteChecks, 'ifSeqNo' | 'ifPrimaryTerm'> {
  // -2 stands for none.
  if (ifSeqNo !== undefined && ifSeqNo < 0 && ifSeqNo !== -2) {
    throw illegalArgument(`sequence numbers must be non negative. got [${ifSeqNo}].`)
  }
  if (ifPrimaryTerm !== undefined && ifPrimaryTerm < 0) {
    throw illegalArgument(`primary term must be non negative. got [${ifPrimaryTerm}]`)
  }
  return {
    ...(ifSeqNo === undefined || ifSeqNo === -2 ? {} : { ifSeqNo }),
    ...(ifPrimaryTerm === undefined ? {} : { ifPrimaryTerm }),
  }
}

/** Complaints about a document request, all in one message. */
export function validationFailed(complaints: readonly string[]): ServiceError {
  return new ServiceError(
    'action_request_validation_exception',
    `Validation Failed: ${complaints.map((c, i) => `${i + 1}: ${c};`).join('')}`,
  )
}

/** How a write is to be checked against what there is. */
export interface WriteChecks {
  readonly version?: Long
  readonly versionType: VersionType
  readonly ifSeqNo?: Long
  readonly ifPrimaryTerm?: Long
}

/** What typeless servers say to a version of theirs that a write expects. */
export const NO_VERSIONING =
  'internal versioning can not be used for optimistic concurrency control. Please use `if_seq_no` and `if_primary_term` instead'

/** What is wrong with the checks a write asks for; nothing when all is well. */
export function checkComplaints(
  { version, versionType, ifSeqNo, ifPrimaryTerm = 0 }: WriteChecks,
  dialect: Dialect,
): string[] {
  const complaints: string[] = []
  if (!isWritable(version, versionType)) complaints.push(illegalVersion(version, versionType))
  if (!dialect.typed && version !== undefined && versionType === 'internal') {
    complaints.push(NO_VERSIONING)
  }
  if (ifSeqNo !== undefined && (version !== undefined || versionType !== 'internal')) {
    complaints.push('compare and write operations can not use versioning')
  }
  if (ifSeqNo === undefined && ifPrimaryTerm !== 0) {
    complaints.push(`ifSeqNo is unassigned, but primary term is [${ifPrimaryTerm}]`)
  }
  if (ifSeqNo !== undefined && ifPrimaryTerm === 0) complaints.push('ifSeqNo is set, but primary term is [0]')
  return complaints
}

/** What is wrong with a document to be stored: its id and its checks together. */
export function documentComplaints(
  id: string | undefined,
  checks: WriteChecks & { readonly opType: 'index' | 'create'; readonly pipeline?: string | undefined },
  dialect: Dialect,
): string[] {
  const { version, versionType, ifSeqNo, ifPrimaryTerm = 0, opType } = checks
  if (opType === 'create') {
    if (versionType !== 'internal') {
      return ['create operations only support internal versioning. use index instead']
    }
    if (version !== undefined) return ['create operations do not support explicit versions. use index instead']
    if (ifSeqNo !== undefined || ifPrimaryTerm !== 0) {
      return ['create operations do not support compare and set. use index instead']
    }
  }
  const complaints = checkComplaints(checks, dialect)
  complaints.push(...idComplaints(id, dialect))
  // In 6.x an operation that creates has a version of its own.
  const ofPipeline = checks.pipeline === '' ? ['pipeline cannot be an empty string'] : []
  const isVersioned = version !== undefined || versionType !== 'internal' || (dialect.typed && opType === 'create')
  const needsId = id !== undefined || !isVersioned ? [] : ['an id must be provided if version type or value are set']
  return dialect.typed ? [...complaints, ...needsId, ...ofPipeline] : [...needsId, ...complaints, ...ofPipeline]
}

/** What is wrong with the length of an id. */
export function idComplaints(id: string | undefined, { typed }: Dialect): string[] {
  const length = id === undefined ? 0 : Buffer.byteLength(id)
  if (length <= 512) return []
  const name = typed ? 'id' : `id [${id}]`
  return [`${name} is too long, must be no longer than 512 bytes but was: ${length}`]
}

/** What is wrong with an update: its checks, and what it says of both, its document and its script. */
export function updateComplaints(
  body: { readonly [name: string]: JsonValue },
  checks: WriteChecks,
  options: {
    readonly id: string | undefined
    readonly retries: number
    readonly docAsUpsert: boolean
    readonly dialect: Dialect
  },
): string[] {
  const { version, versionType, ifSeqNo } = checks
  const { id, retries, docAsUpsert, dialect } = options
  const complaints: string[] = []
  if ('upsert' in body && version !== undefined) {
    complaints.push("can't provide both upsert request and a version", "can't provide version in upsert request")
  }
  if (versionType !== 'internal') {
    complaints.push(`version type [${versionType.toUpperCase()}] is not supported by the update API`)
  } else {
    if (version !== undefined && retries > 0) {
      complaints.push("can't provide both retry_on_conflict and a specific version")
    }
    if (!isWritable(version, versionType)) complaints.push(illegalVersion(version, versionType))
  }
  complaints.push(...checkComplaints(checks, dialect))
  if (ifSeqNo !== undefined) {
    if (retries > 0) complaints.push('compare and write operations can not be retried')
    if (docAsUpsert) complaints.push('compare and write operations can not be used with upsert')
    if (!dialect.typed && 'upsert' in body)
      complaints.push("upsert requests don't support `if_seq_no` and `if_primary_term`")
  }
  const isScripted = 'script' in body
  if (!isScripted && !('doc' in body)) complaints.push('script or doc is missing')
  if (isScripted && 'doc' in body) complaints.push("can't provide both script and doc")
  if (!('doc' in body) && docAsUpsert) complaints.push('doc must be specified if doc_as_upsert is enabled')
  if (dialect.engineVersion === 'OpenSearch_2.19') complaints.push(...idComplaints(id, dialect))
  return complaints
}

function isWritable(version: Long | undefined, versionType: VersionType): boolean {
  return versionType === 'internal' ? version === undefined || version > 0 : version !== undefined && version >= 0
}

/** Whether a version can be one that a read expects. */
export const isReadable = (version: Long | undefined, versionType: VersionType): boolean =>
  version === undefined || version > 0 || (version === 0 && versionType !== 'internal')

/** What is said of a version that can be none. */
export function illegalVersion(version: Long | undefined, versionType: VersionType): string {
  return `illegal version value [${version ?? -3}] for version type [${versionType.toUpperCase()}]`
}

/** The mapping type a path names: typeless words stand for the default one. */
export function typeOf(request: EndpointRequest, type = request.path['type']): string {
  const name = type ?? request.dialect.defaultType
  checkTypeOfDocument(name, request.dialect)
  return name
}

/** @throws {ServiceError} invalid_type_name_exception */
export function checkTypeOfDocument(name: string, { typed }: Dialect): void {
  if (!name.startsWith('_') || name === '_doc' || name === DEFAULT_TYPE) return
  throw new ServiceError(
    'invalid_type_name_exception',
    typed
      ? `Document mapping type name can't start with '_', found: [${name}]`
      : `mapping type name [${name}] can't start with '_' unless it is called [_doc]`,
  )
}
