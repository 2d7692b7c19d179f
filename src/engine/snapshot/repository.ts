import { randomBytes } from 'node:crypto'
import { readdir, readFile, realpath, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { newUuid } from '../metadata/create-index-settings.ts'
import { makeFolder, syncFolder, UNFINISHED, writeDurably } from './durable-file.ts'
import type { IndexManifest } from './index-manifest.ts'
import { contentName } from './record-chunk.ts'
import { isWithin, type RepositorySettings } from './repository-settings.ts'
import { DamagedFileError, openSealedJson, type SealedKind, sealJson } from './sealed-json.ts'
import type { SnapshotRecord } from './snapshot-record.ts'

/* A repository is a folder:
 *   chaja-repository     sealed-json.ts: its id
 *   snapshots/<uuid>     sealed-json.ts: a snapshot (snapshot-record.ts); it exists once this file does
 *   manifests/<SHA-256>  sealed-json.ts: an index of a snapshot (index-manifest.ts), or a global state
 *   data/<xx>/<SHA-256>  records (record-chunk.ts); xx are the first two digits
 * Files of the last two are named after their bytes, never changed, and shared by snapshots. What no snapshot leads to is
 * left over from one that was interrupted or deleted, and swept away.
 */
const IDENTITY = 'chaja-repository'
const CONTENT_NAME = /^[0-9a-f]{64}$/
const UNFINISHED_NAME = new RegExp(`^${UNFINISHED}[0-9a-f]{16}$`)
/** Files by which another product's repository is known. */
const FOREIGN = /^(?:index\.latest|index-\d+|incompatible-snapshots)$/

/** A file that was put into a repository. */
export interface StoredFile {
  readonly name: string
  readonly bytes: number
  /** False when it was there already. */
  readonly isNew: boolean
}

/** Snapshots of a repository, oldest first, and the files among them that cannot be read. */
export interface SnapshotList {
  readonly snapshots: readonly SnapshotRecord[]
  readonly damaged: readonly Error[]
}

/** Snapshots in a folder. Whoever writes makes sure of being the only one. */
export class Repository {
  readonly settings: RepositorySettings
  /** Snapshots never change: those read before, by the name of their file. */
  readonly #known = new Map<string, SnapshotRecord>()
  #id: string | undefined

  constructor(settings: RepositorySettings) {
    this.settings = settings
  }

  /**
   * Makes the folder a repository where it is none, or sees that it is one.
   *
   * @param roots  folders one of which it must lie in, whatever links lead to it
   * @throws {Error} what is wrong with it
   */
  async open(roots: readonly string[]): Promise<void> {
    const { location, isReadonly } = this.settings
    const real = await realPath(location)
    const realRoots = await Promise.all(roots.map(realPath))
    if (!realRoots.some((root) => isWithin(real, root)))
      throw new Error(`the location leads out of the locations specified by path.repo`)
    if (!isReadonly) for (const folder of ['snapshots', 'manifests', 'data']) await makeFolder(join(location, folder))
    const foreign = (await readdir(location)).find((name) => FOREIGN.test(name))
    if (foreign !== undefined) throw new Error(`the location holds a repository of another product: [${foreign}]`)
    if ((await this.id()) !== undefined || isReadonly) return
    this.#id = newUuid()
    await writeDurably(location, IDENTITY, sealJson('repository', { id: this.#id, createdAt: Date.now() }, false))
    await syncFolder(location)
  }

  /** Tells repositories apart, wherever they are mounted; undefined: it is empty and cannot be written. */
  async id(): Promise<string | undefined> {
    if (this.#id !== undefined) return this.#id
    const bytes = await readIfThere(join(this.settings.location, IDENTITY))
    if (bytes === undefined) return undefined
    this.#id = (openSealedJson('repository', IDENTITY, bytes) as { id: string }).id
    return this.#id
  }

  /** Sees that files can be written here and read again. @throws {Error} why not */
  async probe(): Promise<void> {
    const { location, isReadonly } = this.settings
    if (isReadonly) {
      await readdir(location)
      return
    }
    const name = `${UNFINISHED}${randomBytes(8).toString('hex')}`
    const bytes = randomBytes(64)
    await writeDurably(location, name, bytes)
    const read = await readFile(join(location, name))
    await rm(join(location, name))
    if (!read.equals(bytes)) throw new Error('what was written was read back otherwise')
  }

  /** @throws {Error} when the folder cannot be read */
  async list(): Promise<SnapshotList> {
    const folder = join(this.settings.location, 'snapshots')
    const names = await readdirIfThere(folder)
    const snapshots: SnapshotRecord[] = []
    const damaged: Error[] = []
    for (const name of names) {
      if (name.startsWith(UNFINISHED)) continue
      let record = this.#known.get(name)
      if (record === undefined) {
        try {
          const bytes = await readIfThere(join(folder, name))
          if (bytes === undefined) continue
          record = openSealedJson('snapshot', `snapshots/${name}`, bytes) as SnapshotRecord
          if (record.uuid !== name) throw new DamagedFileError(`snapshots/${name}`, 'it is of another snapshot')
          this.#known.set(name, record)
        } catch (error) {
          damaged.push(error as Error)
          continue
        }
      }
      snapshots.push(record)
    }
    const here = new Set(names)
    for (const name of this.#known.keys()) if (!here.has(name)) this.#known.delete(name)
    snapshots.sort((a, b) => a.startedAt - b.startedAt || (a.name < b.name ? -1 : 1))
    return { snapshots, damaged }
  }

  /** @throws {DamagedFileError} when it is missing or not what was written */
  async readManifest(name: string): Promise<IndexManifest> {
    return (await this.#readSealed('index', name)) as IndexManifest
  }

  /** @throws {DamagedFileError} */
  async readState(name: string): Promise<unknown> {
    return this.#readSealed('state', name)
  }

  async #readSealed(kind: SealedKind, name: string): Promise<unknown> {
    const file = `manifests/${contentPath(name)}`
    const bytes = await readIfThere(join(this.settings.location, file))
    if (bytes === undefined) throw new DamagedFileError(file, 'it is missing')
    return openSealedJson(kind, file, bytes)
  }

  /** The bytes of a file of records. @throws {DamagedFileError} when it is missing or not what was written */
  async readData(name: string): Promise<Buffer> {
    const file = `data/${name.slice(0, 2)}/${contentPath(name)}`
    const bytes = await readIfThere(join(this.settings.location, file))
    if (bytes === undefined) throw new DamagedFileError(file, 'it is missing')
    if (contentName(bytes) !== name) throw new DamagedFileError(file, 'its checksum does not match')
    return bytes
  }

  /**
   * Whether a file of records is there whole. Its bytes are looked at, under a millisecond for each MB once they are read:
   * a snapshot that stood on a damaged one would be none.
   */
  async hasData(name: string, bytes: number): Promise<boolean> {
    const found = await stat(join(this.settings.location, 'data', name.slice(0, 2), name)).catch(() => undefined)
    if (found?.size !== bytes) return false
    return this.readData(name).then(
      () => true,
      () => false,
    )
  }

  /** Stores records. */
  async putData(bytes: Buffer): Promise<StoredFile> {
    const name = contentName(bytes)
    const folder = join(this.settings.location, 'data', name.slice(0, 2))
    await makeFolder(folder)
    return this.#put(folder, name, bytes)
  }

  /** Stores what a snapshot has of an index, or of the global state. */
  async putManifest(kind: 'index' | 'state', value: unknown): Promise<StoredFile> {
    const bytes = sealJson(kind, value, this.settings.compress)
    return this.#put(join(this.settings.location, 'manifests'), contentName(bytes), bytes)
  }

  /** Of a file that is there already the bytes are looked at: it may be damaged. */
  async #put(folder: string, name: string, bytes: Buffer): Promise<StoredFile> {
    const there = await readIfThere(join(folder, name))
    const isNew = there === undefined
    if (isNew || !there.equals(bytes)) await writeDurably(folder, name, bytes)
    return { name, bytes: bytes.length, isNew }
  }

  /** Makes a snapshot be: what it stands on is made durable first. */
  async putSnapshot(record: SnapshotRecord): Promise<void> {
    const { location, compress } = this.settings
    const data = join(location, 'data')
    for (const name of await readdir(data)) await syncFolder(join(data, name))
    for (const folder of [data, join(location, 'manifests'), location]) await syncFolder(folder)
    const folder = join(location, 'snapshots')
    await writeDurably(folder, record.uuid, sealJson('snapshot', record, compress))
    await syncFolder(folder)
  }

  /** Makes snapshots be no more; what they stood on is left to {@link sweep}. */
  async removeSnapshots(uuids: readonly string[]): Promise<void> {
    const folder = join(this.settings.location, 'snapshots')
    for (const uuid of uuids) await rm(join(folder, uuid), { force: true })
    await syncFolder(folder)
  }

  /**
   * Removes what no snapshot leads to.
   *
   * @throws {Error} when a snapshot cannot be read: what it leads to cannot be told, so nothing is removed
   */
  async sweep(): Promise<{ readonly files: number; readonly bytes: number }> {
    const { location } = this.settings
    const { snapshots, damaged } = await this.list()
    if (damaged[0] !== undefined) throw damaged[0]
    const manifests = new Set<string>()
    const data = new Set<string>()
    for (const { indices, globalState } of snapshots) {
      for (const { manifest } of indices) manifests.add(manifest)
      if (globalState !== undefined) manifests.add(globalState)
    }
    for (const { indices } of snapshots) {
      for (const { manifest } of indices) {
        if (data.has(manifest)) continue
        data.add(manifest)
        for (const chunk of (await this.readManifest(manifest)).chunks) data.add(chunk.file)
      }
    }
    let files = 0
    let bytes = 0
    const clean = async (folder: string, kept: ReadonlySet<string>) => {
      for (const name of await readdirIfThere(folder)) {
        // Only what a repository writes is ever removed.
        if (kept.has(name) || !(CONTENT_NAME.test(name) || UNFINISHED_NAME.test(name))) continue
        const path = join(folder, name)
        bytes += (await stat(path).catch(() => undefined))?.size ?? 0
        files++
        await rm(path, { force: true })
      }
    }
    for (const name of await readdirIfThere(join(location, 'data'))) await clean(join(location, 'data', name), data)
    await clean(join(location, 'manifests'), manifests)
    await clean(join(location, 'snapshots'), new Set(snapshots.map(({ uuid }) => uuid)))
    return { files, bytes }
  }
}

/** Where a path leads, links followed, whether or not there is something yet. */
async function realPath(path: string): Promise<string> {
  try {
    return await realpath(path)
  } catch (error) {
    const folder = dirname(path)
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || folder === path) throw error
    return join(await realPath(folder), basename(path))
  }
}

/** A name that a file gave, as a part of a path: nothing leads out of the repository. @throws {DamagedFileError} */
function contentPath(name: string): string {
  if (CONTENT_NAME.test(name)) return name
  throw new DamagedFileError(name, 'no file has such a name')
}

async function readIfThere(path: string): Promise<Buffer | undefined> {
  try {
    return await readFile(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

async function readdirIfThere(path: string): Promise<readonly string[]> {
  try {
    return await readdir(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}
