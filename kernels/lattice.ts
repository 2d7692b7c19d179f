/* The inner loops of src/engine/analysis/korean/lattice.ts in AssemblyScript: same memory, same answers, half the time.
 * A typed array checks kind and bounds at each access, and there are some 400 a character. What this cannot do (totals near
 * 32 bits, more nodes than keys can name, no room) it refuses with CANNOT, having changed nothing; the plain way then goes on.
 *
 * Places of `lattice-layout.ts` are 32-bit integers from `memoryAt` on; everything here is an address in bytes.
 */

const CANNOT = 2

// State, at the head of the memory.
const NODES_END: usize = 0
const FURTHEST: usize = 4
const STAMP: usize = 8
const ENDED_COUNT: usize = 12

// A row of nodes.
const NODE_BYTES: usize = 32
const TOTAL: usize = 0
const RIGHT: usize = 4
const PREVIOUS: usize = 8
const START: usize = 12
const END: usize = 16
const ENTRY: usize = 20
const NEXT: usize = 24
const NO_NODE: u32 = 0

// A row of left classes.
const LEFT_BYTES: usize = 16
const LEFT_TOTAL: usize = 4
const LEFT_NODE: usize = 8

// A row of places.
const PLACE_BYTES: usize = 16
const LAST: usize = 4

// A row of the dictionary's entries, and of the trie's nodes.
const ENTRY_BYTES: usize = 8
const ENTRY_RIGHT: usize = 2
const ENTRY_COST: usize = 4
const ENTRY_FEATURE: usize = 6
const TRIE_BYTES: usize = 8
const TRIE_ENTRY: usize = 4
const FEATURE_SPACE_PENALTY: u8 = 1
const SPACE_PENALTY = 3000
const GOLDEN: u32 = 0x9e3779b1

/* A key holds a node's total above the place's least and, in its low bits, which of the nodes that end there it is: of equal
 * totals the one that comes first is less. Scratch memory:
 *   keys     8 i32   the least keys, ascending
 *   rights   8 i32   right classes of their nodes
 *   rest     i32     keys of the others
 *   totals   i32     of the nodes that end at the place
 */
const KEY_BITS = 13
const MAX_ENDED: usize = 1 << KEY_BITS
const ROW_MASK = (1 << KEY_BITS) - 1
const FIRST_KEYS: usize = 8
const RIGHTS: usize = FIRST_KEYS * 4
const REST: usize = RIGHTS * 2
/** A node this much above the place's least loses to it at any connection cost. */
const HOPELESS = 0x10000
/** More than any key with a connection cost added. */
const NO_KEY = 1 << 30
/** Totals beyond this might wrap at 32 bits when a word is added. */
const SAFE_TOTAL = (1 << 30) - 1

let trieNodes: usize = 0
let labels: usize = 0
let roots: usize = 0
let pairs: usize = 0
let pairShift: u32 = 0
let pairMask: u32 = 0
let entries: usize = 0
let featureFlags: usize = 0
let unitLefts: usize = 0
let unitLeftStarts: usize = 0
let costs: usize = 0
let leastCosts: usize = 0
/** Bytes from one left class' connection costs to the next one's. */
let costStride: usize = 0
/** No place's words need more nodes than this. */
let roomOfPlace: usize = 0

let memoryAt: usize = 0
let memoryEnd: usize = 0
let lefts: usize = 0
let places: usize = 0
let ended: usize = 0
let units: usize = 0
let keys: usize = 0
let totals: usize = 0
let leftList: usize = 0

let base: i32 = 0
let restEnd: usize = 0
let restSorted = false

/** Where the dictionary stands. Answers how many words begin at one place, at most. */
export function openDictionary(
  trieNodesAt: usize,
  trieNodeCount: u32,
  labelsAt: usize,
  rootsAt: usize,
  pairsAt: usize,
  pairCount: u32,
  entriesAt: usize,
  featureFlagsAt: usize,
  unitLeftsAt: usize,
  unitLeftStartsAt: usize,
  costsAt: usize,
  leastCostsAt: usize,
  rightClassCount: u32,
): u32 {
  trieNodes = trieNodesAt
  labels = labelsAt
  roots = rootsAt
  pairs = pairsAt
  pairShift = clz(pairCount) + 1
  pairMask = pairCount - 1
  entries = entriesAt
  featureFlags = featureFlagsAt
  unitLefts = unitLeftsAt
  unitLeftStarts = unitLeftStartsAt
  costs = costsAt
  leastCosts = leastCostsAt
  costStride = rightClassCount * 2
  const mostWords = mostWordsOfPlace(trieNodeCount)
  roomOfPlace = <usize>mostWords * NODE_BYTES
  return mostWords
}

