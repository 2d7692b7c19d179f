import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { buildColumns } from './dictionary-builder.ts'
import { type DictionaryColumns, ENTRY_UNITS, FEATURE_SPACE_PENALTY } from './dictionary-columns.ts'
import { imageOf, openImage } from './dictionary-image.ts'
import { KoreanDictionary } from './korean-dictionary.ts'
import { Lattice } from './lattice.ts'
import { latticeKernelOf } from './lattice-kernel.ts'
import { FIRST_LIST, NO_NODE, SECOND_LIST } from './lattice-layout.ts'
import { UNIT_CLASSES } from './unit-class.ts'

const CLASSES = 6
const LENGTH = 7

/** A dictionary whose context ids are classes of their own when no two rows of costs are equal. */
function dictionaryOf(costs: readonly number[], words: readonly DictionaryWord[] = []): KoreanDictionary {
  return new KoreanDictionary(columnsOf(costs, words))
}

/** The same one in memory that kernels share, as so many threads open it. */
function sharedOf({ columns }: KoreanDictionary, threads = 1): KoreanDictionary[] {
  const memory = imageOf(columns)
  return Array.from({ length: threads }, () => {
    const image = openImage(memory)
    return new KoreanDictionary(image.columns, image)
  })
}

function columnsOf(costs: readonly number[], words: readonly DictionaryWord[]): DictionaryColumns {
  const unknown = { leftId: 0, rightId: 0, cost: 0, tag: 'UNKNOWN' }
  return buildColumns({
    meta: {
      kind: 'seunjeon',
      origin: 'test',
      unknownWords: UNIT_CLASSES.map(() => unknown),
      userWord: { leftId: 0, rightId: 0, rightIdWithFinal: 0, rightIdWithoutFinal: 0 },
    },
    entries: words.map(({ surface, left, right, cost, spacePenalty }) => ({
      surface,
      leftId: left,
      rightId: right,
      cost,
      spacePenalty,
      feature: { type: 'MORPHEME', tags: ['NNG'], parts: undefined },
      reading: undefined,
    })),
    matrix: { leftSize: CLASSES, rightSize: CLASSES, costs: Int16Array.from(costs) },
    prune: false,
    unitTraits: new Uint16Array(0),
  })
}

interface DictionaryWord {
  readonly surface: string
  readonly left: number
  readonly right: number
  readonly cost: number
  readonly spacePenalty: boolean
}

interface Word {
  readonly start: number
  readonly length: number
  readonly left: number
  readonly right: number
  readonly cost: number
  readonly list: number
}

interface Node extends Word {
  /** Which word it is. */
  readonly index: number
  readonly total: number
  readonly previous: Node | undefined
}

const word = (cost: fc.Arbitrary<number>): fc.Arbitrary<Word> =>
  fc.record({
    start: fc.nat(LENGTH - 1),
    length: fc.integer({ min: 1, max: 3 }),
    left: fc.nat(CLASSES - 1),
    right: fc.nat(CLASSES - 1),
    cost,
    list: fc.constantFrom(FIRST_LIST, SECOND_LIST),
  })
// Small costs make equals; large ones differences no connection makes up for; huge ones totals near 32 bits.
const smallCosts = fc.integer({ min: -3, max: 3 })
const manyCosts = fc.array(smallCosts, { minLength: 1, maxLength: 40 })
const words = fc.oneof(
  fc.array(word(smallCosts), { maxLength: 60 }),
  fc.array(word(fc.integer({ min: -200_000, max: 200_000 })), { maxLength: 40 }),
  fc.array(word(fc.constantFrom(0, 1, -1, 300_000_000, -300_000_000)), { maxLength: 30 }),
)
const matrix = fc.oneof(
  fc.array(smallCosts, { minLength: CLASSES * CLASSES, maxLength: CLASSES * CLASSES }),
  fc.array(fc.integer({ min: -32_768, max: 32_767 }), { minLength: CLASSES * CLASSES, maxLength: CLASSES * CLASSES }),
)

/** Viterbi as in the books: every node that ends where a word begins is tried, in order; the first of equals wins. */
function naive(all: readonly Word[], costOf: (left: number, right: number) => number): Node[][] {
  const root: Node = {
    start: 0,
    length: 0,
    left: 0,
    right: 0,
    cost: 0,
    list: FIRST_LIST,
    index: -1,
    total: 0,
    previous: undefined,
  }
  const ended: Node[][] = Array.from({ length: LENGTH + 3 }, () => [])
  ended[0]!.push(root)
  for (let place = 0; place < LENGTH; place++) {
    const before = ended[place]!.toSorted((a, b) => a.list - b.list)
    for (const [index, one] of all.entries()) {
      if (one.start !== place) continue
      let best: Node | undefined
      let bestTotal = 0
      for (const node of before) {
        const total = (node.total + costOf(one.left, node.right)) | 0
        if (best !== undefined && total >= bestTotal) continue
        best = node
        bestTotal = total
      }
      if (best !== undefined) {
        ended[place + one.length]!.push({ ...one, index, total: (bestTotal + one.cost) | 0, previous: best })
      }
    }
  }
  return ended.map((nodes) => nodes.toSorted((a, b) => a.list - b.list))
}

