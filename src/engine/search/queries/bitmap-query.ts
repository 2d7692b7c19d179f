import { createHash } from 'node:crypto'
import { emptyBits, hasBit, setBit } from '../lucene/bit-set.ts'
import { bitsDocSet } from '../lucene/doc-set.ts'
import type { LuceneQuery } from '../lucene/lucene-query.ts'
import { MadeSetQuery } from '../lucene/made-set-query.ts'
import { MatchNoDocsQuery } from '../lucene/match-no-docs-query.ts'
import { creating, fieldOf, illegalQuery, type QueryContext } from './query-context.ts'
import { roaringValues } from './roaring-bitmap.ts'
import { termsQuery } from './term-queries.ts'

/** Documents with an integer that a serialized Roaring bitmap holds; all score alike. */
export function bitmapQuery(path: string, bytes: Uint8Array, context: QueryContext): LuceneQuery {
  const field = fieldOf(path, context)
  if (field === undefined) return new MatchNoDocsQuery(`unmapped field [${path}]`)
  // To other fields the bytes are a value, which none of theirs is.
  if (field.kind !== 'number') return new MatchNoDocsQuery('bytes of a bitmap')
  if (field.type !== 'integer') {
    const reason = `Field [${field.type}] of type [${field.type}] does not support bitmap queries`
    throw illegalQuery(context, reason)
  }
  const values = creating(context, () => roaringValues(bytes))
  if (!field.docValues) return termsQuery(path, [...values], context)
  const wanted = new Set(values)
  const hash = createHash('sha256').update(bytes).digest('hex')
  return new MadeSetQuery(`${field.path}:bitmap ${hash}`, ({ segment }) => {
    const column = segment.field(field.path)?.docValues
    if (column?.kind !== 'numeric') return undefined
    const { present, offsets } = column
    const bits = emptyBits(segment.maxDoc)
    for (let doc = 0; doc < segment.maxDoc; doc++) {
      if (present !== undefined && !hasBit(present, doc)) continue
      const from = offsets === undefined ? doc : (offsets[doc] as number)
      const to = offsets === undefined ? doc + 1 : (offsets[doc + 1] as number)
      for (let at = from; at < to; at++) if (wanted.has(column.values[at] as number)) setBit(bits, doc)
    }
    return bitsDocSet(bits)
  })
}
