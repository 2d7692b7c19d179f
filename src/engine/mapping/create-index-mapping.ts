import { ServiceError } from '../../errors.ts'
import type { IndexAnalyzers } from '../analysis/index-analyzers.ts'
import type { EngineVersion } from '../engine-version.ts'
import { checkFieldCount } from './check-mapping.ts'
import type { IndexMapping } from './index-mapping.ts'
import type { RootDefinition } from './mapping-definition.ts'
import { mapperParsing } from './mapping-errors.ts'
import { readMapping } from './read-mapping.ts'
import { checkSimilarities } from './similarity.ts'
import { TypedIndexMapping } from './typed-index-mapping.ts'
import type { MappingListener, MappingSettings } from './types/parameter.ts'

/** What the mappings of an index are made of. */
export interface IndexMappingOptions {
  readonly engineVersion: EngineVersion
  readonly analyzers: IndexAnalyzers
  /** Flat index settings (`index.mapping.…`, `index.similarity.…` are read). */
  readonly settings: MappingSettings
  /** Mapping JSON by type. */
  readonly mappings: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  /** For messages; `index.provided_name` when absent. */
  readonly indexName?: string
  /** True for an index that is there already: it keeps what a new one may not have, more fields among it. */
  readonly isStored?: boolean
  readonly heard?: MappingListener | undefined
}

/**
 * Makes the mappings of a new or reopened index.
 *
 * @throws {ServiceError} mapper_parsing_exception «Failed to parse mapping [type]: …», illegal_argument_exception
 */
export function createIndexMapping(options: IndexMappingOptions): IndexMapping {
  const { engineVersion, analyzers, settings, isStored = false } = options
  const scope = { engineVersion, analyzers, settings }
  checkSimilarities(scope)
  const indexName = options.indexName ?? String(settings['index.provided_name'] ?? '')
  let mapping = TypedIndexMapping.empty(scope, indexName)
  for (const [type, body] of Object.entries(options.mappings)) {
    if (!isStored) checkFieldCount(body[type] ?? body, scope, indexName)
    let definition: RootDefinition
    try {
      definition = readMapping(type, body, { ...scope, isStored, heard: options.heard })
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      throw mapperParsing(`Failed to parse mapping [${type}]: ${error.reason}`, error)
    }
    mapping = mapping.mergeDefinition(type, definition, isStored, true)
  }
  return mapping
}
