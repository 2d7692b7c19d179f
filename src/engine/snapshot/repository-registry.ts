import { faultOf, ServiceError } from '../../errors.ts'
import { systemMessage } from '../../file-problem.ts'
import { Repository } from './repository.ts'
import {
  isWithin,
  notCreated,
  type RepositoryMetadata,
  readRepositorySettings,
  repositoryFault,
} from './repository-settings.ts'
import type { SnapshotHost } from './snapshot-host.ts'
import { repositoryMissing, validateRepositoryName } from './snapshot-name.ts'

/** Where repositories are kept. */
const NAMESPACE = 'repository'

/** The repositories that are registered. */
export class RepositoryRegistry {
  readonly #host: SnapshotHost
  readonly #roots: readonly string[]
  /** Those opened since the start. */
  readonly #open = new Map<string, Repository>()

  /** @param roots  `path.repo`: absolute folders that locations must lie in */
  constructor(host: SnapshotHost, roots: readonly string[]) {
    this.#host = host
    this.#roots = roots
  }

  /** By name. */
  all(): readonly (readonly [name: string, RepositoryMetadata])[] {
    return [...this.#host.extras.entries(NAMESPACE)] as (readonly [string, RepositoryMetadata])[]
  }

  /** @throws {ServiceError} repository_missing_exception */
  metadata(name: string): RepositoryMetadata {
    const metadata = this.#host.extras.get(NAMESPACE, name)
    if (metadata === undefined) throw repositoryMissing(name)
    return metadata as RepositoryMetadata
  }

  /** Other repositories whose folder is, holds or lies in the one that is meant. @throws {ServiceError} repository_exception */
  sharing(name: string, metadata: RepositoryMetadata): readonly string[] {
    const locationOf = (...one: readonly [name: string, RepositoryMetadata]): string =>
      readRepositorySettings(...one, this.#roots, this.#host.version).location
    const location = locationOf(name, metadata)
    const isShared = (other: string): boolean => isWithin(other, location) || isWithin(location, other)
    // One whose folder is no longer below a root shares it with nobody.
    const located = (known: string, its: RepositoryMetadata) => faultOf(() => locationOf(known, its)) === undefined
    return this.all().flatMap(([known, its]) =>
      known !== name && located(known, its) && isShared(locationOf(known, its)) ? [known] : [],
    )
  }

  /**
   * Registers a repository, or changes it.
   *
   * @param verify  see that it can be written
   * @throws {ServiceError} repository_exception, repository_verification_exception
   */
  async put(name: string, metadata: RepositoryMetadata, verify: boolean): Promise<void> {
    validateRepositoryName(name, this.#host.version)
    const repository = new Repository(readRepositorySettings(name, metadata, this.#roots, this.#host.version))
    let isOpen = true
    try {
      await repository.open(this.#roots)
    } catch (error) {
      // One that is not verified is opened when it is used.
      if (verify) throw notCreated(name, repositoryFault(name, systemMessage(error)))
      isOpen = false
    }
    if (verify) await this.#probe(name, repository)
    const stored = this.#host.extras.put(NAMESPACE, name, metadata)
    if (isOpen) this.#open.set(name, repository)
    else this.#open.delete(name)
    try {
      await stored
    } catch (error) {
      this.#open.delete(name)
      throw error
    }
  }

  /** Forgets a repository; nothing in its folder is touched. */
  async delete(name: string): Promise<void> {
    this.#open.delete(name)
    await this.#host.extras.delete(NAMESPACE, name)
  }

  /** @throws {ServiceError} repository_verification_exception, repository_missing_exception */
  async verify(name: string): Promise<void> {
    await this.#probe(name, await this.open(name))
  }

  async #probe(name: string, repository: Repository): Promise<void> {
    try {
      await repository.probe()
    } catch (error) {
      const path = `path  is not accessible on master node: ${systemMessage(error)}`
      throw new ServiceError('repository_verification_exception', `[${name}] ${path}`)
    }
  }

  /** A repository to work with. @throws {ServiceError} repository_missing_exception, repository_exception */
  async open(name: string): Promise<Repository> {
    const metadata = this.metadata(name)
    const open = this.#open.get(name)
    if (open !== undefined) return open
    const repository = new Repository(readRepositorySettings(name, metadata, this.#roots, this.#host.version))
    try {
      await repository.open(this.#roots)
    } catch (error) {
      throw unreadable(name, error)
    }
    // It may lie elsewhere by now, or have been forgotten.
    if (this.metadata(name) !== metadata) return this.open(name)
    this.#open.set(name, repository)
    return repository
  }

  /** The same, to write. @param refusal  the reason when it may not be written */
  async openToWrite(name: string, refusal: string): Promise<Repository> {
    // Whatever it is like where it lies.
    const settings = readRepositorySettings(name, this.metadata(name), this.#roots, this.#host.version)
    if (settings.isReadonly) throw repositoryFault(name, refusal)
    return this.open(name)
  }
}

/** A repository that does not answer, or not what it should: a fault that is not the caller's. */
export function unreadable(name: string, error: unknown): ServiceError {
  if (error instanceof ServiceError) return error
  return new ServiceError('repository_exception', `[${name}] ${systemMessage(error)}`, { status: 500 })
}
