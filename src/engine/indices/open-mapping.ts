import { join } from 'node:path'
import { createIndexAnalyzers } from '../analysis/create-index-analyzers.ts'
import type { EngineVersion } from '../engine-version.ts'
import { createIndexMapping } from '../mapping/create-index-mapping.ts'
import type { IndexMapping } from '../mapping/index-mapping.ts'
import type { MappingListener } from '../mapping/types/parameter.ts'
import type { FlatSettings, IndexMetadata } from '../metadata/index-metadata.ts'
import { checkStoreType } from '../metadata/store-type.ts'
import { tokenScripts } from '../token-script.ts'

/** Where a mapping is opened. */
export interface MappingPlace {
  readonly dataDir: string
  readonly engineVersion: EngineVersion
  /** True for an index that is there already: it keeps what an earlier build took and this one refuses. */
  readonly isStored?: boolean
  readonly heard?: MappingListener | undefined
}

/**
 * The mapping of an index, with its analyzers; files that these name are looked for in `config` of the data directory.
 *
 * @throws {ServiceError} for settings and mappings that cannot be
 */
export function openMapping(
  { settings, mappings }: { readonly settings: FlatSettings; readonly mappings: IndexMetadata['mappings'] },
  { dataDir, engineVersion, isStored = false, heard }: MappingPlace,
): IndexMapping {
  if (!isStored) checkStoreType(settings)
  const analyzers = createIndexAnalyzers(settings, {
    engineVersion,
    configDir: join(dataDir, 'config'),
    compileTokenScript: tokenScripts(engineVersion),
    isStored,
  })
  return createIndexMapping({ engineVersion, analyzers, settings, mappings, isStored, heard })
}
