import type { EngineVersion } from '../engine-version.ts'
import type { FlatSettings } from './index-metadata.ts'
import { indexSettingMs } from './index-settings.ts'

const LEVELS = ['warn', 'info', 'debug', 'trace'] as const

/** From how many milliseconds on the log is told of something, at which of its own levels: the most serious one first. */
export type SlowLogLevels = readonly (readonly [level: 'warn' | 'info' | 'debug', ms: number])[]

/**
 * The thresholds that an index sets for one of its slow logs.
 *
 * @param log   `index.search.slowlog`, `index.indexing.slowlog`
 * @param what  `query`, `fetch`, `index`
 */
export function slowLogLevels(
  settings: FlatSettings,
  log: string,
  what: string,
  version: EngineVersion,
): SlowLogLevels {
  const least = String(settings[`${log}.level`] ?? 'trace').toLowerCase()
  return LEVELS.slice(0, (LEVELS as readonly string[]).indexOf(least) + 1)
    .map((level) => {
      const ms = indexSettingMs(settings, `${log}.threshold.${what}.${level}`, version)
      return [level === 'trace' ? 'debug' : level, ms] as const
    })
    .filter(([, ms]) => ms >= 0)
}
