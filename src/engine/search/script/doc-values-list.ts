import type { DeprecatedUse, UseListener } from '../../script/deprecated-use.ts'
import { fault } from '../../script/script-fault.ts'
import { ScriptList } from '../../script/values/script-list.ts'
import type { ScriptValue } from '../../script/values/script-value.ts'

/** How the real server's lists of one kind of values behave where there is no value. */
export interface DocValuesKind {
  /** Java's name of the class. */
  readonly className: string
  /** What 6.8 gives for the value of a document that has none. */
  readonly absent: () => ScriptValue
  /** What stands in a place of the array behind the list that was never filled. */
  readonly unused: ScriptValue
  /** Bytes of a place of the array behind the list, which grows by its own rule; undefined: the list checks indices itself. */
  readonly placeBytes: number | undefined
  /** Whether that array grows value by value. */
  readonly growsSlowly?: boolean
  /** Whether the value of a document that has none is {@link absent} in later versions too. */
  readonly isNullable?: boolean
}

const MISSING_VALUE: DeprecatedUse = { name: 'script_missing_value', words: [] }

/** The values of a field in the document that a script looks at (Elasticsearch's ScriptDocValues): a list to read. */
export class DocValuesList extends ScriptList {
  readonly kind: DocValuesKind
  readonly #throwsWhenEmpty: boolean
  readonly heard: UseListener | undefined
  #capacity = 0
  /** The array behind the list, with what documents before have left in it. */
  readonly #store: ScriptValue[] = []

  constructor(kind: DocValuesKind, throwsWhenEmpty: boolean, heard?: UseListener) {
    super([], kind.className)
    this.kind = kind
    this.#throwsWhenEmpty = throwsWhenEmpty
    this.heard = heard
  }

  override get isFixed(): boolean {
    return true
  }

  /** Goes on to another document. */
  fill(values: readonly ScriptValue[]): void {
    const { items } = this
    const { length } = values
    // Not cut and filled again: an array cut to nothing has its places made anew.
    if (items.length > length) items.length = length
    for (let i = 0; i < length; i++) {
      const value = values[i] as ScriptValue
      items[i] = value
      this.#store[i] = value
    }
    const { placeBytes, growsSlowly } = this.kind
    if (placeBytes === undefined || length <= this.#capacity) return
    for (let size = growsSlowly ? 1 : length; size <= length; size++) {
      if (size > this.#capacity) this.#capacity = oversize(size, placeBytes)
    }
  }

  /** The first value. @throws {ScriptFault} illegal_state_exception in 7.x for a document without one */
  first(): ScriptValue {
    if (this.items.length > 0) return this.items[0] as ScriptValue
    if (!this.#throwsWhenEmpty || this.kind.isNullable) return this.#absent()
    throw withoutValue()
  }

  #absent(): ScriptValue {
    if (!this.kind.isNullable) this.heard?.(MISSING_VALUE)
    return this.kind.absent()
  }

  override get(index: number): ScriptValue {
    const { items, kind } = this
    if (index >= 0 && index < items.length) return items[index] as ScriptValue
    if (items.length === 0) {
      if (this.#throwsWhenEmpty) throw withoutValue()
      return this.#absent()
    }
    if (kind.placeBytes === undefined) {
      throw fault(
        'IndexOutOfBoundsException',
        `attempted to fetch the [${index}] date when there are only [${items.length}] dates.`,
      )
    }
    // The array behind the list is longer than that: what it has there is given.
    if (index >= 0 && index < this.#capacity) return this.#store[index] ?? kind.unused
    throw fault('ArrayIndexOutOfBoundsException', `Index ${index} out of bounds for length ${this.#capacity}`)
  }

  override set(): ScriptValue {
    throw unmodifiable()
  }

  override add(): boolean {
    throw unmodifiable()
  }

  override replace(): void {
    throw unmodifiable()
  }
}

/** Lucene's rule for the length of an array that is to hold so many. */
function oversize(size: number, placeBytes: number): number {
  if (size === 0) return 0
  const length = size + Math.max(3, size >> 3)
  if (placeBytes === 4) return (length + 1) & ~1
  return placeBytes === 1 ? (length + 7) & ~7 : length
}

function withoutValue(): Error {
  return fault(
    'IllegalStateException',
    "A document doesn't have a value for a field! Use doc[<field>].size()==0 to check if a document is missing a field!",
  )
}

function unmodifiable(): Error {
  return fault('UnsupportedOperationException', 'doc values are unmodifiable')
}
