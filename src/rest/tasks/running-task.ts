import type { Json } from '../json/json-writer.ts'

/** What a task is, to those who look at it. */
export interface TaskDescription {
  /** `indices:data/write/reindex`. */
  readonly action: string
  /** `reindex from [a] to [b]`. */
  readonly description: string
  /** What it reads and writes: it is told of to those who may see these. */
  readonly indices: readonly string[]
  /** What the caller calls it. */
  readonly opaqueId: string | undefined
  /** How far it is, where that is told. */
  readonly status?: () => Json
  /** Called once when it is to stop before its end; without it, it goes on to its end. */
  readonly onCancel?: () => void
  /** Changes how fast it goes, in documents a second. */
  readonly rethrottle?: (requestsPerSecond: number) => void
}

/** Work under way. */
export interface RunningTask extends Omit<TaskDescription, 'onCancel'> {
  readonly id: number
  readonly isCancellable: boolean
  /** Milliseconds since 1970. */
  readonly startedAt: number
  /** Why it is to stop; undefined: it is not. */
  readonly cancelled: string | undefined
  cancel(reason: string): void
  runningTimeNanos(): number
  /** Settles when it is over. */
  readonly end: Promise<void>
  /** Says that it is over. */
  ended(): void
}

/** {@link RunningTask} by the clock. */
export class Task implements RunningTask {
  readonly id: number
  readonly action: string
  readonly description: string
  readonly indices: readonly string[]
  readonly opaqueId: string | undefined
  readonly isCancellable: boolean
  readonly status?: () => Json
  readonly rethrottle?: (requestsPerSecond: number) => void
  readonly startedAt = Date.now()
  readonly end: Promise<void>
  readonly #onCancel: (() => void) | undefined
  readonly #since = performance.now()
  #cancelled: string | undefined
  #ended: () => void = () => {}

  constructor(id: number, description: TaskDescription) {
    this.id = id
    this.action = description.action
    this.description = description.description
    this.indices = description.indices
    this.opaqueId = description.opaqueId
    if (description.status !== undefined) this.status = description.status
    if (description.rethrottle !== undefined) this.rethrottle = description.rethrottle
    this.isCancellable = description.onCancel !== undefined
    this.#onCancel = description.onCancel
    this.end = new Promise((resolve) => {
      this.#ended = resolve
    })
  }

  get cancelled(): string | undefined {
    return this.#cancelled
  }

  cancel(reason: string): void {
    if (this.#cancelled !== undefined || !this.isCancellable) return
    this.#cancelled = reason
    this.#onCancel?.()
  }

  runningTimeNanos(): number {
    return Math.round((performance.now() - this.#since) * 1e6)
  }

  ended(): void {
    this.#ended()
  }
}
