import type { EngineVersion } from '../../engine/engine-version.ts'
import { inHashTrieOrder, inJavaHashOrder } from '../../engine/java/java-hash-order.ts'
import type { FieldMapping } from '../../engine/mapping/field-mapping.ts'
import type { IndexMapping } from '../../engine/mapping/index-mapping.ts'
import { TYPED_METADATA } from '../../engine/mapping/metadata-fields.ts'
import type { Query } from '../../engine/search/queries/query.ts'
import { typeName } from '../../engine/search/queries/query-context.ts'
import { illegalInQueryPhase } from '../../engine/search/query-phase.ts'
import { matchWildcard } from '../../match-wildcard.ts'

/** Options of `highlight`, of one field or of all. */
export interface HighlightOptions {
  readonly type?: string
  readonly preTags?: readonly string[]
  readonly postTags?: readonly string[]
  readonly fragmentSize?: number
  readonly numberOfFragments?: number
  readonly noMatchSize?: number
  /** Whether the best fragments come first. */
  readonly byScore?: boolean
  readonly boundaryScanner?: string
  readonly boundaryChars?: string
  readonly boundaryMaxScan?: number
  readonly fragmentOffset?: number
  readonly phraseLimit?: number
  /** How much of each value is analyzed (OpenSearch's), in UTF-16 units. */
  readonly maxAnalyzerOffset?: number
  readonly fragmenter?: string
  readonly requireFieldMatch?: boolean
  /** Values are read from the source whether the field is stored or not. */
  readonly forceSource?: boolean
  readonly query?: Query
  /** Fields whose tokens count for this one's (fvh). */
  readonly matchedFields?: readonly string[]
}

/** A field of an index that is to be highlighted. */
export interface AskedField {
  readonly path: string
  readonly options: HighlightOptions
}

/** What is asked for by a name or a pattern of names. */
export interface FieldRequest {
  readonly pattern: string
  readonly options: HighlightOptions
}

const TYPES: ReadonlySet<string> = new Set(['unified', 'plain', 'fvh'])

const PLAIN: ReadonlySet<string> = new Set(['text', 'match_only_text', 'keyword'])

/**
 * The fields of an index that are to be highlighted. From 7 on one that is asked for twice is asked for as the last time.
 *
 * @throws {ServiceError} illegal_argument_exception for a type that is none, from 7 on whatever fields there are
 */
export function askedFields(
  requests: readonly FieldRequest[],
  mapping: IndexMapping,
  engineVersion: EngineVersion,
): readonly AskedField[] {
  const isSix = engineVersion === 'Elasticsearch_6.8'
  const asked = requests.flatMap(({ pattern, options }) => {
    const { type = 'unified' } = options
    if (!isSix && !TYPES.has(type))
      throw illegalInQueryPhase(`unknown highlighter type [${type}] for the field [${pattern}]`)
    if (!pattern.includes('*')) {
      const isKnown = mapping.field(pattern) !== undefined || TYPED_METADATA[engineVersion].has(pattern)
      return isKnown ? [{ path: pattern, options }] : []
    }
    const own = [...TYPED_METADATA[engineVersion]].filter((name) => matchWildcard(pattern, name))
    return inJavaHashOrder(inHashTrieOrder([...mapping.matchFields(pattern), ...own])).flatMap((path) => {
      const field = mapping.field(path)
      // A pattern does not stand for what a field makes for itself, nor for `wildcard` and the like.
      const isMeant =
        field !== undefined && PLAIN.has(typeName(field)) && (type !== 'fvh' || takesVectors(field, engineVersion))
      return isMeant ? [{ path, options }] : []
    })
  })
  return isSix ? asked : [...new Map(asked.map((each) => [each.path, each])).values()]
}

/** Whether the fast vector highlighter takes a field: from 7 on without positions too, where it finds nothing. */
export function takesVectors(field: FieldMapping, engineVersion: EngineVersion): boolean {
  const isSix = engineVersion === 'Elasticsearch_6.8'
  return hasVectors(field) || (!isSix && field.kind === 'text' && field.termVector === 'with_offsets')
}

/** Whether a field keeps what the fast vector highlighter reads. */
export function hasVectors(field: FieldMapping): boolean {
  return field.kind === 'text' && field.termVector.startsWith('with_positions_offsets')
}