/** Paths of the nodes alive from a place on, as totals and starts from the end to the beginning. */
function pathsOf(lattice: Lattice, from: number, behind: readonly number[]): unknown[] {
  const paths: unknown[] = []
  for (let place = from; place < LENGTH + 3; place++) {
    for (const list of [FIRST_LIST, SECOND_LIST]) {
      for (let node = lattice.first(place, list); node !== NO_NODE; node = lattice.next(node)) {
        const starts: number[] = []
        for (let n = node; n > lattice.root; n = lattice.previous(n)) starts.push(lattice.entry(n))
        paths.push([place, lattice.total(node), ...starts, ...behind.toReversed()])
      }
    }
  }
  return paths
}

/** Dictionaries of words of one to four syllables, several of a surface, some dearer behind a space. */
const dictionaries = fc
  .record({
    costs: matrix,
    words: fc.array(
      fc.record({
        surface: fc.string({ unit: fc.constantFrom(...'가나다'), minLength: 1, maxLength: 4 }),
        left: fc.nat(CLASSES - 1),
        right: fc.nat(CLASSES - 1),
        cost: fc.oneof(smallCosts, fc.integer({ min: -9000, max: 9000 })),
        spacePenalty: fc.boolean(),
      }),
      { maxLength: 80 },
    ),
  })
  .map(({ costs, words }) => dictionaryOf(costs, words))

/** What `addKnown` does, by `addNode`. */
function addOneByOne(lattice: Lattice, dictionary: KoreanDictionary, text: string, start: number): boolean {
  const { trie, columns } = dictionary
  let any = false
  let node = trie.roots[text.charCodeAt(start)]!
  for (let end = start + 1; node !== 0; end++) {
    for (let entry = trie.firstEntry(node); entry < trie.firstEntry(node + 1); entry++) {
      const row = entry * ENTRY_UNITS
      const [left, right, cost, feature] = columns.entries.subarray(row, row + ENTRY_UNITS)
      const penalized = text[start - 1] === ' ' && (columns.featureFlags[feature!]! & FEATURE_SPACE_PENALTY) !== 0
      lattice.addNode(start, end, left!, right!, (cost! << 16) >> 16, penalized, entry, FIRST_LIST)
      any = true
    }
    if (end === text.length) break
    node = trie.child(node, text.charCodeAt(end))
  }
  return any
}

function allNodes(lattice: Lattice, length: number): unknown[] {
  const nodes: unknown[] = []
  for (let place = 0; place <= length; place++) {
    for (let node = lattice.first(place, FIRST_LIST); node !== NO_NODE; node = lattice.next(node)) {
      const [start, end, entry] = [lattice.start(node), lattice.end(node), lattice.entry(node)]
      nodes.push([place, start, end, entry, lattice.total(node), lattice.previous(node)])
    }
  }
  return nodes
}

const WAYS = [
  {
    way: 'the plain way',
    runs: 500,
    of: (dictionary: KoreanDictionary, threads = 1) => new Array(threads).fill(dictionary) as KoreanDictionary[],
  },
  { way: 'by its kernel', runs: 100, of: sharedOf },
]

it('has a kernel, if `npm run build` made it', () => {
  expect(latticeKernelOf(sharedOf(dictionaryOf(new Array(CLASSES * CLASSES).fill(0)))[0]!)).toBeDefined()
})

