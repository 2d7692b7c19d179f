import type { IndexManifest } from './index-manifest.ts'
import type { Repository } from './repository.ts'
import type { SnapshotHost } from './snapshot-host.ts'

const NAMESPACE = 'snapshot_base'
/** Snapshots remembered of an index in a repository: the last ones may be deleted first. */
const REMEMBERED = 8

/**
 * Remembers, with the data, which snapshots were made of (or restored to) the very index that is there now: their chunks
 * hold its records. What another data directory wrote, though it be a copy of this one, is never taken for ours.
 */
export class SnapshotBases {
  readonly #host: SnapshotHost

  constructor(host: SnapshotHost) {
    this.#host = host
  }

  /** What the last snapshot of an index in a repository had, as far as it is still there. */
  async find(repository: Repository, indexNumber: number): Promise<IndexManifest | undefined> {
    for (const manifest of this.#known(await repository.id(), indexNumber)) {
      try {
        return await repository.readManifest(manifest)
      } catch {
        // Deleted or damaged: what it had is stored anew, or found in one before.
      }
    }
    return undefined
  }

  /** An index has the records of a manifest. */
  async add(repository: Repository, indexNumber: number, manifest: string): Promise<void> {
    const id = await repository.id()
    const known = this.#known(id, indexNumber).filter((name) => name !== manifest)
    await this.#host.extras.put(NAMESPACE, `${indexNumber}.${id}`, [manifest, ...known].slice(0, REMEMBERED))
  }

  /** Forgets what is known of indices that are no more. */
  async forgetOthers(): Promise<void> {
    const numbers = new Set([...this.#host.indices.keys()].map((name) => String(this.#host.indexNumber(name))))
    for (const key of [...this.#host.extras.names(NAMESPACE)])
      if (!numbers.has(key.slice(0, key.indexOf('.')))) await this.#host.extras.delete(NAMESPACE, key)
  }

  #known(repositoryId: string | undefined, indexNumber: number): readonly string[] {
    try {
      return (this.#host.extras.get(NAMESPACE, `${indexNumber}.${repositoryId}`) as readonly string[] | undefined) ?? []
    } catch {
      // A damaged entry: everything is stored anew, as with none.
      return []
    }
  }
}
