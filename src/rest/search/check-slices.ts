import { TYPED_METADATA } from '../../engine/mapping/metadata-fields.ts'
import { faultInQueryPhase, illegalInQueryPhase, queryPhaseFault } from '../../engine/search/query-phase.ts'
import type { ServiceError } from '../../errors.ts'
import type { Dialect } from '../dialects/dialect.ts'
import type { SearchBody } from './search-body.ts'
import type { SearchView } from './search-view.ts'

/** Of slices of one scroll or point in time. */
const DEFAULT_LIMIT = 1024

/** Refuses more slices than an index allows, and fields that do not tell documents apart. @throws {ServiceError} of the query phase */
export function checkSlices(view: SearchView, { slice, pit }: SearchBody, dialect: Dialect): void {
  if (slice === undefined) return
  checkSliceCount(view, slice.max, dialect, pit !== undefined)
  checkField(view, slice.field, dialect)
}

/** Refuses more slices than an index allows. @throws {ServiceError} of the query phase */
export function checkSliceCount(view: SearchView, count: number, dialect: Dialect, isPit = false): void {
  const setting = isPit ? 'index.max_slices_per_pit' : 'index.max_slices_per_scroll'
  const limits = view.indices.map((index) => Number(index.settings[setting] ?? DEFAULT_LIMIT))
  const limit = limits.length === 0 ? DEFAULT_LIMIT : Math.min(...limits)
  if (count <= limit) return
  const reason = `The number of slices [${count}] is too large. It must be less than [${limit}]. This limit can be set by changing the [${setting}] index level setting.`
  throw isPit
    ? faultInQueryPhase('rejected_execution_exception', reason)
    : queryPhaseFault(dialect.engineVersion, reason)
}

/** Kinds of fields that have a number for each document, as the real server sees it. */
const NUMERIC: ReadonlySet<string> = new Set(['number', 'date', 'boolean'])

function checkField({ searchers }: SearchView, name: string, { engineVersion, typed }: Dialect): void {
  const refuse = (reason: string): ServiceError => illegalInQueryPhase(reason)
  for (const { mapping } of searchers) {
    const field = mapping.field(name)
    // An index without a mapping has no metadata fields either.
    const isMetadata = mapping.types.length > 0 && TYPED_METADATA[engineVersion].has(name)
    if (field === undefined && !isMetadata) throw refuse(`field ${name} not found`)
    if (isMetadata && TELLING.has(name)) continue
    if (name === '_version' || name === '_doc_count' || (typed && field?.kind === 'range')) {
      const type = field?.kind === 'range' ? field.type : name
      throw refuse(`Fielddata is not supported on field [${name}] of type [${type}]`)
    }
    if (field?.docValues !== true || !NUMERIC.has(field.kind)) throw refuse(`cannot load numeric doc values on ${name}`)
  }
}

/** Metadata fields by which documents are told apart, in versions that have them. */
const TELLING: ReadonlySet<string> = new Set(['_id', '_uid', '_seq_no'])
