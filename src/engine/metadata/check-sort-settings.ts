import { ServiceError } from '../../errors.ts'
import type { FlatSettings } from './index-metadata.ts'

/**
 * What is said of the fields that an index is sorted by, is said of each.
 *
 * @throws {ServiceError} illegal_argument_exception
 */
export function checkSortSettings(settings: FlatSettings): void {
  const list = (name: string): readonly string[] | undefined => {
    const value = settings[`index.sort.${name}`]
    return typeof value === 'string' ? value.split(',').filter(Boolean) : (value ?? undefined)
  }
  const fields = list('field') ?? []
  for (const name of ['order', 'mode', 'missing']) {
    const said = list(name)
    if (said === undefined || said.length === fields.length) continue
    const told = `index.sort.field:[${fields.join(', ')}] index.sort.${name}:[${said.join(', ')}]`
    throw new ServiceError('illegal_argument_exception', `${told}, size mismatch`)
  }
}
