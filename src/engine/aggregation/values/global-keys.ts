import { RecentUnions } from '../../index/recent-unions.ts'

/** Keys of several segments under one numbering, ascending. */
export interface GlobalKeys {
  readonly keys: Float64Array
  /** Global ordinal by own ordinal, by list; undefined: they are the same. */
  readonly maps: readonly (Int32Array | undefined)[]
}

const unions = new RecentUnions<Float64Array, GlobalKeys>()

/** Numbers ascending lists of keys together. Kept as long as the first list is. */
export function globalKeys(lists: readonly Float64Array[]): GlobalKeys {
  const [only] = lists
  if (only === undefined) return { keys: new Float64Array(0), maps: [] }
  if (lists.length === 1) return { keys: only, maps: [undefined] }
  return unions.get(only, lists, () => merge(lists))
}

/** The same numbering with one more key, where it has not got it already. */
export function withKey({ keys, maps }: GlobalKeys, key: number): GlobalKeys {
  let place = 0
  while (place < keys.length && (keys[place] as number) < key) place++
  if (keys[place] === key) return { keys, maps }
  const more = new Float64Array(keys.length + 1)
  more.set(keys.subarray(0, place))
  more[place] = key
  more.set(keys.subarray(place), place + 1)
  const moved = (ordinal: number): number => (ordinal < place ? ordinal : ordinal + 1)
  return {
    keys: more,
    maps: maps.map((map) =>
      map === undefined ? Int32Array.from({ length: keys.length }, (_, own) => moved(own)) : map.map(moved),
    ),
  }
}

function merge(lists: readonly Float64Array[]): GlobalKeys {
  const all = new Float64Array(lists.reduce((sum, list) => sum + list.length, 0))
  let size = 0
  for (const list of lists) {
    all.set(list, size)
    size += list.length
  }
  all.sort()
  size = 0
  for (let i = 0; i < all.length; i++) if (i === 0 || all[i] !== all[i - 1]) all[size++] = all[i] as number
  const keys = all.slice(0, size)
  const maps = lists.map((list) => {
    if (list.length === size) return undefined
    const map = new Int32Array(list.length)
    for (let i = 0, at = 0; i < list.length; i++) {
      while (keys[at] !== list[i]) at++
      map[i] = at
    }
    return map
  })
  return { keys, maps }
}
