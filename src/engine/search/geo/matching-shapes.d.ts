import type { SegmentReader } from '../../index/segment-reader.ts'
import { type BitSet } from '../lucene/bit-set.ts'
import type { QueryArea } from './query-area.ts'
import type { ShapeColumn } from './shape-column.ts'
/** How a document's shapes stand to what a query asks about. */
export type ShapeRelation = 'intersects' | 'disjoint' | 'within' | 'contains'
/**
 * Documents of a segment whose shapes stand to an area as asked. Boxes are compared first: of most shapes nothing else is
 * looked at.
 */
export declare function matchingShapes(
  segment: SegmentReader,
  column: ShapeColumn,
  area: QueryArea,
  relation: ShapeRelation,
): BitSet