/** The most words of any surface of a length, for every length: nodes are numbered level by level. */
function mostWordsOfPlace(trieNodeCount: u32): u32 {
  let words: u32 = 1
  let most: u32 = 0
  let levelEnd: u32 = 1
  for (let node: u32 = 0; node < trieNodeCount; node++) {
    const row = trieNodes + <usize>node * TRIE_BYTES
    if (node === levelEnd) {
      words += most
      most = 0
      levelEnd = load<u32>(row)
    }
    most = max(most, load<u32>(row, TRIE_BYTES + TRIE_ENTRY) - load<u32>(row, TRIE_ENTRY))
  }
  return words + most
}

/** Where the lattice stands, and how long its memory is. */
export function openLattice(
  at: usize,
  bytes: usize,
  leftsAt: usize,
  placesAt: usize,
  endedAt: usize,
  unitsAt: usize,
  keysAt: usize,
  totalsAt: usize,
  leftListAt: usize,
): void {
  memoryAt = at
  memoryEnd = at + bytes
  lefts = leftsAt
  places = placesAt
  ended = endedAt
  units = unitsAt
  keys = keysAt
  totals = totalsAt
  leftList = leftListAt
}

function addressOf(node: u32): usize {
  return memoryAt + ((<usize>node) << 2)
}
function numberOf(address: usize): u32 {
  return <u32>((address - memoryAt) >> 2)
}
function endedNode(key: i32): u32 {
  return load<u32>(ended + ((<usize>(key & ROW_MASK)) << 2))
}
function withCost(key: i32, leftCosts: usize, right: u32): i32 {
  return key + ((<i32>load<i16>(leftCosts + ((<usize>right) << 1))) << KEY_BITS)
}

/** Makes the nodes of two lists the live ones. Answers whether there are any, or CANNOT. */
export function gather(first: u32, second: u32): i32 {
  let least = SAFE_TOTAL
  let unsafe = 0
  let count: usize = 0
  let list = first
  for (let lists = 0; lists < 2; lists++) {
    for (let node = list; node !== NO_NODE; node = load<u32>(addressOf(node), NEXT)) {
      if (count === MAX_ENDED) return CANNOT
      const total = load<i32>(addressOf(node), TOTAL)
      store<u32>(ended + (count << 2), node)
      store<i32>(totals + (count << 2), total)
      count++
      least = min(least, total)
      unsafe |= (SAFE_TOTAL + total) | (SAFE_TOTAL - total)
    }
    list = second
  }
  if (unsafe < 0) return CANNOT
  base = least
  store<i32>(memoryAt, load<i32>(memoryAt, STAMP) + 1, STAMP)
  store<u32>(memoryAt, <u32>count, ENDED_COUNT)
  rank(count)
  return count > 0 ? 1 : 0
}

/**
 * Ranks the live nodes: the eight least keys sorted by a chain of minima and maxima, no branch of which depends on a total,
 * and the rest as they come, since most places never look at them.
 */
function rank(count: usize): void {
  const above = base + HOPELESS
  const lowest = i32x4(i32.MIN_VALUE, 0, 0, 0)
  let low = i32x4.splat(NO_KEY)
  let high = i32x4.splat(NO_KEY)
  let rest = keys + REST
  for (let row: usize = 0; row < count; row++) {
    const over = min(load<i32>(totals + (row << 2)) - above, 0)
    const key = i32x4.splat(((HOPELESS + over) << KEY_BITS) | <i32>row)
    const toHigh = i32x4.max_s(key, v128.shuffle<i32>(low, low, 3, 3, 3, 3))
    low = i32x4.min_s(low, i32x4.max_s(v128.shuffle<i32>(lowest, low, 0, 4, 5, 6), key))
    const toRest = i32x4.extract_lane(i32x4.max_s(toHigh, v128.shuffle<i32>(high, high, 3, 3, 3, 3)), 0)
    high = i32x4.min_s(high, i32x4.max_s(v128.shuffle<i32>(lowest, high, 0, 4, 5, 6), toHigh))
    store<i32>(rest, toRest)
    rest += usize(toRest !== NO_KEY) << 2
  }
  v128.store(keys, low)
  v128.store(keys, high, 16)
  for (let key = keys; key < keys + RIGHTS; key += 4) {
    store<u32>(key, load<u32>(addressOf(endedNode(load<i32>(key))), RIGHT), RIGHTS)
  }
  restEnd = rest
  restSorted = false
}

function sortRest(): void {
  const from = keys + REST
  for (let row = from + 4; row < restEnd; row += 4) {
    const key = load<i32>(row)
    let to = row
    for (; to > from && load<i32>(to - 4) > key; to -= 4) store<i32>(to, load<i32>(to - 4))
    store<i32>(to, key)
  }
  restSorted = true
}

