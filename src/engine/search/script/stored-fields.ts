import type { IndexSearcher } from '../../index/index-searcher.ts'
import { fault } from '../../script/script-fault.ts'
import type { ClassDefinition } from '../../script/values/script-class.ts'
import { ScriptList } from '../../script/values/script-list.ts'
import { ScriptMap } from '../../script/values/script-map.ts'
import { ScriptObject } from '../../script/values/script-object.ts'
import { type ScriptValue, textOf } from '../../script/values/script-value.ts'

/** `params._fields`: values of stored fields, as the document has them. */
export class StoredFields extends ScriptMap {
  readonly #searcher: IndexSearcher
  readonly #source: () => ScriptValue

  constructor(searcher: IndexSearcher, source: () => ScriptValue) {
    super('linked', 'org.elasticsearch.search.lookup.LeafFieldsLookup', true)
    this.#searcher = searcher
    this.#source = source
  }

  /** @throws {ScriptFault} illegal_argument_exception for a field that is not mapped */
  override get(key: ScriptValue): ScriptValue {
    const path = textOf(key)
    const field = this.#searcher.mapping.field(path)
    if (field === undefined) {
      throw fault('IllegalArgumentException', `No field found for [${path}] in mapping with types []`)
    }
    return new StoredField(field.store ? valuesAt(this.#source(), field.path.split('.')) : [])
  }

  override has(key: ScriptValue): boolean {
    return this.#searcher.mapping.field(textOf(key)) !== undefined
  }

  override size(): number {
    throw fault('UnsupportedOperationException', null)
  }

  override ordered(): ReturnType<ScriptMap['ordered']> {
    throw fault('UnsupportedOperationException', null)
  }
}

/** All values of a source under a path. */
function valuesAt(value: ScriptValue, names: readonly string[]): ScriptValue[] {
  if (value instanceof ScriptList) return value.items.flatMap((item) => valuesAt(item, names))
  if (names.length === 0) return value === null ? [] : [value]
  if (!(value instanceof ScriptMap)) return []
  // Names of members may have dots themselves.
  return names.flatMap((_, i) => {
    const name = names.slice(0, i + 1).join('.')
    return value.has(name) ? valuesAt(value.get(name), names.slice(i + 1)) : []
  })
}

/** The values of one stored field. */
class StoredField extends ScriptObject {
  readonly values: readonly ScriptValue[]

  constructor(values: readonly ScriptValue[]) {
    super()
    this.values = values
  }

  get className(): string {
    return 'org.elasticsearch.search.lookup.FieldLookup'
  }
}

/** What scripts may ask a stored field. */
export const STORED_FIELD_CLASS: ClassDefinition = {
  name: 'org.elasticsearch.search.lookup.FieldLookup',
  javaName: 'org.elasticsearch.search.lookup.FieldLookup',
  isUnnamed: true,
  methods: {
    'Object getValue()': (self: StoredField) => self.values[0] ?? null,
    'List getValues()': (self: StoredField) => new ScriptList([...self.values]),
    'boolean isEmpty()': (self: StoredField) => self.values.length === 0,
  },
}
