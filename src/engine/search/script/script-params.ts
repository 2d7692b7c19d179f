import type { IndexSearcher } from '../../index/index-searcher.ts'
import type { SegmentReader } from '../../index/segment-reader.ts'
import { parseLosslessJson } from '../../mapping/lossless-json.ts'
import { partsOfSource } from '../../mapping/source-parts.ts'
import { fault } from '../../script/script-fault.ts'
import { scriptValueOf } from '../../script/values/script-json.ts'
import { ScriptMap } from '../../script/values/script-map.ts'
import type { ScriptValue } from '../../script/values/script-value.ts'
import type { DocLookup } from './doc-lookup.ts'
import { StoredFields } from './stored-fields.ts'

/** Parameters beside which a document's `_source`, `_fields` and `doc` are found. */
export class DocParams extends ScriptMap {
  readonly #params: ScriptMap
  readonly #heardDoc: ((name: 'doc' | '_doc') => void) | undefined
  readonly #doc: DocLookup
  readonly #searcher: IndexSearcher
  readonly #segment: SegmentReader
  readonly #fields: StoredFields
  #source: ScriptValue = null
  #sourceDoc = -1

  /** @param heardDoc  told by which name the document's values were asked for */
  constructor(
    params: ScriptMap,
    doc: DocLookup,
    searcher: IndexSearcher,
    segment: SegmentReader,
    heardDoc?: (name: 'doc' | '_doc') => void,
  ) {
    super('linked', 'org.elasticsearch.script.ParameterMap')
    this.#params = params
    this.#heardDoc = heardDoc
    this.#doc = doc
    this.#searcher = searcher
    this.#segment = segment
    this.#fields = new StoredFields(searcher, () => this.#sourceOf())
  }

  override get(key: ScriptValue): ScriptValue {
    if (this.#params.has(key)) return this.#params.get(key)
    if (key === '_source') return this.#sourceOf()
    if (key === 'doc' || key === '_doc') {
      this.#heardDoc?.(key)
      return this.#doc
    }
    if (key === '_fields') return this.#fields
    return null
  }

  override has(key: ScriptValue): boolean {
    return this.#params.has(key) || key === '_source' || key === 'doc' || key === '_doc' || key === '_fields'
  }

  override put(key: ScriptValue, value: ScriptValue, run?: Parameters<ScriptMap['put']>[2]): ScriptValue {
    return this.#params.put(key, value, run)
  }

  override remove(key: ScriptValue): ScriptValue {
    return this.#params.remove(key)
  }

  override clear(): void {
    this.#params.clear()
  }

  override size(): number {
    throw fault('UnsupportedOperationException', null)
  }

  override ordered(): ReturnType<ScriptMap['ordered']> {
    throw fault('UnsupportedOperationException', null)
  }

  #sourceOf(): ScriptValue {
    if (this.#sourceDoc !== this.#doc.doc) {
      this.#sourceDoc = this.#doc.doc
      this.#source = scriptValueOf(this.#visibleSource())
    }
    return this.#source
  }

  /** The source as the mapping lets it be seen; null where it is not kept. */
  #visibleSource(): unknown {
    const { mapping } = this.#searcher
    const { source, type } = this.#searcher.document(this.#segment, this.#doc.doc)
    if (source === undefined || !mapping.sourceEnabled(type)) return null
    const whole = parseLosslessJson(source.toString('utf8'))
    const parts = mapping.sourceFilter(type)
    return parts === undefined ? whole : partsOfSource(whole, parts, mapping.engineVersion)
  }
}
