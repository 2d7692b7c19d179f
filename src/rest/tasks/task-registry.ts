import type { ExtraStore } from '../../engine/engine.ts'
import type { Json } from '../json/json-writer.ts'
import type { RunningTask, TaskDescription } from './running-task.ts'
import { Task } from './running-task.ts'

/** Where results of tasks that nobody waited for are kept. */
const NAMESPACE = 'task'
/** Results kept; the oldest go first. */
const KEPT_RESULTS = 1_000

/** What a finished task left: `response`, or `error`. */
export interface TaskResult {
  readonly completed: true
  /** What the task read and wrote; not shown. Those of older versions have none. */
  readonly indices?: readonly string[]
  readonly task: Json
  readonly response?: Json
  readonly error?: Json
}

/** Long work by number: what runs, and the results of what ran without anyone waiting. */
export class TaskRegistry {
  readonly #extras: ExtraStore
  readonly #running = new Map<number, Task>()
  /** Known once the first number is asked for. */
  #lastId: number | undefined

  constructor(extras: ExtraStore) {
    this.#extras = extras
  }

  /** A number for work that is over at once. */
  nextId(): number {
    this.#lastId ??= Math.max(0, ...[...this.#extras.names(NAMESPACE)].map(Number))
    return ++this.#lastId
  }

  /** Begins a task; call {@link finish} when it is over. */
  start(description: TaskDescription): RunningTask {
    const task = new Task(this.nextId(), description)
    this.#running.set(task.id, task)
    return task
  }

  /** Ends a task and, where it has a result to keep, keeps it. */
  async finish(task: RunningTask, result?: TaskResult): Promise<void> {
    if (result !== undefined) {
      await this.#extras.put(NAMESPACE, String(task.id), result)
      await this.#forgetOldest()
    }
    this.#running.delete(task.id)
    task.ended()
  }

  /** Tasks at work, oldest first. */
  running(): RunningTask[] {
    return [...this.#running.values()]
  }

  get(id: number): RunningTask | undefined {
    return this.#running.get(id)
  }

  result(id: number): TaskResult | undefined {
    return this.#extras.get(NAMESPACE, String(id)) as TaskResult | undefined
  }

  /** Whether any task left a result. */
  hasResults(): boolean {
    for (const _ of this.#extras.names(NAMESPACE)) return true
    return false
  }

  /** Cancels what runs and waits for its end. */
  async close(): Promise<void> {
    const tasks = this.running()
    for (const task of tasks) task.cancel('the domain stops')
    await Promise.all(tasks.map((task) => task.end))
  }

  async #forgetOldest(): Promise<void> {
    const ids = [...this.#extras.names(NAMESPACE)].map(Number).sort((a, b) => a - b)
    for (const id of ids.slice(0, Math.max(0, ids.length - KEPT_RESULTS)))
      await this.#extras.delete(NAMESPACE, String(id))
  }
}
