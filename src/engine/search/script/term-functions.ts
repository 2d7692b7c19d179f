import type { FieldReader, PostingsCursor } from '../../index/segment-reader.ts'
import type { ContextFunction, FunctionBinding } from '../../script/script-context.ts'
import type { LeafHost } from './leaf-host.ts'

/** Functions of scores about occurrences of terms (OpenSearch). A field is named as it is indexed: aliases have no terms. */
export const TERM_FUNCTIONS: readonly ContextFunction[] = [
  {
    name: 'termFreq',
    params: ['String', 'String'],
    returns: 'int',
    bind: {
      count: 0,
      make: (_, host) => {
        const { segment, lookup } = host as LeafHost
        const cursors = new Map<string, PostingsCursor | undefined>()
        return ([field, term]) => {
          const key = `${field}\0${term}`
          let cursor = cursors.get(key)
          if (!cursors.has(key) || (cursor !== undefined && cursor.doc > lookup.doc)) {
            cursor = occurrences(segment.field(`${field}`), term as string)
            cursors.set(key, cursor)
          }
          if (cursor === undefined) return 0
          const at = cursor.doc < lookup.doc ? cursor.advance(lookup.doc) : cursor.doc
          return at === lookup.doc ? cursor.freq : 0
        }
      },
    },
  },
  {
    name: 'totalTermFreq',
    params: ['String', 'String'],
    returns: 'long',
    bind: ofIndex(({ terms }, term) => {
      const ordinal = terms?.find(Buffer.from(term as string)) ?? -1
      return ordinal < 0 ? 0 : (terms?.totalTermFreq(ordinal) ?? 0)
    }),
  },
  {
    name: 'sumTotalTermFreq',
    params: ['String'],
    returns: 'long',
    bind: ofIndex(({ terms, sumTotalTermFreq, sumDocFreq }) =>
      terms === undefined ? 0 : sumTotalTermFreq < 0 ? sumDocFreq : sumTotalTermFreq,
    ),
  },
]

function occurrences(field: FieldReader | undefined, term: string): PostingsCursor | undefined {
  const ordinal = field?.terms?.find(Buffer.from(term)) ?? -1
  return ordinal < 0 ? undefined : field?.terms?.postings(ordinal)
}

/** A sum over the segments of an index, made once for each field and term that a call is given. */
function ofIndex(count: (field: FieldReader, term: string | undefined) => number): FunctionBinding {
  return {
    count: 0,
    make: (_, host) => {
      const known = new Map<string, bigint>()
      return ([field, term]) => {
        const key = `${field}\0${term}`
        let sum = known.get(key)
        if (sum === undefined) {
          const readers = (host as LeafHost).searcher.segments.map((segment) => segment.field(`${field}`))
          sum = BigInt(
            readers.reduce((total, reader) => total + (reader === undefined ? 0 : count(reader, term as string)), 0),
          )
          known.set(key, sum)
        }
        return sum
      }
    },
  }
}
