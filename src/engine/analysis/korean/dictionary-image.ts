import { type ArrayKind, addRoom, createSharedMemory, type SharedMemory } from '../../kernel.ts'
import type { ColumnName, DictionaryColumns } from './dictionary-columns.ts'
import { type DictionaryTables, dictionaryTables } from './dictionary-tables.ts'

/* Image of a dictionary in shared memory, native byte order, never stored.
 *   OFFSET  SIZE  DESCRIPTION
 *        0    8n  by column, then by table: u32 offset, u32 elements
 *       8n   128  by slot: i32 1 while a thread works in it, u32 offset, 0 while it has no room (lattice-kernel.ts)
 *        …     …  the columns, the tables, each at a multiple of 8; room of slots
 */
const COLUMN_TYPES = {
  meta: Uint8Array,
  labels: Uint16Array,
  nodes: Uint32Array,
  entries: Uint16Array,
  connectionCosts: Int16Array,
  leftClasses: Uint16Array,
  rightClasses: Uint16Array,
  features: Uint8Array,
  featureFlags: Uint8Array,
  readingEntries: Uint32Array,
  readingStarts: Uint32Array,
  readingUnits: Uint16Array,
  unitTraits: Uint16Array,
} as const satisfies Record<ColumnName, unknown>

const TABLE_TYPES = {
  roots: Uint16Array,
  pairs: Int32Array,
  unitLefts: Uint16Array,
  unitLeftStarts: Int32Array,
  leastCosts: Int16Array,
} as const satisfies Record<keyof DictionaryTables, unknown>

const COLUMNS = Object.entries(COLUMN_TYPES)
const TABLES = Object.entries(TABLE_TYPES)
const SLOTS_AT = (COLUMNS.length + TABLES.length) * 8
const SLOTS = 16
const HEAD_BYTES = SLOTS_AT + SLOTS * 8

type Arrays = Readonly<Record<string, Uint8Array | Uint16Array | Int16Array | Uint32Array | Int32Array>>

/** A dictionary in shared memory. */
export interface OpenImage {
  readonly memory: SharedMemory
  readonly columns: DictionaryColumns
  readonly tables: DictionaryTables
}

/**
 * Makes an image without tables.
 *
 * @param lengths  elements of each column
 * @returns        the image and views of its columns, to be filled; then {@link finishImage}
 */
export function createImage(lengths: Readonly<Record<ColumnName, number>>): {
  image: SharedMemory
  columns: DictionaryColumns
} {
  const head: number[] = []
  const end = layOut(COLUMNS, lengths, HEAD_BYTES, head)
  const image = createSharedMemory(end)
  new Uint32Array(image.buffer, 0, head.length).set(head)
  return { image, columns: viewsOf(COLUMNS, image, 0) as unknown as DictionaryColumns }
}

/** Adds the tables, worked out of the columns. */
export function finishImage(image: SharedMemory, columns: DictionaryColumns): void {
  const tables = dictionaryTables(columns) as unknown as Arrays
  const lengths = Object.fromEntries(TABLES.map(([name]) => [name, tables[name]!.length]))
  const head: number[] = []
  const at = addRoom(image, layOut(TABLES, lengths, 0, []))!
  layOut(TABLES, lengths, at, head)
  new Uint32Array(image.buffer, COLUMNS.length * 8, head.length).set(head)
  const views = viewsOf(TABLES, image, COLUMNS.length)
  for (const [name] of TABLES) views[name]!.set(tables[name]!)
}

/** Copies columns that live elsewhere into an image. */
export function imageOf(source: DictionaryColumns): SharedMemory {
  const lengths = Object.fromEntries(COLUMNS.map(([name]) => [name, source[name as ColumnName].length]))
  const { image, columns } = createImage(lengths as Record<ColumnName, number>)
  for (const [name] of COLUMNS) columns[name as ColumnName].set(source[name as ColumnName])
  finishImage(image, columns)
  return image
}

/** Views of an image. */
export function openImage(memory: SharedMemory): OpenImage {
  return {
    memory,
    columns: viewsOf(COLUMNS, memory, 0) as unknown as DictionaryColumns,
    tables: viewsOf(TABLES, memory, COLUMNS.length) as unknown as DictionaryTables,
  }
}

/** Rows of 2 for the threads that work in an image's memory: whether one does, and where. */
export function slotsOf(memory: SharedMemory): Int32Array {
  return new Int32Array(memory.buffer, SLOTS_AT, SLOTS * 2)
}

type Kinds = readonly (readonly [name: string, kind: { readonly BYTES_PER_ELEMENT: number }])[]

/** Lays arrays out from a place on, listing offset and elements of each in `head`; answers where they end. */
function layOut(kinds: Kinds, lengths: Readonly<Record<string, number>>, from: number, head: number[]): number {
  let at = from
  for (const [name, { BYTES_PER_ELEMENT }] of kinds) {
    const length = lengths[name]!
    head.push(at, length)
    at += Math.ceil((length * BYTES_PER_ELEMENT) / 8) * 8
  }
  return at
}

function viewsOf(kinds: Kinds, { buffer }: SharedMemory, row: number): Arrays {
  const head = new Uint32Array(buffer, row * 8, kinds.length * 2)
  return Object.fromEntries(
    kinds.map(([name, kind], i) => [name, new (kind as ArrayKind<Int32Array>)(buffer, head[i * 2]!, head[i * 2 + 1]!)]),
  )
}
