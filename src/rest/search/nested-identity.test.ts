import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { SegmentReader } from '../../engine/index/segment-reader.ts'
import type { IndexMapping } from '../../engine/mapping/index-mapping.ts'
import { WHOLE_SOURCE } from '../documents/source-filter.ts'
import { writeJson } from '../json/json-writer.ts'
import {
  filteredNestedSource,
  NestedIdentities,
  type NestedIdentity,
  NestedSources,
  shownNestedSource,
} from './nested-identity.ts'

/** An object with objects in `a` and `b.c`. */
interface Tree {
  readonly a: readonly Tree[]
  readonly c: readonly Tree[]
}

const trees = fc.memo((depth): fc.Arbitrary<Tree> => {
  const objects = depth > 1 ? fc.array(trees(depth - 1), { maxLength: 2 }) : fc.constant([])
  return fc.record({ a: objects, c: objects })
})

const mapping = {
  isNested: (path: string) => path.endsWith('a') || path.endsWith('c'),
} as IndexMapping

interface Doc {
  readonly path: string | undefined
  readonly identity: NestedIdentity | undefined
}

/** Documents of an object, as they stand in a segment: what is within before what is around it. */
function documents(tree: Tree, path: string | undefined, around: readonly (readonly [string, number])[]): Doc[] {
  const inside = ([name, objects]: readonly [string, readonly Tree[]]): Doc[] =>
    objects.flatMap((object, i) =>
      documents(object, path === undefined ? name : `${path}.${name}`, [...around, [name, i]]),
    )
  const identity = around.reduceRight<NestedIdentity | undefined>(
    (_nested, [field, offset]) => ({ field, offset, ...(_nested === undefined ? {} : { _nested }) }),
    undefined,
  )
  return [...inside(['a', tree.a]), ...inside(['b.c', tree.c]), { path, identity }]
}

describe('which object of a document a nested document is', () => {
  it('is told in any order of documents', () => {
    fc.assert(
      fc.property(fc.array(trees(3), { maxLength: 3 }), fc.infiniteStream(fc.nat()), (roots, picks) => {
        const docs = roots.flatMap((root) => documents(root, undefined, []))
        const segment = {
          rootDocs: new Uint32Array(1),
          maxDoc: docs.length,
          nestedPath: (doc: number) => docs[doc]?.path,
        } as SegmentReader
        const identities = new NestedIdentities()
        const order = [...docs.keys(), ...docs.map(() => (picks.next().value as number) % docs.length)]
        for (const doc of order) expect(identities.of(segment, doc, mapping)).toEqual(docs[doc]?.identity)
      }),
    )
  })

  it('tells its source', () => {
    const sources = new NestedSources(Buffer.from('{"a":[{"b":{"c":[{"x":1},{"x":2}]}},{"b.c":{"x":3}}]}'))
    const at = (a: number, c: number) =>
      sources.of({ field: 'a', offset: a, _nested: { field: 'b.c', offset: c } }).toString()
    expect([at(0, 1), at(1, 0), at(0, 0), at(1, 1)]).toEqual(['{"x":2}', '{"x":3}', '{"x":1}', '{}'])
  })
})

describe('the source of a nested object', () => {
  const source = Buffer.from('{"n":[{"v":-9223372036854775808,"x":9007199254740993}]}')

  it('has every digit of its numbers', () => {
    const object = new NestedSources(source).of({ field: 'n', offset: 0 })
    expect(object.toString()).toBe('{"v":-9223372036854775808,"x":9007199254740993}')
    const shown = shownNestedSource(
      new NestedSources(source),
      { field: 'n', offset: 0 },
      'n',
      WHOLE_SOURCE,
      'OpenSearch_2.19',
    )
    expect(writeJson(shown)).toBe(object.toString())
    const filter = { enabled: true, includes: [], excludes: ['n.v'] }
    expect(writeJson(filteredNestedSource(object, 'n', filter, 'OpenSearch_2.19'))).toBe('{"x":9007199254740993}')
  })
})
