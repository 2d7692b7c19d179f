import { fault } from '../script-fault.ts'
import type { ScriptRun } from '../script-run.ts'
import { ScriptObject } from '../values/script-object.ts'
import type { ScriptValue } from '../values/script-value.ts'

/** What a stream's members are: objects, or numbers of one type (which are boxed here all the same). */
export type StreamKind = 'object' | 'int' | 'long' | 'double'

const CLASSES: Readonly<Record<StreamKind, string>> = {
  object: 'java.util.stream.ReferencePipeline',
  int: 'java.util.stream.IntPipeline',
  long: 'java.util.stream.LongPipeline',
  double: 'java.util.stream.DoublePipeline',
}

/** Java's streams: gone through once, member by member. */
export class ScriptStream extends ScriptObject {
  readonly kind: StreamKind
  readonly run: ScriptRun
  readonly #values: Iterable<ScriptValue>
  #isUsed = false

  constructor(kind: StreamKind, values: Iterable<ScriptValue>, run: ScriptRun) {
    super()
    this.kind = kind
    this.#values = values
    this.run = run
  }

  get className(): string {
    return CLASSES[this.kind]
  }

  /** The members, once; each counts as a turn of a loop. @throws {ScriptFault} illegal_state_exception the second time */
  *values(): IterableIterator<ScriptValue> {
    this.use()
    for (const value of this.#values) {
      this.run.step()
      yield value
    }
  }

  /** Notes that it is gone through. @throws {ScriptFault} illegal_state_exception when it was before */
  use(): void {
    if (this.#isUsed) throw fault('IllegalStateException', 'stream has already been operated upon or closed')
    this.#isUsed = true
  }

  /** All members as a list. */
  all(): ScriptValue[] {
    const all = [...this.values()]
    this.run.allocate(all.length * 8)
    return all
  }

  /** A stream of what is made of this one's members. */
  map(
    make: (values: IterableIterator<ScriptValue>) => Iterable<ScriptValue>,
    kind: StreamKind = this.kind,
  ): ScriptStream {
    const values = this.values()
    return new ScriptStream(kind, make(values), this.run)
  }
}
