import type { EngineLog } from '../engine.ts'
import type { EngineVersion } from '../engine-version.ts'
import { parseJavaInteger } from '../java/java-number.ts'
import type { FlatSettings } from '../metadata/index-metadata.ts'
import { type SlowLogLevels, slowLogLevels } from '../metadata/slow-log-levels.ts'
import type { DocumentOperation, WriteResult } from './document-operation.ts'

const LOG = 'index.indexing.slowlog'

/** Of a source no more is told, whatever the settings say. */
const MOST_TOLD = 10_000

/** What the log of slow writes is written for. */
export interface SlowWritesOptions {
  readonly indexName: string
  readonly settings: () => FlatSettings
  readonly engineVersion: EngineVersion
  readonly log: EngineLog
}

/**
 * Tells the log of documents that took longer to write than their index says (`index.indexing.slowlog.*`), without the time that the
 * disk takes. Deletions are not told of, as in the real servers.
 */
export class SlowWrites {
  readonly #o: SlowWritesOptions
  /** What was read of the settings, which others take the place of when they change. */
  #read: FlatSettings | undefined
  #levels: SlowLogLevels = []
  /** When documents began to be written that another thread reads. */
  readonly #begun = new WeakMap<DocumentOperation, number>()

  constructor(options: SlowWritesOptions) {
    this.#o = options
  }

  /** Itself; undefined where nothing is to be told: most indices. */
  watched(): this | undefined {
    const settings = this.#o.settings()
    if (settings !== this.#read) {
      this.#read = settings
      this.#levels = slowLogLevels(settings, LOG, 'index', this.#o.engineVersion)
    }
    return this.#levels.length === 0 ? undefined : this
  }

  /** A write was applied, or is to be again. @param from  and to, as `performance.now()` tells it */
  applied(operation: DocumentOperation, applied: WriteResult | Promise<void>, from: number, to: number): void {
    const since = this.#begun.get(operation) ?? from
    if (applied instanceof Promise) {
      this.#begun.set(operation, since)
      return
    }
    const isWritten = applied.ok && (applied.result === 'created' || applied.result === 'updated')
    const [level] = (isWritten && this.#levels.find(([, ms]) => to - since > ms)) || []
    if (level === undefined || !applied.ok) return
    const { routing } = operation
    const source = this.#sourceOf(operation.kind === 'index' || operation.kind === 'create' ? operation : applied)
    const fields = {
      index: this.#o.indexName,
      tookMillis: Math.round(to - since),
      ...(applied.type === '_doc' ? {} : { type: applied.type }),
      id: applied.id,
      ...(routing === undefined ? {} : { routing }),
      ...(source === undefined ? {} : { source }),
    }
    this.#o.log(level, fields, 'slow write')
  }

  /** As much of a source as is to be told. */
  #sourceOf({ source }: { readonly source?: Buffer }): string | undefined {
    const settings = this.#o.settings()
    const told = String(settings[`${LOG}.source`] ?? '1000')
    const most =
      told === 'true' ? MOST_TOLD : told === 'false' ? 0 : Math.min(Number(parseJavaInteger(told, 32) ?? 0), MOST_TOLD)
    if (most <= 0 || source === undefined) return undefined
    const isReformatted = String(settings[`${LOG}.reformat`] ?? 'true') === 'true'
    const text = source.toString('utf8', 0, MOST_TOLD * 4)
    const shown = isReformatted ? text.replace(/("(?:[^"\\]|\\.)*")|\s+/g, '$1') : text
    // No half of a character.
    return shown
      .slice(0, most)
      .replace(/[\ud800-\udbff]$/, '')
      .trim()
  }
}
