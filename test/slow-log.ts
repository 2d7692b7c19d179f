import type { EngineVersion } from '../src/engine/engine-version.ts'
import { openRest, type Rest } from './open-rest.ts'

/** A line of a domain's log. */
export interface LogLine {
  readonly level: string
  readonly message: string
  readonly fields: Readonly<Record<string, unknown>>
}

/** A domain with an index `slow`, and what it tells of what takes long there. */
export class SlowLog {
  readonly rest: Rest
  readonly #lines: LogLine[]
  readonly #setting: string
  readonly #words: string

  private constructor(rest: Rest, lines: LogLine[], setting: string, words: string) {
    this.rest = rest
    this.#lines = lines
    this.#setting = setting
    this.#words = words
  }

  /** @param setting  what its thresholds are below  @param words  with which its lines begin */
  static async open(version: EngineVersion, setting: string, words: string): Promise<SlowLog> {
    const lines: LogLine[] = []
    const log = (level: string, fields: LogLine['fields'], message: string): void => {
      lines.push({ level, message, fields })
    }
    return new SlowLog(await openRest(version, { log }), lines, setting, words)
  }

  /** What is told while something is asked, with the index' settings so. */
  async told(settings: object, ask: () => Promise<unknown>): Promise<readonly LogLine[]> {
    const { status } = await this.rest.ask('PUT', '/slow/_settings', { [this.#setting]: settings })
    if (status !== 200) throw new Error(`the settings are refused with ${status}`)
    this.#lines.length = 0
    await ask()
    return this.#lines.filter(({ message }) => message.startsWith(this.#words))
  }
}
