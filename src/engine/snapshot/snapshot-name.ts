import { ServiceError } from '../../errors.ts'
import type { EngineVersion } from '../engine-version.ts'
import { FORBIDDEN, FORBIDDEN_TEXT } from '../metadata/validate-name.ts'

/**
 * Checks the name of a new snapshot. No file is named after it: a repository cannot be left by a name.
 *
 * @throws {ServiceError} invalid_snapshot_name_exception
 */
export function validateSnapshotName(repository: string, name: string): void {
  const fault = snapshotNameFault(name)
  if (fault !== undefined) throw invalidSnapshotName(repository, name, fault)
}

function snapshotNameFault(name: string): string | undefined {
  if (name === '') return 'cannot be empty'
  if (/\s/.test(name)) return 'must not contain whitespace'
  if (name.includes(',')) return "must not contain ','"
  if (name.includes('#')) return "must not contain '#'"
  if (name.startsWith('_')) return "must not start with '_'"
  if (name.toLowerCase() !== name) return 'must be lowercase'
  if (FORBIDDEN.test(name)) return `must not contain the following characters ${FORBIDDEN_TEXT}`
  return undefined
}

/** An `invalid_snapshot_name_exception`: «[repository:name] Invalid snapshot name [name], fault». */
export function invalidSnapshotName(repository: string, name: string, fault: string): ServiceError {
  return new ServiceError(
    'invalid_snapshot_name_exception',
    `[${repository}:${name}] Invalid snapshot name [${name}], ${fault}`,
  )
}

/**
 * Checks the name of a repository; 6.8 takes any.
 *
 * @throws {ServiceError} repository_exception
 */
export function validateRepositoryName(name: string, version: EngineVersion): void {
  if (version === 'Elasticsearch_6.8') return
  const fault = repositoryNameFault(name)
  if (fault !== undefined) throw new ServiceError('repository_exception', `[${name}] ${fault}`)
}

function repositoryNameFault(name: string): string | undefined {
  if (name === '') return 'cannot be empty'
  if (name.includes('#')) return "must not contain '#'"
  if (FORBIDDEN.test(name)) return `must not contain the following characters ${FORBIDDEN_TEXT}`
  return undefined
}

/** `[repository] missing`. */
export function repositoryMissing(name: string): ServiceError {
  return new ServiceError('repository_missing_exception', `[${name}] missing`)
}

/** `[repository:snapshot] is missing`. */
export function snapshotMissing(repository: string, name: string): ServiceError {
  return new ServiceError('snapshot_missing_exception', `[${repository}:${name}] is missing`)
}
