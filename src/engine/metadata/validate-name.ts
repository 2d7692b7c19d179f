import { ServiceError } from '../../errors.ts'
import type { EngineVersion } from '../engine-version.ts'
import type { IndexMetadata } from './index-metadata.ts'

const FORBIDDEN = /[ "*\\<|,>/?]/
/** In the order in which the real server's set lists them. */
const FORBIDDEN_TEXT = '[ , ", *, \\, <, |, ,, >, /, ?]'
const MAX_BYTES = 255

/** What is wrong with the name of an index or alias, in the real server's words; undefined: nothing. */
function nameFault(name: string, version: EngineVersion): string | undefined {
  if (name === '') return 'must not be empty'
  if (FORBIDDEN.test(name)) return `must not contain the following characters ${FORBIDDEN_TEXT}`
  if (name.includes('#')) return "must not contain '#'"
  if (name.includes(':') && version !== 'Elasticsearch_6.8') return "must not contain ':'"
  if (/^[_+-]/.test(name)) return "must not start with '_', '-', or '+'"
  const bytes = Buffer.byteLength(name)
  if (bytes > MAX_BYTES) return `index name is too long, (${bytes} > ${MAX_BYTES})`
  if (name === '.' || name === '..') return "must not be '.' or '..'"
  return undefined
}

/** An `invalid_index_name_exception`: «Invalid index name [x], …». */
export function invalidIndexName(name: string, fault: string): ServiceError {
  return new ServiceError('invalid_index_name_exception', `Invalid index name [${name}], ${fault}`, {
    index: name,
    indexUuid: '_na_',
  })
}

/**
 * Checks the form of an index name.
 *
 * @throws {ServiceError} invalid_index_name_exception
 */
export function validateIndexName(name: string, version: EngineVersion): void {
  const fault = nameFault(name, version)
  if (fault !== undefined) throw invalidIndexName(name, fault)
  if (name.toLowerCase() !== name) throw invalidIndexName(name, 'must be lowercase')
}

/**
 * Checks that an index can be created under a name: its form, and that neither index nor alias has it.
 *
 * @throws {ServiceError} invalid_index_name_exception, resource_already_exists_exception
 */
export function validateNewIndexName(
  name: string,
  indices: ReadonlyMap<string, IndexMetadata>,
  version: EngineVersion,
): void {
  validateIndexName(name, version)
  const existing = indices.get(name)
  if (existing !== undefined) {
    throw new ServiceError('resource_already_exists_exception', `index [${name}/${existing.uuid}] already exists`, {
      index: name,
      indexUuid: existing.uuid,
    })
  }
  for (const { aliases } of indices.values()) {
    if (Object.hasOwn(aliases, name)) throw invalidIndexName(name, 'already exists as alias')
  }
}

/**
 * Checks an alias: its name, that no index has it, and its routing.
 *
 * @param indices  undefined: the name alone is checked (templates)
 * @throws {ServiceError} invalid_alias_name_exception, illegal_argument_exception
 */
export function validateAlias(
  alias: string,
  indexRouting: string | undefined,
  indices: ReadonlyMap<string, IndexMetadata> | undefined,
  version: EngineVersion,
): void {
  if (alias.trim() === '') throw new ServiceError('illegal_argument_exception', 'alias name is required')
  const fault = nameFault(alias, version)
  if (fault !== undefined) {
    throw new ServiceError('invalid_alias_name_exception', `Invalid alias name [${alias}]: ${fault}`)
  }
  if (indexRouting?.includes(',')) {
    throw new ServiceError(
      'illegal_argument_exception',
      `alias [${alias}] has several index routing values associated with it`,
    )
  }
  const index = indices?.get(alias)
  if (index !== undefined) {
    throw new ServiceError(
      'invalid_alias_name_exception',
      `Invalid alias name [${alias}], an index exists with the same name as the alias`,
      { index: alias, indexUuid: index.uuid },
    )
  }
}

/**
 * Checks a type's name (`isCreate`: as the create-index and index-document calls do; put mapping words it otherwise).
 *
 * @throws {ServiceError} invalid_type_name_exception, illegal_argument_exception
 */
export function validateTypeName(type: string, isPutMapping = false): void {
  const invalid = (reason: string): ServiceError => new ServiceError('invalid_type_name_exception', reason)
  if (isPutMapping && type.startsWith('_') && type !== '_doc' && type !== '_default_') {
    throw invalid(`Document mapping type name can't start with '_', found: [${type}]`)
  }
  if (type === '') throw invalid('mapping type name is empty')
  if (type.length > MAX_BYTES) {
    throw invalid(`mapping type name [${type}] is too long; limit is length ${MAX_BYTES} but was [${type.length}]`)
  }
  if (type.startsWith('_') && type !== '_doc' && type !== '_default_') {
    throw invalid(`mapping type name [${type}] can't start with '_' unless it is called [_doc]`)
  }
  if (type.includes('#')) throw invalid(`mapping type name [${type}] should not include '#' in it`)
  if (type.includes(',')) throw invalid(`mapping type name [${type}] should not include ',' in it`)
  if (type.startsWith('.')) {
    throw new ServiceError('illegal_argument_exception', `mapping type name [${type}] must not start with a '.'`)
  }
}
