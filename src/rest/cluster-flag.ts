import { clusterSettingText } from '../engine/metadata/cluster-settings.ts'
import type { RestContext } from './endpoint-handler.ts'

/** A cluster setting in force, as text; '' when it has no value. */
export function clusterSetting(context: RestContext, name: string): string {
  const { persistentSettings, transientSettings, version } = context.engine
  return clusterSettingText(name, persistentSettings, transientSettings, version)
}

/** A cluster setting that is true or false. */
export function clusterFlag(context: RestContext, name: string, fallback: boolean): boolean {
  const text = clusterSetting(context, name)
  return text === '' ? fallback : text === 'true'
}