/**
 * Finds the cheapest way to words of the left classes listed at `[from, to)`. The first four candidates are tried for all
 * classes before any is tried further: a branch that waits for a cost keeps the processor from asking for the next ones.
 */
function connect(from: usize, to: usize): void {
  const key0 = load<i32>(keys)
  const key1 = load<i32>(keys, 4)
  const key2 = load<i32>(keys, 8)
  const key3 = load<i32>(keys, 12)
  const right0 = load<u32>(keys, RIGHTS)
  const right1 = load<u32>(keys, RIGHTS + 4)
  const right2 = load<u32>(keys, RIGHTS + 8)
  const right3 = load<u32>(keys, RIGHTS + 12)
  for (let at = from; at < to; at += 2) {
    const left = <usize>load<u16>(at)
    const leftCosts = costs + left * costStride
    const best = min(
      min(withCost(key0, leftCosts, right0), withCost(key1, leftCosts, right1)),
      min(withCost(key2, leftCosts, right2), withCost(key3, leftCosts, right3)),
    )
    store<i32>(lefts + left * LEFT_BYTES, best, LEFT_TOTAL)
  }
  const key4 = load<i32>(keys, 16)
  const stamp = load<i32>(memoryAt, STAMP)
  for (let at = from; at < to; at += 2) {
    const left = <usize>load<u16>(at)
    const row = lefts + left * LEFT_BYTES
    let best = load<i32>(row, LEFT_TOTAL)
    const least = (<i32>load<i16>(leastCosts + (left << 1))) << KEY_BITS
    if (key4 + least <= best) best = tryFurther(costs + left * costStride, least, best)
    store<i32>(row, stamp)
    // A wrapped sum is the originals', too.
    store<i32>(row, base + (best >> KEY_BITS), LEFT_TOTAL)
    store<u32>(row, endedNode(best), LEFT_NODE)
  }
}

/** Tries the live nodes behind the first four, until one could not win at the class' lowest cost; answers the least key. */
function tryFurther(leftCosts: usize, least: i32, found: i32): i32 {
  let best = found
  for (let at = keys + 16; at < keys + RIGHTS; at += 4) {
    const key = load<i32>(at)
    if (key + least > best) return best
    best = min(best, withCost(key, leftCosts, load<u32>(at, RIGHTS)))
  }
  if (!restSorted) sortRest()
  for (let at = keys + REST; at < restEnd; at += 4) {
    const key = load<i32>(at)
    if (key + least > best) return best
    best = min(best, withCost(key, leftCosts, load<u32>(addressOf(endedNode(key)), RIGHT)))
  }
  return best
}

/** Adds the dictionary's words that begin with unit `start`. Answers whether there are any, or CANNOT. */
export function addKnown(start: i32, length: i32, spaced: bool): i32 {
  const before = load<u32>(memoryAt, NODES_END)
  if (addressOf(before) + roomOfPlace > memoryEnd) return CANNOT
  const node = <u32>load<u16>(roots + ((<usize>load<u16>(units + ((<usize>start) << 1))) << 1))
  if (node === 0) return 0
  const starts = unitLeftStarts + ((<usize>node) << 2)
  connect(unitLefts + ((<usize>load<u32>(starts)) << 1), unitLefts + ((<usize>load<u32>(starts, 4)) << 1))
  const row = trieNodes + <usize>node * TRIE_BYTES
  const one = load<u32>(row, TRIE_ENTRY)
  const oneEnd = load<u32>(row, TRIE_BYTES + TRIE_ENTRY)
  if (one < oneEnd) addWords(start, start + 1, one, oneEnd, spaced)
  let end = start + 1
  if (end < length) {
    let state = second(node, load<u16>(units + ((<usize>end) << 1)))
    while (state !== 0) {
      end++
      const stateRow = trieNodes + <usize>state * TRIE_BYTES
      const first = load<u32>(stateRow, TRIE_ENTRY)
      const last = load<u32>(stateRow, TRIE_BYTES + TRIE_ENTRY)
      if (first < last) {
        const to = listLefts(first, last)
        if (to > leftList) connect(leftList, to)
        addWords(start, end, first, last, spaced)
      }
      if (end === length) break
      state = deepChild(state, load<u16>(units + ((<usize>end) << 1)))
    }
  }
  return load<u32>(memoryAt, NODES_END) > before ? 1 : 0
}

/** Child of a node of the first level, or 0. */
function second(node: u32, unit: u32): u32 {
  const key = (node << 16) | unit
  let pair = (key * GOLDEN) >> pairShift
  while (true) {
    const row = pairs + ((<usize>pair) << 3)
    const child = load<i32>(row, 4)
    const other = load<i32>(row) ^ key
    // Another key and a child: one branch instead of two, as only together they are foretold.
    if (((other | -other) & -child) >= 0) return child
    pair = (pair + 1) & pairMask
  }
}

