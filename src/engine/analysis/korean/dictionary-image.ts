import { type ArrayKind, createSharedMemory, type SharedMemory } from '../../kernel.ts'
import type { ColumnName, DictionaryColumns } from './dictionary-columns.ts'

/* Image of a dictionary in shared memory, native byte order, never stored.
 *   OFFSET  SIZE  DESCRIPTION
 *        0    8n  by column: u32 offset, u32 elements
 *       8n     …  the columns, each at a multiple of 8
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

const NAMES = Object.keys(COLUMN_TYPES) as ColumnName[]
const TABLE_BYTES = NAMES.length * 8

/**
 * Makes an empty image.
 *
 * @param lengths  elements of each column
 * @returns        the image and views of its columns, to be filled
 */
export function createImage(lengths: Readonly<Record<ColumnName, number>>): {
  image: SharedMemory
  columns: DictionaryColumns
} {
  const table = new Uint32Array(NAMES.length * 2)
  let bytes = TABLE_BYTES
  NAMES.forEach((name, i) => {
    table[i * 2] = bytes
    table[i * 2 + 1] = lengths[name]
    bytes += Math.ceil((lengths[name] * COLUMN_TYPES[name].BYTES_PER_ELEMENT) / 8) * 8
  })
  const image = createSharedMemory(bytes)
  new Uint32Array(image.buffer, 0, table.length).set(table)
  return { image, columns: openImage(image) }
}

/** Copies columns that live elsewhere into an image. */
export function imageOf(source: DictionaryColumns): SharedMemory {
  const lengths = Object.fromEntries(NAMES.map((name) => [name, source[name].length])) as Record<ColumnName, number>
  const { image, columns } = createImage(lengths)
  for (const name of NAMES) columns[name].set(source[name])
  return image
}

/** The columns of an image. */
export function openImage({ buffer }: SharedMemory): DictionaryColumns {
  const table = new Uint32Array(buffer, 0, NAMES.length * 2)
  const columns = NAMES.map((name, i) => [name, viewOf(name, buffer, table[i * 2]!, table[i * 2 + 1]!)])
  return Object.fromEntries(columns) as unknown as DictionaryColumns
}

function viewOf(
  name: ColumnName,
  buffer: ArrayBufferLike,
  offset: number,
  length: number,
): DictionaryColumns[ColumnName] {
  return new (COLUMN_TYPES[name] as ArrayKind<DictionaryColumns[ColumnName]>)(buffer, offset, length)
}
