import { ServiceError } from '../../errors.ts'
import type { EngineVersion } from '../engine-version.ts'
import type { IndexMetadata } from './index-metadata.ts'

/** Characters of no name: of an index, a snapshot, a repository. */
export const FORBIDDEN = /[ "*\\<|,>/?]/
/** The same in the order in which the real server's set lists them. */
export const FORBIDDEN_TEXT = '[ , ", *, \\, <, |, ,, >, /, ?]'
/** What the real servers take and nobody can type, log or see: control characters, and what stands for bytes that are no UTF-8. */
const UNREADABLE = /[\p{Cc}\ufffd]/u
const MAX_BYTES = 255

/** What is wrong with the name of an index or alias, in the real server's words; undefined: nothing. */
export function nameFault(name: string, version: EngineVersion): string | undefined {
  if (name === '') return 'must not be empty'
  if (FORBIDDEN.test(name)) return `must not contain the following characters ${FORBIDDEN_TEXT}`
  if (UNREADABLE.test(name)) return 'must not contain control characters, or bytes that are not UTF-8'
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
