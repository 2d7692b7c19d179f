import type { EngineVersion } from '../../engine/engine-version.ts'
import type { IndexSearcher } from '../../engine/index/index-searcher.ts'
import { completionSettings } from '../../engine/suggest/completion-settings.ts'
import { suggestAnalyzer } from '../../engine/suggest/suggest-analyzer.ts'
import { isObject } from '../../is-object.ts'
import type { JsonValue } from '../body/parse-json.ts'
import { textMissing } from './late-faults.ts'

/**
 * Whether suggestions can be made in an index: their fields are looked at before their texts.
 *
 * @throws {ServiceError} illegal_argument_exception
 */
export function checkSuggestions(
  suggest: JsonValue | undefined,
  searcher: IndexSearcher,
  engineVersion: EngineVersion,
): void {
  if (!isObject(suggest)) return
  for (const one of Object.values(suggest)) {
    if (!isObject(one)) continue
    for (const [kind, options] of Object.entries(one)) {
      const field = isObject(options) ? options['field'] : undefined
      if (typeof field !== 'string') continue
      if (kind === 'completion') completionSettings(searcher, field, engineVersion)
      else suggestAnalyzer(searcher, field, undefined, engineVersion)
    }
    if (![suggest, one].some(({ text, prefix, regex }) => (text ?? prefix ?? regex) !== undefined)) throw textMissing()
  }
}
