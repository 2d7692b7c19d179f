import { RecentUnions } from './recent-unions.ts'

/** Terms of one segment in byte order. */
export interface SortedTerms {
  readonly size: number
  /** UTF-8 bytes; do not change. */
  term(ordinal: number): Uint8Array
  termText(ordinal: number): string
}

/** Terms of several segments under one numbering, in byte order. */
export interface GlobalOrdinals {
  readonly size: number
  term(ordinal: number): Uint8Array
  termText(ordinal: number): string
  /** Global ordinal by segment ordinal, by segment; undefined: they are the same. */
  readonly maps: readonly (Int32Array | undefined)[]
}

const unions = new RecentUnions<SortedTerms, GlobalOrdinals>()

/** Numbers the terms of segments together. Kept as long as the segments are, unless they are not to be. */
export function globalOrdinals(lists: readonly SortedTerms[], isKept = true): GlobalOrdinals {
  const [only] = lists
  if (only === undefined) return { size: 0, term: () => new Uint8Array(0), termText: () => '', maps: [] }
  return unions.get(only, lists, () => (lists.length === 1 ? ordinalsOf(only) : merge(lists)), isKept)
}

/** Bytes that are kept for the numbering of a segment's terms together with those of later ones. */
export function globalOrdinalsBytes(list: SortedTerms): number {
  const bytes = ({ maps, size }: GlobalOrdinals): number =>
    // An owner and an own ordinal for each term.
    maps.reduce((sum, map) => sum + (map?.byteLength ?? 0), maps.length > 1 ? size * 8 : 0)
  return unions.known(list).reduce((sum, union) => sum + bytes(union), 0)
}

function ordinalsOf(list: SortedTerms): GlobalOrdinals {
  const { size } = list
  return { size, term: (o) => list.term(o), termText: (o) => list.termText(o), maps: [undefined] }
}

/** Merges sorted lists through a heap of their next terms. */
function merge(lists: readonly SortedTerms[]): GlobalOrdinals {
  const heap = lists.map((_, segment) => segment).filter((segment) => (lists[segment] as SortedTerms).size > 0)
  const positions = new Int32Array(lists.length)
  const current = lists.map((list) => (list.size > 0 ? list.term(0) : new Uint8Array(0)))
  const less = (a: number, b: number): boolean => Buffer.compare(current[a] as Uint8Array, current[b] as Uint8Array) < 0
  const sink = (from: number): void => {
    let at = from
    for (;;) {
      let child = at * 2 + 1
      if (child >= heap.length) return
      if (child + 1 < heap.length && less(heap[child + 1] as number, heap[child] as number)) child++
      if (!less(heap[child] as number, heap[at] as number)) return
      const swapped = heap[at] as number
      heap[at] = heap[child] as number
      heap[child] = swapped
      at = child
    }
  }
  for (let i = heap.length >> 1; i >= 0; i--) sink(i)
  const maps = lists.map((list) => new Int32Array(list.size))
  const total = lists.reduce((sum, list) => sum + list.size, 0)
  let owners = new Uint32Array(total)
  let ownOrdinals = new Uint32Array(total)
  let size = 0
  let previous: Uint8Array | undefined
  while (heap.length > 0) {
    const segment = heap[0] as number
    const term = current[segment] as Uint8Array
    const position = positions[segment] as number
    if (previous === undefined || Buffer.compare(previous, term) !== 0) {
      owners[size] = segment
      ownOrdinals[size] = position
      size++
      previous = term
    }
    maps[segment]![position] = size - 1
    const list = lists[segment] as SortedTerms
    if (position + 1 < list.size) {
      positions[segment] = position + 1
      current[segment] = list.term(position + 1)
    } else {
      const last = heap.pop() as number
      if (heap.length > 0) heap[0] = last
      else break
    }
    sink(0)
  }
  owners = owners.slice(0, size)
  ownOrdinals = ownOrdinals.slice(0, size)
  return {
    size,
    term: (ordinal) => (lists[owners[ordinal] as number] as SortedTerms).term(ownOrdinals[ordinal] as number),
    termText: (ordinal) => (lists[owners[ordinal] as number] as SortedTerms).termText(ownOrdinals[ordinal] as number),
    maps,
  }
}
