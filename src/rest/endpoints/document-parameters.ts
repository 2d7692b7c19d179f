import type { VersionType } from '../../engine/index/document-operation.ts'
import { matchWildcard } from '../../engine/mapping/wildcard.ts'
import { ServiceError } from '../../errors.ts'
import type { Json } from '../json/json-writer.ts'
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

/** Which parts of a source to show. */
export interface SourceFilter {
  readonly enabled: boolean
  readonly includes: readonly string[]
  readonly excludes: readonly string[]
}

export const WHOLE_SOURCE: SourceFilter = { enabled: true, includes: [], excludes: [] }

/** `_source`, `_source_includes`, `_source_excludes` (and their older names). */
export function sourceFilterOf(parameters: RequestParameters): SourceFilter | undefined {
  const source = parameters.text('_source')
  const includes = parameters.list('_source_includes') ?? parameters.list('_source_include')
  const excludes = parameters.list('_source_excludes') ?? parameters.list('_source_exclude')
  if (source === undefined && includes === undefined && excludes === undefined) return undefined
  if (source === 'false') return { enabled: false, includes: [], excludes: [] }
  const named = source === undefined || source === 'true' || source === '' ? [] : source.split(',')
  return { enabled: true, includes: [...named, ...(includes ?? [])], excludes: excludes ?? [] }
}

/** Keeps the members a filter names: paths with `*`, an object's path standing for all in it. */
export function filterSource(source: Json, filter: SourceFilter): Json {
  if (filter.includes.length === 0 && filter.excludes.length === 0) return source
  return filterObject(source, '', filter) ?? {}
}

function filterObject(value: Json, path: string, filter: SourceFilter): Json | undefined {
  if (Array.isArray(value)) {
    const kept = (value as readonly Json[]).map((v) => filterObject(v, path, filter)).filter((v) => v !== undefined)
    return kept.length > 0 || value.length === 0 ? kept : undefined
  }
  if (typeof value !== 'object' || value === null)
    return included(path, filter) && !excluded(path, filter) ? value : undefined
  const out: Record<string, Json> = {}
  for (const [name, member] of Object.entries(value as Record<string, Json>)) {
    const inner = path === '' ? name : `${path}.${name}`
    if (excluded(inner, filter)) continue
    if (included(inner, filter) && !mayExcludeInside(inner, filter)) {
      out[name] = member
      continue
    }
    if (typeof member === 'object' && member !== null) {
      const kept = filterObject(member, inner, included(inner, filter) ? { ...filter, includes: [] } : filter)
      if (kept !== undefined && (included(inner, filter) || !isEmptyObject(kept))) out[name] = kept
    } else if (included(inner, filter)) out[name] = member
  }
  return Object.keys(out).length > 0 || path === '' || filter.includes.length === 0 ? out : undefined
}

const isEmptyObject = (value: Json): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length === 0

function included(path: string, filter: SourceFilter): boolean {
  if (filter.includes.length === 0) return true
  return filter.includes.some((p) => matchWildcard(p, path) || matchWildcard(`${p}.*`, path))
}

function excluded(path: string, filter: SourceFilter): boolean {
  return filter.excludes.some((p) => matchWildcard(p, path) || matchWildcard(`${p}.*`, path))
}

function mayExcludeInside(path: string, filter: SourceFilter): boolean {
  return filter.excludes.some((p) => p.startsWith(`${path}.`) || p.includes('*'))
}
