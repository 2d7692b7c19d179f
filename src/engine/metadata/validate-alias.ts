import { ServiceError } from '../../errors.ts'
import { illegalArgument } from '../../illegal-argument.ts'
import type { EngineVersion } from '../engine-version.ts'
import type { IndexMetadata } from './index-metadata.ts'
import { nameFault } from './validate-name.ts'

/**
 * Checks an alias: its name, that no index has it, and its routing.
 *
 * @param indices  undefined: the name alone is checked (templates)
 * @throws {ServiceError} invalid_alias_name_exception, illegal_argument_exception
 */
export function validateAlias(
  alias: string,
  indexRouting: string | undefined,
  indices: ReadonlyMap<string, IndexMetadata> | undefined,
  version: EngineVersion,
): void {
  if (alias.trim() === '') throw illegalArgument('alias name is required')
  const fault = nameFault(alias, version)
  if (fault !== undefined) {
    throw new ServiceError('invalid_alias_name_exception', `Invalid alias name [${alias}]: ${fault}`)
  }
  if (indexRouting?.includes(',')) {
    throw illegalArgument(`alias [${alias}] has several index routing values associated with it`)
  }
  const index = indices?.get(alias)
  if (index !== undefined) {
    throw new ServiceError(
      'invalid_alias_name_exception',
      `Invalid alias name [${alias}], an index exists with the same name as the alias`,
      { index: alias, indexUuid: index.uuid },
    )
  }
}

/** @throws {ServiceError} illegal_state_exception where an index would go by its own name as an alias */
export function checkOwnAliases({ name, uuid, aliases }: IndexMetadata, version: EngineVersion): void {
  if (!Object.hasOwn(aliases, name)) return
  const found = `${name} (alias of [${name}/${uuid}])`
  throw new ServiceError(
    'illegal_state_exception',
    version === 'Elasticsearch_6.8'
      ? `index and alias names need to be unique, but the following duplicates were found [${found}]`
      : `index, alias, and data stream names need to be unique, but the following duplicates were found [${found} conflicts with index]`,
  )
}