/** Child of a node behind the first level, or 0. */
function deepChild(node: u32, unit: u32): u32 {
  const row = trieNodes + <usize>node * TRIE_BYTES
  let low = load<u32>(row)
  let high = load<u32>(row, TRIE_BYTES)
  while (high - low > 4) {
    const middle = (low + high) >> 1
    if (<u32>load<u16>(labels + ((<usize>middle) << 1)) <= unit) low = middle
    else high = middle
  }
  for (; low < high; low++) if (<u32>load<u16>(labels + ((<usize>low) << 1)) === unit) return low
  return 0
}

/** Lists the left classes of entries that have no way yet; answers where the list ends. */
function listLefts(first: u32, last: u32): usize {
  const stamp = load<i32>(memoryAt, STAMP)
  const end = entries + <usize>last * ENTRY_BYTES
  let to = leftList
  for (let entry = entries + <usize>first * ENTRY_BYTES; entry < end; entry += ENTRY_BYTES) {
    const left = load<u16>(entry)
    const row = lefts + <usize>left * LEFT_BYTES
    if (load<i32>(row) === stamp) continue
    store<i32>(row, stamp)
    store<u16>(to, left)
    to += 2
  }
  return to
}

/** Adds the words of one surface, whose left classes are connected. */
function addWords(start: i32, end: i32, first: u32, last: u32, spaced: bool): void {
  let node = addressOf(load<u32>(memoryAt, NODES_END))
  append(places + <usize>end * PLACE_BYTES, node, node + <usize>(last - first - 1) * NODE_BYTES)
  let row = entries + <usize>first * ENTRY_BYTES
  for (let entry = first; entry < last; entry++) {
    const left = lefts + <usize>load<u16>(row) * LEFT_BYTES
    let total = load<i32>(left, LEFT_TOTAL) + <i32>load<i16>(row, ENTRY_COST)
    if (spaced && (load<u8>(featureFlags + <usize>load<u16>(row, ENTRY_FEATURE)) & FEATURE_SPACE_PENALTY) !== 0) {
      total += SPACE_PENALTY
    }
    store<i32>(node, total, TOTAL)
    store<u32>(node, <u32>load<u16>(row, ENTRY_RIGHT), RIGHT)
    store<u32>(node, load<u32>(left, LEFT_NODE), PREVIOUS)
    store<i32>(node, start, START)
    store<i32>(node, end, END)
    store<i32>(node, entry, ENTRY)
    store<u32>(node, numberOf(node + NODE_BYTES), NEXT)
    node += NODE_BYTES
    row += ENTRY_BYTES
  }
  store<u32>(node - NODE_BYTES, NO_NODE, NEXT)
  added(node, end)
}

/** Appends nodes to a list. */
function append(list: usize, first: usize, last: usize): void {
  const head = load<u32>(list)
  if (head === NO_NODE) store<u32>(list, numberOf(first))
  else store<u32>(addressOf(load<u32>(list, LAST)), numberOf(first), NEXT)
  store<u32>(list, numberOf(last), LAST)
}

function added(nodesEnd: usize, end: i32): void {
  store<u32>(memoryAt, numberOf(nodesEnd), NODES_END)
  if (end > load<i32>(memoryAt, FURTHEST)) store<i32>(memoryAt, end, FURTHEST)
}

/** Adds a word that begins at the current place. Answers 1, or CANNOT. */
export function addNode(start: i32, end: i32, left: u32, right: u32, cost: i32, entry: i32, list: u32): i32 {
  const node = addressOf(load<u32>(memoryAt, NODES_END))
  if (node === memoryEnd) return CANNOT
  const way = wayTo(left)
  store<i32>(node, load<i32>(way, LEFT_TOTAL) + cost, TOTAL)
  store<u32>(node, right, RIGHT)
  store<u32>(node, load<u32>(way, LEFT_NODE), PREVIOUS)
  store<i32>(node, start, START)
  store<i32>(node, end, END)
  store<i32>(node, entry, ENTRY)
  store<u32>(node, NO_NODE, NEXT)
  append(places + <usize>end * PLACE_BYTES + ((<usize>list) << 2), node, node)
  added(node + NODE_BYTES, end)
  return 1
}

/** The live node from which a word of that left class is cheapest. */
export function bestFor(left: u32): u32 {
  return load<u32>(wayTo(left), LEFT_NODE)
}

/** Row of a left class, connected. */
function wayTo(left: u32): usize {
  const row = lefts + <usize>left * LEFT_BYTES
  if (load<i32>(row) !== load<i32>(memoryAt, STAMP)) {
    store<u16>(leftList, <u16>left)
    connect(leftList, leftList + 2)
  }
  return row
}
