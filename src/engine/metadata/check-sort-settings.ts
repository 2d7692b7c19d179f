import { ServiceError } from '../../errors.ts'
import type { FlatSettings } from './index-metadata.ts'
import { listedValues } from './listed-values.ts'

/**
 * What is said of the fields that an index is sorted by, is said of each.
 *
 * @throws {ServiceError} illegal_argument_exception
 */
export function checkSortSettings(settings: FlatSettings): void {
  const list = (name: string): readonly string[] | undefined => {
    const value = settings[`index.sort.${name}`]
    return value === undefined || value === null ? undefined : listedValues(value)
  }
  const fields = list('field') ?? []
  for (const name of ['order', 'mode', 'missing']) {
    const said = list(name)
    if (said === undefined || said.length === fields.length) continue
    const told = `index.sort.field:[${fields.join(', ')}] index.sort.${name}:[${said.join(', ')}]`
    throw new ServiceError('illegal_argument_exception', `${told}, size mismatch`)
  }
}
