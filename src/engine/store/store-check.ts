import { closeSync, fsyncSync, openSync, readSync, writeFileSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { makeFolder } from '../../make-folder.ts'
import { syncNames } from '../../sync-names.ts'
import { checkStoreFile } from './check-store-file.ts'
import { decodeIdEntry } from './id-entry.ts'
import { type DamagedPage, FREE_PAGES, type LostKeys, MAIN_TREE, type StoreHeader, StorePages } from './store-pages.ts'

/** Stores up to here are looked at before anything else is done with them: it takes some 10 ms. */
const LOOK_AT_ONCE_BYTES = 16 * 2 ** 20

/** Without this table there are no indices. */
const FIRST_TABLE = 'metadata'

/** Records and settings are looked at when they are read; an id whose key is damaged would not be found. */
function isIdEntry(key: Buffer, value: Buffer): boolean {
  try {
    decodeIdEntry(key, value)
    return true
  } catch {
    return false
  }
}

/** What is told of a store with damaged pages. */
export class StoreDamagedError extends Error {
  /** @param pages  in a few words: which, and whose */
  constructor(path: string, pages: readonly DamagedPage[], consequence: string) {
    const some = pages.slice(0, 5).map(({ page, table }) => `${page} (${table})`)
    const more = pages.length > some.length ? ` and ${pages.length - some.length} more` : ''
    super(`${path} is damaged: ${pages.length === 1 ? 'page' : 'pages'} ${some.join(', ')}${more}; ${consequence}`)
    this.name = 'StoreDamagedError'
  }
}

/**
 * Looks at all pages of a small LMDB file, before it is opened; of none when there is no such file.
 *
 * @param isShared  it may be open in another process
 * @throws {StoreDamagedError} when one is damaged
 */
export function checkSmallStore(path: string, isShared = false): void {
  for (;;) {
    const header = checkStoreFile(path, isShared)
    const damaged = header === undefined ? [] : damagedPages(path, header)
    if (damaged.length === 0) return
    // Pages that a commit since then no longer needs may be written over.
    if (!isShared || checkStoreFile(path, isShared)?.commit === header?.commit)
      throw new StoreDamagedError(path, damaged, 'nothing was changed')
  }
}

function damagedPages(path: string, header: StoreHeader): readonly DamagedPage[] {
  const file = openSync(path, 'r')
  try {
    const pages = new StorePages(file, header, new Map())
    pages.lookFirst('')
    for (const _ of pages.look());
    return pages.damaged
  } finally {
    closeSync(file)
  }
}

/**
 * Whether a store's pages are whole, found out when it is opened: LMDB goes wherever a damaged page points to, which ends the
 * process. Of a large store only the table that a start needs is looked at before it is opened, the rest while it is read already.
 *
 * Damaged pages are copied to `damaged/` beside the store, and made zero, which LMDB tells of instead of following it when it is asked
 * for one key. Its cursors do not: whoever reads a range asks {@link StoreCheck.isLost} first.
 */
export class StoreCheck {
  readonly #path: string
  readonly #header: StoreHeader
  readonly #file: number
  readonly #pages: StorePages
  readonly #rest: Generator<void>
  #ended = false
  #lost: readonly LostKeys[] = []
  #damage: StoreDamagedError | undefined

  /** @throws {StoreDamagedError} when what a start needs is damaged; nothing is changed then */
  constructor(path: string, header: StoreHeader) {
    this.#path = path
    this.#header = header
    this.#file = openSync(path, 'r+')
    this.#pages = new StorePages(this.#file, header, new Map([['ids', isIdEntry]]))
    this.#rest = this.#pages.look()
    this.#pages.lookFirst(FIRST_TABLE)
    const isSmall = header.lastPage * header.pageBytes <= LOOK_AT_ONCE_BYTES
    try {
      if (isSmall) this.finish()
      else this.#checkFirst()
    } catch (error) {
      this.stop()
      throw error
    }
  }

  /** What was found; undefined while all looks well. */
  get damage(): StoreDamagedError | undefined {
    return this.#damage
  }

  /** True when a cursor over these keys could come to a damaged page. */
  isLost(table: string, from: Buffer, to: Buffer): boolean {
    return this.#lost.some(
      (lost) =>
        lost.table === table &&
        (lost.from === undefined || Buffer.compare(lost.from, to) <= 0) &&
        (lost.to === undefined || Buffer.compare(from, lost.to) <= 0),
    )
  }

  /** True when all was looked at, or nothing more will be. */
  get hasEnded(): boolean {
    return this.#ended
  }

  /** Looks at all there is left, now. */
  finish(): void {
    while (!this.#ended) this.#step()
  }

  /** Looks at all there is left, little by little: nothing of what the store held when it was opened may be written over meanwhile. */
  async finishLater(): Promise<void> {
    while (!this.#ended) {
      await new Promise((resolve) => setImmediate(resolve))
      if (!this.#ended) this.#step()
    }
  }

  /** Looks no further. */
  stop(): void {
    if (this.#ended) return
    this.#ended = true
    closeSync(this.#file)
  }

  #step(): void {
    if (!this.#rest.next().done) return
    this.#checkFirst()
    const { damaged } = this.#pages
    if (damaged.length > 0) {
      this.#lost = this.#pages.lostKeys()
      for (const { page, table, isReadable } of damaged) if (!isReadable && table !== FREE_PAGES) this.#putAside(page)
      this.#damage = new StoreDamagedError(
        this.#path,
        damaged,
        'it is only read until it is restored, from a snapshot or a copy',
      )
    }
    this.stop()
  }

  #checkFirst(): void {
    const lost = this.#pages.damaged.filter(
      ({ table, isReadable }) => !isReadable && (table === MAIN_TREE || table === FIRST_TABLE),
    )
    if (lost.length > 0) throw new StoreDamagedError(this.#path, lost, 'nothing was changed')
  }

  /** Where a copy cannot be made, or the file not be written, a page stays as it is. */
  #putAside(page: number): void {
    const { pageBytes } = this.#header
    const bytes = Buffer.alloc(pageBytes)
    try {
      this.#copy(page, bytes)
      writeSync(this.#file, bytes.fill(0), 0, pageBytes, page * pageBytes)
      fsyncSync(this.#file)
    } catch {
      // It is told of all the same.
    }
  }

  #copy(page: number, bytes: Buffer): void {
    try {
      readSync(this.#file, bytes, 0, bytes.length, page * bytes.length)
      const folder = join(dirname(this.#path), 'damaged')
      makeFolder(folder)
      // On disk before the page is zero.
      writeFileSync(join(folder, `page-${page}`), bytes, { flag: 'wx', flush: true })
      syncNames(folder)
    } catch (error) {
      // One that is there already was put aside before; one that cannot be read is lost.
      const { code } = error as NodeJS.ErrnoException
      if (code !== 'EEXIST' && code !== 'EIO') throw error
    }
  }
}
