import { resolve, sep } from 'node:path'
import { ServiceError } from '../../errors.ts'
import { parseBoolean } from '../../parse-boolean.ts'
import type { EngineVersion } from '../engine-version.ts'
import { parseByteSize } from '../metadata/byte-size-value.ts'
import type { FlatSettings } from '../metadata/index-metadata.ts'
import { parseSizeSetting } from '../metadata/setting-value.ts'

/** A repository as it is registered. */
export interface RepositoryMetadata {
  readonly type: string
  /** As given, flat. */
  readonly settings: FlatSettings
}

/** What a repository's settings say. */
export interface RepositorySettings {
  /** Absolute path. */
  readonly location: string
  readonly isReadonly: boolean
  /** Whether what describes snapshots is deflated. */
  readonly compress: boolean
  /** A file of records is closed once it has so many bytes. */
  readonly chunkBytes: number
  /** 0: as fast as it goes. */
  readonly maxSnapshotBytesPerSecond: number
  readonly maxRestoreBytesPerSecond: number
}

/** Large enough to be few, small enough to be hashed and written between two requests. */
const CHUNK_BYTES = 2 ** 20

/**
 * Reads what a repository was registered with.
 *
 * @param roots  folders that locations must lie in (`path.repo`), absolute
 * @throws {ServiceError} repository_exception, in the real server's words
 */
export function readRepositorySettings(
  name: string,
  { type, settings }: RepositoryMetadata,
  roots: readonly string[],
  version: EngineVersion,
): RepositorySettings {
  if (type !== 'fs') throw repositoryFault(name, `repository type [${type}] does not exist`)
  try {
    const text = (key: string): string | undefined => {
      const value = settings[key]
      return value === undefined || value === null ? undefined : String(value)
    }
    const flag = (key: string, fallback: boolean): boolean => {
      const value = text(key)
      return value === undefined ? fallback : parseBoolean(value)
    }
    const rate = (key: string, fallback: string): number => {
      return Math.max(0, parseByteSize(text(key) ?? fallback, key, version))
    }
    const location = resolveLocation(name, text('location'), roots)
    const chunkSize = text('chunk_size')
    const chunkBytes = chunkSize === undefined ? 0 : parseSizeSetting('chunk_size', chunkSize, version)
    return {
      location,
      isReadonly: flag('readonly', false),
      compress: flag('compress', true),
      chunkBytes: chunkBytes > 0 ? Math.min(CHUNK_BYTES, chunkBytes) : CHUNK_BYTES,
      maxSnapshotBytesPerSecond: rate('max_snapshot_bytes_per_sec', '40mb'),
      maxRestoreBytesPerSecond: rate('max_restore_bytes_per_sec', '0'),
    }
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    throw notCreated(name, error)
  }
}

/** «failed to create repository», and why. */
export function notCreated(name: string, cause: ServiceError): ServiceError {
  return repositoryFault(name, 'failed to create repository', cause)
}

/** A `repository_exception`: «[name] reason». */
export function repositoryFault(name: string, reason: string, cause?: ServiceError): ServiceError {
  return new ServiceError('repository_exception', `[${name}] ${reason}`, { cause })
}

function resolveLocation(name: string, location: string | undefined, roots: readonly string[]): string {
  if (location === undefined || location === '') throw repositoryFault(name, 'missing location')
  if (location.includes('\0')) throw repositoryFault(name, `Nul character not allowed: ${location}`)
  for (const root of roots) {
    const path = resolve(root, location)
    if (isWithin(path, root)) return path
  }
  const why = roots.length === 0 ? ' because this setting is empty' : ''
  throw repositoryFault(name, `location [${location}] doesn't match any of the locations specified by path.repo${why}`)
}

/** True when an absolute path is a folder or lies in it. */
export function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`)
}
