import { readSync } from 'node:fs'

/* What LMDB's file is made of (64-bit machines, little-endian). A page:
 *   OFFSET  SIZE  DESCRIPTION
 *        0     8  its number
 *        8     8  number of the commit that wrote it
 *       18     2  1 branch, 2 leaf, 4 overflow
 *       20     2  twice the number of its nodes (of an overflow page, u32: how many pages belong together)
 *       22     2  where its nodes begin, from 24 on, to its end without a gap
 *       24     …  where each node begins, from 24 on, u16; in the order of their keys
 * A node, at an even place:
 *        0     4  of a leaf: bytes of its value; of a branch: number of the child page, u48
 *        4     2  of a leaf: 1 its value is on overflow pages (first page u64, commit u64, how many u64 stand for it), 2 a tree
 *        6     2  bytes of its key
 *        8     …  key, value
 * A tree, in a header page and as a value of the main tree:
 *        6     2  depth
 *       40     8  number of its root page, all bits set when it is empty
 * A value of the tree of free pages: count, then numbers of pages, i64: 0 is none, -n says that n pages begin at the next.
 */

const PAGE_HEADER_BYTES = 24
const NODE_HEADER_BYTES = 8
const OVERFLOW_REFERENCE_BYTES = 24
const TREE_BYTES = 48
const BRANCH = 1
const LEAF = 2
const OVERFLOW = 4
const ON_OVERFLOW = 1
const SUBTREE = 2
const NO_PAGE = 0xffff_ffff_ffff_ffffn
/** Deeper than a tree of all pages there can be. */
const MOST_LEVELS = 32

/** The later of the two pages that say what a store holds. */
export interface StoreHeader {
  readonly pageBytes: number
  readonly lastPage: number
  /** Number of the commit. */
  readonly commit: number
  readonly freePages: Tree
  readonly main: Tree
}

interface Tree {
  readonly depth: number
  /** Undefined when it is empty. */
  readonly root: number | undefined
}

/** What LMDB itself keeps: pages that only writes come to, and the list of tables. */
export const FREE_PAGES = 'free pages'
export const MAIN_TREE = 'tables'

/** Whether an entry of a table is what it should be. */
type EntryCheck = (key: Buffer, value: Buffer) => boolean

/** A page of a store that is not what it should be. */
export interface DamagedPage {
  readonly page: number
  /** Whose it is. */
  readonly table: string
  /** True when LMDB can read it, though not all in it is as it was written. */
  readonly isReadable: boolean
}

/** A range of keys of a table; an end that is undefined is the table's. */
export interface LostKeys {
  readonly table: string
  readonly from: Buffer | undefined
  readonly to: Buffer | undefined
}

interface TreePart {
  readonly first: Buffer | undefined
  readonly isLost: boolean
}

/* What a page was found to be, by its number; from FIRST_LEAF on: a leaf of a table. */
const UNKNOWN = 0
const TRUNK = 1
const OVERFLOW_HEAD = 2
const OVERFLOW_REST = 3
const FIRST_LEAF = 4

/** Numbers of LMDB's own tables. */
const FREE = 0
const MAIN = 1

/** Pages that are looked at in one go. */
const PAGES_AT_ONCE = 64

/**
 * Looks at every page that a store's trees lead to: whether each is what LMDB takes it for without looking. (It would read and
 * write wherever a damaged page points to, which ends the process.) Reads the file only; nothing may be committed to it
 * meanwhile, unless a transaction holds what it shows now.
 */
export class StorePages {
  readonly #file: number
  readonly #header: StoreHeader
  readonly #kinds: Uint8Array
  readonly #page: Buffer
  readonly #node: PageNodes
  readonly #checks: ReadonlyMap<string, EntryCheck>
  /** Of the tables; the first two are LMDB's own. */
  readonly #names: string[] = [FREE_PAGES, MAIN_TREE]
  readonly #trees = new Map<string, Tree>()
  /** Values of the tree of free pages, or how long they are on overflow pages. */
  readonly #freeLists: { readonly page: number; readonly value: Buffer | number }[] = []
  readonly #damaged = new Map<number, DamagedPage>()

  /**
   * @param file     open for reading until all is looked at
   * @param checks  by table: whether a key and its value, that is not on overflow pages, are what they should be
   */
  constructor(file: number, header: StoreHeader, checks: ReadonlyMap<string, EntryCheck>) {
    this.#checks = checks
    this.#file = file
    this.#header = header
    this.#kinds = new Uint8Array(header.lastPage + 1)
    this.#page = Buffer.alloc(header.pageBytes)
    this.#node = new PageNodes(header)
  }

