import type { EngineVersion } from '../../engine/engine-version.ts'
import type { DeprecatedUse, UseListener } from '../../engine/search/script/doc-values-list.ts'
import type { Warnings } from './warnings.ts'

/** Notes once a script what it does with documents' values that is deprecated (6.8). */
export function scriptListener(
  engineVersion: EngineVersion,
  warnings: Warnings | undefined,
): { readonly heard?: UseListener } {
  if (engineVersion !== 'Elasticsearch_6.8' || warnings === undefined) return NOBODY
  const noted = new Set<DeprecatedUse>()
  const heard = (use: DeprecatedUse): void => {
    if (noted.has(use)) return
    noted.add(use)
    warnings.note(use)
  }
  return { heard }
}

const NOBODY = {}