describe.each(WAYS)('a lattice, $way,', ({ runs, of }) => {
  it('finds what trying every node in order finds, also when it drops nodes on the way', () => {
    fc.assert(
      fc.property(matrix, words, fc.nat(LENGTH), (costs, all, prunedAt) => {
        const dictionary = of(dictionaryOf(costs))[0]!
        const { leftClasses, rightClasses, connectionCosts } = dictionary.columns
        const stride = dictionary.rightClassCount
        const costOf = (left: number, right: number): number =>
          connectionCosts[leftClasses[left]! * stride + rightClasses[right]!]!
        const lattice = new Lattice(dictionary)
        lattice.begin(new Uint16Array(LENGTH + 3), LENGTH + 3)
        lattice.reset(0, rightClasses[0]!)
        const behind: number[] = []
        for (let place = 0; place < LENGTH; place++) {
          if (place > 0) lattice.gatherLive(place)
          if (lattice.hasLive) {
            all.forEach((one, i) => {
              if (one.start !== place) return
              const [left, right] = [leftClasses[one.left]!, rightClasses[one.right]!]
              lattice.addNode(place, place + one.length, left, right, one.cost, false, i, one.list)
            })
          }
          if (place === prunedAt) {
            lattice.prune(place + 1, (settled) => {
              const passed: number[] = []
              for (let n = settled; n > lattice.root; n = lattice.previous(n)) passed.unshift(lattice.entry(n))
              behind.push(...passed)
            })
          }
        }
        const from = prunedAt + 1
        const expected: unknown[] = []
        const naiveEnded = naive(all, costOf)
        for (let place = from; place < LENGTH + 3; place++) {
          for (const node of naiveEnded[place]!) {
            if (node.previous === undefined) continue
            const entries: number[] = []
            for (let n: Node | undefined = node; n?.previous !== undefined; n = n.previous) entries.push(n.index)
            expected.push([place, node.total, ...entries])
          }
        }
        expect(pathsOf(lattice, from, behind)).toEqual(expected)
      }),
      { numRuns: runs },
    )
  })

  it('knows the cheapest of many nodes at one place, also of more than keys can name', () => {
    fc.assert(
      fc.property(matrix, manyCosts, fc.constantFrom(7, 300, 20_000), (costs, wordCosts, count) => {
        const dictionary = of(dictionaryOf(costs))[0]!
        const { rightClassCount: stride, leftClassCount } = dictionary
        const { connectionCosts } = dictionary.columns
        const lattice = new Lattice(dictionary)
        lattice.begin(new Uint16Array(2), 2)
        lattice.reset(0, 0)
        const totals: { readonly total: number; readonly right: number; readonly entry: number }[] = []
        for (let entry = 0; entry < count; entry++) {
          const [left, right] = [entry % leftClassCount, entry % stride]
          const cost = wordCosts[entry % wordCosts.length]!
          lattice.addNode(0, 1, left, right, cost, false, entry, FIRST_LIST)
          totals.push({ total: connectionCosts[left * stride]! + cost, right, entry })
        }
        lattice.gatherLive(1)
        for (let left = 0; left < leftClassCount; left++) {
          const totalOf = (i: number): number => totals[i]!.total + connectionCosts[left * stride + totals[i]!.right]!
          let best = 0
          for (let i = 1; i < totals.length; i++) if (totalOf(i) < totalOf(best)) best = i
          expect(lattice.entry(lattice.bestFor(left))).toBe(best)
        }
      }),
      { numRuns: 30 },
    )
  })

  it('adds the words of a dictionary as adding them one by one does', () => {
    fc.assert(
      fc.property(
        dictionaries,
        fc.string({ unit: fc.constantFrom(...'가나다 '), maxLength: 12 }),
        (dictionary, text) => {
          const units = Uint16Array.from(text, (unit) => unit.charCodeAt(0))
          const [fast, plain] = [new Lattice(of(dictionary)[0]!), new Lattice(dictionary)]
          for (const lattice of [fast, plain]) {
            lattice.begin(units, units.length)
            lattice.reset(0, 0)
          }
          for (let place = 0; place < units.length; place++) {
            const spaced = text[place - 1] === ' '
            for (const lattice of [fast, plain]) if (place > 0 && !spaced) lattice.gatherLive(place)
            if (!plain.hasLive || text[place] === ' ') continue
            expect(fast.addKnown(place, spaced)).toBe(addOneByOne(plain, dictionary, text, place))
          }
          expect(allNodes(fast, units.length)).toEqual(allNodes(plain, units.length))
        },
      ),
      { numRuns: runs },
    )
  })

  it('keeps apart what several threads analyze at a time, however many', () => {
    const words = ['가', '나', '가나', '나다'].map((surface, i) => ({
      ...{ surface, left: i, right: 5 - i, cost: i * 100, spacePenalty: false },
    }))
    const costs = Array.from({ length: CLASSES * CLASSES }, (_, i) => (i * 37) % 101)
    const dictionary = dictionaryOf(costs, words)
    const shared = of(dictionary, 20)
    for (let time = 0; time < 2; time++) {
      const texts = Array.from({ length: 20 }, (_, i) => '가나다'.repeat(1 + (i % 3)))
      const several = shared.map((its) => new Lattice(its))
      const apart = texts.map(() => new Lattice(dictionary))
      for (const lattices of [several, apart]) {
        for (const [i, text] of texts.entries()) {
          lattices[i]!.begin(
            Uint16Array.from(text, (unit) => unit.charCodeAt(0)),
            text.length,
          )
          lattices[i]!.reset(0, 0)
        }
        for (let place = 0; place < 9; place++) {
          for (const [i, text] of texts.entries()) {
            if (place >= text.length) continue
            if (place > 0) lattices[i]!.gatherLive(place)
            if (lattices[i]!.hasLive) lattices[i]!.addKnown(place, false)
          }
        }
      }
      for (const [i, text] of texts.entries()) {
        expect(allNodes(several[i]!, text.length)).toEqual(allNodes(apart[i]!, text.length))
        several[i]!.done()
      }
    }
  })
})
