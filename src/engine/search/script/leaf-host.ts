import type { EngineVersion } from '../../engine-version.ts'
import type { IndexSearcher } from '../../index/index-searcher.ts'
import type { SegmentReader } from '../../index/segment-reader.ts'
import type { ScriptHost } from '../../script/script-context.ts'
import type { ScriptValue } from '../../script/values/script-value.ts'
import type { DocLookup } from './doc-lookup.ts'

/** What functions see of the segment that a script runs over. */
export interface LeafHost extends ScriptHost {
  readonly searcher: IndexSearcher
  readonly engineVersion: EngineVersion
  readonly segment: SegmentReader
  /** Number of the segment's first document in its index. */
  readonly docBase: number
  /** The document of the moment. */
  readonly lookup: DocLookup
  /** What the script has emitted for it, where it is a derived field's. */
  readonly emitted: ScriptValue[]
}