  /** What was found until now. */
  get damaged(): readonly DamagedPage[] {
    return [...this.#damaged.values()]
  }

  /** Looks at the main tree, and at a table of few pages. To be called before {@link look}. */
  lookFirst(name: string): void {
    for (const page of [0, 1]) this.#kinds[page] = TRUNK
    this.#lookAtNow(MAIN, this.#header.main, (table, tree) => this.#trees.set(table, tree))
    const tree = this.#trees.get(name)
    if (tree !== undefined) this.#lookAtNow(this.#names.push(name) - 1, tree)
    this.#trees.delete(name)
  }

  /** Looks at all the others; yields before it reads on. */
  *look(): Generator<void> {
    for (const [name, tree] of this.#trees) yield* this.#descend(this.#names.push(name) - 1, tree)
    yield* this.#descend(FREE, this.#header.freePages)
    yield* this.#chunks(
      (kind) => kind >= FIRST_LEAF,
      (page, bytes) => this.#lookAtLeaf(page, bytes),
    )
    yield* this.#chunks(
      (kind) => kind === OVERFLOW_HEAD,
      (page, bytes) => this.#lookAtOverflow(page, bytes),
    )
    for (const { page, value } of this.#freeLists) {
      if (!this.#isFreeList(typeof value === 'number' ? this.#overflow(page, value) : value)) this.#tell(page, FREE)
    }
  }

  /**
   * Keys that no cursor may come to: those on pages that are not readable, and on the pages beside them, from which LMDB goes on
   * without looking where. To be asked when all is looked at.
   */
  lostKeys(): LostKeys[] {
    const lost: LostKeys[] = []
    for (const [table, { root, depth }] of this.#trees) {
      if (root === undefined) continue
      const pages = [...this.#inOrder(root, depth, undefined)]
      for (const [i, { isLost }] of pages.entries()) {
        if (isLost) lost.push({ table, from: i > 0 ? pages[i - 1]?.first : undefined, to: pages[i + 2]?.first })
      }
    }
    return lost
  }

  /** The leaves of a tree in the order of their keys, each with the first key it may have; of a lost branch that alone. */
  *#inOrder(page: number, depth: number, first: Buffer | undefined): Generator<TreePart> {
    const isLost = this.#damaged.get(page)?.isReadable === false
    if (isLost || depth <= 1) {
      yield { first, isLost }
      return
    }
    const bytes = Buffer.from(this.#read(page))
    const nodes = new PageNodes(this.#header)
    if (!nodes.open(bytes, page, BRANCH)) return
    for (let i = 0; i < nodes.count; i++) {
      const at = nodes.at(i)
      const key = at + NODE_HEADER_BYTES
      const below = i === 0 ? first : bytes.subarray(key, key + bytes.readUInt16LE(at + 6))
      yield* this.#inOrder(bytes.readUIntLE(at, 6), depth - 1, below)
    }
  }

  #lookAtNow(table: number, tree: Tree, onTree?: (name: string, tree: Tree) => void): void {
    const descent = this.#descend(table, tree)
    let step = descent.next()
    while (!step.done) step = descent.next()
    for (const page of step.value) {
      this.#lookAtLeaf(page, this.#read(page), onTree)
      this.#kinds[page] = TRUNK
    }
  }

  /** Calls back with each page of a kind and its bytes, which are only there meanwhile. */
  *#chunks(isKind: (kind: number) => boolean, onPage: (page: number, bytes: Buffer) => void): Generator<void> {
    const { lastPage, pageBytes } = this.#header
    const chunk = Buffer.alloc(PAGES_AT_ONCE * pageBytes)
    for (let first = 0; first <= lastPage; first += PAGES_AT_ONCE) {
      const wanted: number[] = []
      for (let page = first; page < Math.min(first + PAGES_AT_ONCE, lastPage + 1); page++) {
        if (isKind(this.#kinds[page] as number)) wanted.push(page)
      }
      if (wanted.length === 0) continue
      yield
      const [from, to] = [wanted[0] as number, wanted.at(-1) as number]
      this.#fill(chunk, from, to - from + 1)
      for (const page of wanted) onPage(page, chunk.subarray((page - from) * pageBytes, (page - from + 1) * pageBytes))
    }
  }

  #read(page: number): Buffer {
    this.#fill(this.#page, page, 1)
    return this.#page
  }

  /** Reads pages; what cannot be read is zero. */
  #fill(bytes: Buffer, page: number, count: number): void {
    const { pageBytes } = this.#header
    const read = readAll(this.#file, bytes, page * pageBytes, count * pageBytes)
    if (read === count * pageBytes) return
    bytes.fill(0, 0, count * pageBytes)
    // One page may be lost, its neighbours are not.
    for (let i = 0; count > 1 && i < count; i++) {
      const one = bytes.subarray(i * pageBytes, (i + 1) * pageBytes)
      if (readAll(this.#file, one, (page + i) * pageBytes, pageBytes) < pageBytes) one.fill(0)
    }
  }

  /** Goes down a tree; answers its leaves. */
  *#descend(table: number, { root, depth }: Tree): Generator<void, readonly number[]> {
    if (root === undefined) return []
    if (depth < 1 || depth > MOST_LEVELS || !this.#claim(root, depth > 1 ? TRUNK : FIRST_LEAF + table)) {
      this.#tell(root, table)
      return []
    }
    let level = [root]
    for (let above = depth - 1; above > 0; above--) {
      const below: number[] = []
      const kind = above > 1 ? TRUNK : FIRST_LEAF + table
      for (const [i, page] of level.entries()) {
        if (i % PAGES_AT_ONCE === 0) yield
        const children = this.#children(page, table)
        // A page that two lead to is wrong in one of them, and nobody knows in which.
        if (children?.every((child) => this.#claim(child, kind))) for (const child of children) below.push(child)
        else this.#tell(page, table)
      }
      level = below
    }
    return level
  }

  #children(page: number, table: number): number[] | undefined {
    const bytes = this.#read(page)
    if (!this.#node.open(bytes, page, BRANCH) || this.#node.count < 2) return undefined
    const children: number[] = []
    for (let i = 0; i < this.#node.count; i++) {
      const at = this.#node.at(i)
      children.push(bytes.readUIntLE(at, 6))
      // The first stands for all that is before the second.
      if (i > 1 && table !== FREE && !this.#node.isAscending(i)) this.#tell(page, table, true)
    }
    return children
  }

  #lookAtLeaf(page: number, bytes: Buffer, onTree?: (name: string, tree: Tree) => void): void {
    const table = (this.#kinds[page] as number) - FIRST_LEAF
    if (!this.#node.open(bytes, page, LEAF)) {
      this.#tell(page, table)
      return
    }
    const check = this.#checks.get(this.#names[table] as string)
    for (let i = 0; i < this.#node.count; i++) {
      const at = this.#node.at(i)
      if (i > 0 && table !== FREE && !this.#node.isAscending(i)) this.#tell(page, table, true)
      const size = bytes.readUInt32LE(at)
      const flags = bytes.readUInt16LE(at + 4)
      const key = at + NODE_HEADER_BYTES
      const value = key + bytes.readUInt16LE(at + 6)
      if (flags === ON_OVERFLOW) {
        const first = this.#claimOverflow(bytes, value, size)
        if (first === undefined) this.#tell(page, table)
        else if (table === FREE) this.#freeLists.push({ page: first, value: size })
      } else if (flags === SUBTREE && size === TREE_BYTES && onTree !== undefined) {
        onTree(bytes.toString('latin1', key, value).replace(/\0$/, ''), treeAt(bytes, value))
      } else if (flags !== 0) this.#tell(page, table)
      else if (table === FREE) this.#freeLists.push({ page, value: Buffer.from(bytes.subarray(value, value + size)) })
      else if (check?.(bytes.subarray(key, value), bytes.subarray(value, value + size)) === false)
        this.#tell(page, table, true)
    }
  }

  /** The first of the overflow pages of a value; undefined when it cannot be there. */
  #claimOverflow(bytes: Buffer, at: number, size: number): number | undefined {
    const { pageBytes, lastPage } = this.#header
    const first = Number(bytes.readBigUInt64LE(at))
    const count = Math.max(1, Math.ceil((PAGE_HEADER_BYTES + size) / pageBytes))
    if (first + count - 1 > lastPage || !this.#claim(first, OVERFLOW_HEAD)) return undefined
    for (let page = first + 1; page < first + count; page++) if (!this.#claim(page, OVERFLOW_REST)) return undefined
    return first
  }

  #lookAtOverflow(page: number, bytes: Buffer): void {
    const { lastPage } = this.#header
    let count = 1
    while (page + count <= lastPage && this.#kinds[page + count] === OVERFLOW_REST) count++
    const isOne =
      isPage(bytes, page, this.#header) && bytes.readUInt16LE(18) === OVERFLOW && bytes.readUInt32LE(20) === count
    // What its value is made of has a checksum.
    if (!isOne) this.#tell(page, FREE)
  }

  #overflow(page: number, length: number): Buffer {
    const bytes = Buffer.alloc(length)
    readAll(this.#file, bytes, page * this.#header.pageBytes + PAGE_HEADER_BYTES, length)
    return bytes
  }

  #isFreeList(list: Buffer): boolean {
    const count = list.length >= 8 && list.length % 8 === 0 ? Number(list.readBigInt64LE(0)) : -1
    if (count < 0 || count > list.length / 8 - 1) return false
    for (let i = 1, length = 1; i <= count; i++) {
      const number = Number(list.readBigInt64LE(i * 8))
      if (number <= 0) {
        length = -number
        continue
      }
      if (number + length - 1 > this.#header.lastPage) return false
      // One that is in use must not be given out.
      for (let page = number; page < number + length; page++) if (this.#kinds[page] !== UNKNOWN) return false
      length = 1
    }
    return true
  }

  #claim(page: number, kind: number): boolean {
    if (page > this.#header.lastPage || this.#kinds[page] !== UNKNOWN) return false
    this.#kinds[page] = kind
    return true
  }

  #tell(page: number, table: number, isReadable = false): void {
    if (isReadable && this.#damaged.has(page)) return
    this.#damaged.set(page, { page, table: this.#names[table] as string, isReadable })
  }
}

/** The nodes of a branch or leaf page. */
class PageNodes {
  readonly #header: StoreHeader
  /** By where a node begins, halved: where it ends; `#seen` says of which page. */
  readonly #ends: Uint16Array
  readonly #seen: Uint32Array
  #turn = 0
  #bytes: Buffer = Buffer.alloc(0)
  count = 0

  constructor(header: StoreHeader) {
    const { pageBytes } = header
    this.#header = header
    this.#ends = new Uint16Array(pageBytes / 2)
    this.#seen = new Uint32Array(pageBytes / 2)
  }

  /** Takes a page. @returns false when it is not whole: its nodes do not lie one beside the other up to its end */
  open(bytes: Buffer, page: number, kind: number): boolean {
    this.#bytes = bytes
    if (!isPage(bytes, page, this.#header) || bytes.readUInt16LE(18) !== kind) return false
    const room = this.#header.pageBytes - PAGE_HEADER_BYTES
    const lower = bytes.readUInt16LE(20)
    const upper = bytes.readUInt16LE(22)
    if (lower % 2 !== 0 || lower > upper || upper > room) return false
    this.count = lower / 2
    this.#turn++
    for (let i = 0; i < this.count; i++) {
      const begin = bytes.readUInt16LE(PAGE_HEADER_BYTES + 2 * i)
      if (begin % 2 !== 0 || begin < upper || begin + NODE_HEADER_BYTES > room) return false
      const end = begin + this.#length(PAGE_HEADER_BYTES + begin, kind)
      if (end > room) return false
      this.#ends[begin / 2] = end
      this.#seen[begin / 2] = this.#turn
    }
    let end = upper
    for (let i = 0; i < this.count; i++) {
      if (this.#seen[end / 2] !== this.#turn) return false
      end = this.#ends[end / 2] as number
    }
    return end === room
  }

  /** Where a node begins in the page. */
  at(i: number): number {
    return PAGE_HEADER_BYTES + this.#bytes.readUInt16LE(PAGE_HEADER_BYTES + 2 * i)
  }

  /** True when the key of a node comes after that of the one before. */
  isAscending(i: number): boolean {
    const bytes = this.#bytes
    const [a, b] = [this.at(i - 1), this.at(i)]
    const [aKey, bKey] = [a + NODE_HEADER_BYTES, b + NODE_HEADER_BYTES]
    return bytes.compare(bytes, bKey, bKey + bytes.readUInt16LE(b + 6), aKey, aKey + bytes.readUInt16LE(a + 6)) < 0
  }

  #length(at: number, kind: number): number {
    const bytes = this.#bytes
    const onOverflow = kind === LEAF && (bytes.readUInt16LE(at + 4) & ON_OVERFLOW) !== 0
    const value = kind === BRANCH ? 0 : onOverflow ? OVERFLOW_REFERENCE_BYTES : bytes.readUInt32LE(at)
    const length = NODE_HEADER_BYTES + bytes.readUInt16LE(at + 6) + value
    return length + (length % 2)
  }
}

/** True when a page has its own number, and was not written later than all of them. */
function isPage(bytes: Buffer, page: number, { commit }: StoreHeader): boolean {
  return (
    bytes.readUInt32LE(0) + bytes.readUInt32LE(4) * 2 ** 32 === page &&
    bytes.readUInt32LE(8) + bytes.readUInt32LE(12) * 2 ** 32 <= commit
  )
}

/** A tree as a header page and the main tree have it. */
export function treeAt(bytes: Buffer, at: number): Tree {
  const root = bytes.readBigUInt64LE(at + 40)
  return { depth: bytes.readUInt16LE(at + 6), root: root === NO_PAGE ? undefined : Number(root) }
}

/** Reads what there is of so many bytes; answers how many. */
function readAll(file: number, bytes: Buffer, position: number, length: number): number {
  let at = 0
  try {
    while (at < length) {
      const count = readSync(file, bytes, at, length - at, position + at)
      if (count === 0) break
      at += count
    }
  } catch {
    // A bad place of the disk.
  }
  return at
}
