import type { DeprecatedUse, UseListener } from '../../engine/script/deprecated-use.ts'
import type { Warnings } from './warnings.ts'

/** Notes once a script what it does that is deprecated. */
export function scriptListener(warnings: Warnings | undefined): { readonly heard?: UseListener } {
  if (warnings === undefined) return NOBODY
  const noted = new Set<DeprecatedUse>()
  const heard = (use: DeprecatedUse): void => {
    if (noted.has(use)) return
    noted.add(use)
    warnings.note(use.name, ...use.words)
  }
  return { heard }
}

const NOBODY = {}
