import { illegalArgument } from '../../illegal-argument.ts'
import { durationText } from '../duration-text.ts'
import type { EngineVersion } from '../engine-version.ts'
import { type ClusterSettings, setClusterSetting } from './cluster-settings.ts'
import type { FlatSettings } from './index-metadata.ts'
import { indexSettingMs } from './index-settings.ts'
import { parseTimeMs } from './time-value.ts'

const OWN = 'index.refresh_interval'
/** How often indices are refreshed whose own settings do not say. */
export const USUAL_REFRESH_INTERVAL = 'cluster.default.index.refresh_interval'
const LEAST = 'cluster.minimum.index.refresh_interval'

/** How often an index is refreshed by itself, in ms: as its settings say, or the cluster's; below 0 for «never». */
export function refreshIntervalMs(settings: FlatSettings, cluster: ClusterSettings, version: EngineVersion): number {
  const usual = settings[OWN] == null ? setClusterSetting(USUAL_REFRESH_INTERVAL, cluster) : undefined
  return usual === undefined ? indexSettingMs(settings, OWN, version) : parseTimeMs(usual, USUAL_REFRESH_INTERVAL)
}

/**
 * Refuses an interval of an index or a template that is shorter than the cluster's settings allow.
 *
 * @throws {ServiceError} illegal_argument_exception
 */
export function checkRefreshInterval(settings: FlatSettings, cluster: ClusterSettings): void {
  const asked = settings[OWN]
  const least = setClusterSetting(LEAST, cluster)
  if (typeof asked !== 'string' || least === undefined) return
  const ms = parseTimeMs(asked, OWN)
  const leastMs = parseTimeMs(least, LEAST)
  if (ms === -1 || ms >= leastMs) return
  throw illegalArgument(
    `invalid ${OWN} [${durationText(ms)}]: cannot be smaller than ${LEAST} [${durationText(leastMs)}]`,
  )
}
