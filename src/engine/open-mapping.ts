import { join } from 'node:path'
import { createIndexAnalyzers } from './analysis/create-index-analyzers.ts'
import type { EngineVersion } from './engine-version.ts'
import { createIndexMapping } from './mapping/create-index-mapping.ts'
import type { IndexMapping } from './mapping/index-mapping.ts'
import type { FlatSettings, IndexMetadata } from './metadata/index-metadata.ts'

/**
 * The mapping of an index, with its analyzers; files that these name are looked for in `config` of the data directory.
 *
 * @throws {ServiceError} for settings and mappings that cannot be
 */
export function openMapping(
  { settings, mappings }: { readonly settings: FlatSettings; readonly mappings: IndexMetadata['mappings'] },
  { dataDir, engineVersion }: { readonly dataDir: string; readonly engineVersion: EngineVersion },
): IndexMapping {
  const analyzers = createIndexAnalyzers(settings, { engineVersion, configDir: join(dataDir, 'config') })
  return createIndexMapping({ engineVersion, analyzers, settings, mappings })
}
