import type { EngineVersion } from '../../engine-version.ts'
import type { IndexSearcher } from '../../index/index-searcher.ts'
import type { SegmentReader } from '../../index/segment-reader.ts'
import type { UseListener } from '../../script/deprecated-use.ts'
import { fault } from '../../script/script-fault.ts'
import { type DocNumbers, type MapEntry, ScriptMap } from '../../script/values/script-map.ts'
import { type ScriptValue, textOf } from '../../script/values/script-value.ts'
import { type DocColumn, openDocColumn } from './doc-column.ts'
import { DocValuesList } from './doc-values-list.ts'

interface OpenField {
  readonly column: DocColumn
  readonly list: DocValuesList
  /** Document whose values the list has. */
  doc: number
}

/** `doc`: the values of the document that a script looks at, read when they are asked for. */
export class DocLookup extends ScriptMap {
  /** The document; its values are read when a field is asked for. */
  doc = -1
  readonly #searcher: IndexSearcher
  readonly #segment: SegmentReader
  readonly #isLucene7: boolean
  /** Whether what is not mapped is told with the types it was looked for in, of which there are none. */
  readonly #tellsTypes: boolean
  readonly #heard: UseListener | undefined
  readonly #fields = new Map<string, OpenField>()
  /** The field that was asked for last by its first value alone. */
  #lastPath: string | undefined
  #last: DocColumn | undefined

  /** @param heard  told what is done with values that is warned of */
  constructor(searcher: IndexSearcher, segment: SegmentReader, engineVersion: EngineVersion, heard?: UseListener) {
    super('linked', 'org.elasticsearch.search.lookup.LeafDocLookup', true)
    this.#searcher = searcher
    this.#segment = segment
    this.#isLucene7 = engineVersion === 'Elasticsearch_6.8'
    this.#tellsTypes = engineVersion !== 'OpenSearch_2.19'
    this.#heard = heard
  }

  /** @throws {ScriptFault} illegal_argument_exception for a field that is not mapped, or has no column */
  override get(key: ScriptValue): ScriptValue {
    const field = this.#open(textOf(key))
    if (field.doc !== this.doc) {
      field.list.fill(field.column.read(this.doc))
      field.doc = this.doc
    }
    return field.list
  }

  /** A field's values in this segment. @throws {ScriptFault} as {@link get} */
  column(path: string): DocColumn {
    return this.#open(path).column
  }

  #open(path: string): OpenField {
    const known = this.#fields.get(path)
    if (known !== undefined) return known
    const column = openDocColumn(path, this.#searcher, this.#segment, this.#isLucene7, this.#heard)
    if (column === undefined) {
      throw fault(
        'IllegalArgumentException',
        `No field found for [${path}] in mapping${this.#tellsTypes ? ' with types []' : ''}`,
      )
    }
    const field = { column, list: new DocValuesList(column.kind, !this.#isLucene7, this.#heard), doc: -1 }
    this.#fields.set(path, field)
    return field
  }

  override firstOf(path: string): ScriptValue | undefined {
    if (path !== this.#lastPath) {
      this.#last = this.#fields.get(path)?.column
      if (this.#last === undefined) return undefined
      this.#lastPath = path
    }
    return this.#last?.first?.(this.doc)
  }

  override numbersOf(path: string): DocNumbers | undefined {
    const numbers = this.#fields.get(path)?.column.numbers
    return numbers === undefined ? undefined : { kind: numbers.kind, read: () => numbers.read(this.doc) }
  }

  override has(key: ScriptValue): boolean {
    const path = textOf(key)
    if (this.#fields.has(path) || METADATA.has(path)) return true
    const field = this.#searcher.mapping.field(path)
    return field !== undefined && !field.derived?.isOfSearch
  }

  override size(): number {
    throw unsupported()
  }

  // biome-ignore lint/correctness/useYield: the real one has no entries to go through
  override *entries(): IterableIterator<MapEntry> {
    throw unsupported()
  }

  override ordered(): readonly MapEntry[] {
    throw unsupported()
  }
}

const METADATA = new Set([
  '_id',
  '_index',
  '_type',
  '_seq_no',
  '_version',
  '_source',
  '_routing',
  '_ignored',
  '_field_names',
])

function unsupported(): Error {
  return fault('UnsupportedOperationException', null)
}
