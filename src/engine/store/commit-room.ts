import { freeBytes } from './disk-space.ts'
import { StoreRoom } from './store-room.ts'
import { type FilePages, METADATA } from './store-tables.ts'
import type { Change } from './write-ahead-log.ts'

/** Free bytes without which nothing is logged: what is logged must find its way into the tables. */
const ROOM_TO_LOG = 128 * 2 ** 20
/** How often they are looked at. */
const ROOM_CHECK_MS = 100
/** Free bytes without which nothing is committed, beside what the changes take: many a page is written for few of them. */
const ROOM_TO_COMMIT = 16 * 2 ** 20
/** The same for work that can wait: it must not take the room of what cannot, whose failure would have all writes refused. */
const ROOM_FOR_LATER = 64 * 2 ** 20
/** The same for the removal of an index, as long as its records stay: on a full disk its files are what makes space. */
const ROOM_TO_REMOVE = 8 * 2 ** 20
/** Pages that a commit needs in any case: of the tables' list and of free pages. */
const LEAST_PAGES = 16
const PAGE_HEADER_BYTES = 24
/** What an entry takes in its page beside its key and value, rounded up. */
const NODE_BYTES = 14

/**
 * Whether the disk has room for what is to be written. LMDB is not left to find out: what it notes of a write that failed is longer
 * than the memory it takes for it, which ends the process some time later.
 */
export class CommitRoom {
  readonly #folder: string
  readonly #path: string
  readonly #freeBytes: (folder: string) => number | undefined
  #toLog = { at: Number.NEGATIVE_INFINITY, isThere: false }
  #storeRoom: StoreRoom | undefined

  /** @param free  instead of {@link freeBytes} (tests of full disks) */
  constructor(folder: string, path: string, free: (folder: string) => number | undefined = freeBytes) {
    this.#folder = folder
    this.#path = path
    this.#freeBytes = free
  }

  /** Whether there is some for a commit of a few thousand changes that can wait. */
  get hasRoomForLater(): boolean {
    return this.#free >= ROOM_FOR_LATER
  }

  get hasRoomToLog(): boolean {
    const now = performance.now()
    if (now - this.#toLog.at > ROOM_CHECK_MS)
      this.#toLog = { at: now, isThere: (this.#freeBytes(this.#folder) ?? 0) > ROOM_TO_LOG }
    return this.#toLog.isThere
  }

  /** @param written  what is written with the changes, they included */
  has(changes: readonly Change[], pages: FilePages, written: readonly Change[] = changes): boolean {
    const isRemoval = changes.every(isOfRemoval)
    // The ids that a removal brings along have been counted when they came.
    const counted = isRemoval ? changes : written
    return this.#free >= (isRemoval ? ROOM_TO_REMOVE : ROOM_TO_COMMIT) + roomOf(counted, pages)
  }

  /** Makes the file as long as a commit of changes needs it. @throws {Error} when the disk takes nothing */
  async make(written: readonly Change[], pages: FilePages): Promise<void> {
    this.#storeRoom ??= new StoreRoom(this.#path)
    await this.#storeRoom.make(pages, roomOf(written, pages))
  }

  /** What cannot be told is taken for enough. */
  get #free(): number {
    return this.#freeBytes(this.#folder) ?? Number.POSITIVE_INFINITY
  }

  close(): void {
    // Once: closed again, its descriptor may be another file's.
    this.#storeRoom?.close()
    this.#storeRoom = undefined
  }
}

/** Bytes that a commit of changes may make the file longer by, at most. */
function roomOf(changes: readonly Change[], pages: FilePages): number {
  let bytes = 0
  for (const { key, value } of changes) bytes += bytesInPages(key.length, value?.length ?? 0, pages.bytes)
  // Each may fall on another page, which is written anew elsewhere, as are those that lead to it: there are no more of them than these.
  const touched = Math.min(Math.ceil(1.4 * changes.length), pages.last)
  // Numbers of the pages that are free by that are noted, too.
  return bytes + (LEAST_PAGES + Math.ceil(1.01 * touched)) * pages.bytes
}

/** Bytes that an entry may make the file longer by. */
function bytesInPages(keyLength: number, valueLength: number, pageBytes: number): number {
  const whole = keyLength + NODE_BYTES + valueLength
  // A large value has pages of its own.
  const isLarge = whole >= pageBytes / 2 - PAGE_HEADER_BYTES
  const ofValue = isLarge ? Math.ceil((valueLength + PAGE_HEADER_BYTES) / pageBytes) * pageBytes : 0
  const inPage = Math.floor((pageBytes - PAGE_HEADER_BYTES) / (isLarge ? keyLength + NODE_BYTES : whole))
  // A page that is split leaves two with half of its entries.
  const ofNode = pageBytes / Math.max(1, Math.floor(inPage / 2))
  // Each page has an entry, with a key, in one that leads to it, which is half full at least.
  return ofValue + ofNode * (1 + (2 * (keyLength + NODE_BYTES)) / pageBytes)
}

/** Whether a change is one of those by which an index is no more: it is noted as removed, and its metadata are. */
const isOfRemoval = ({ table, key, value }: Change): boolean =>
  table === METADATA && (value === undefined || key.toString().startsWith('removed/'))
