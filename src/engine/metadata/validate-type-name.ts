import { ServiceError } from '../../errors.ts'
import { illegalArgument } from '../../illegal-argument.ts'
import { DEFAULT_TYPE } from '../mapping/merge-defaults.ts'

const MAX_LENGTH = 255

/**
 * Checks a type's name.
 *
 * @param isPutMapping  put mapping words the fault of a leading underscore its own way
 * @throws {ServiceError} invalid_type_name_exception, illegal_argument_exception
 */
export function validateTypeName(type: string, isPutMapping = false): void {
  const invalid = (reason: string): ServiceError => new ServiceError('invalid_type_name_exception', reason)
  if (isPutMapping && type.startsWith('_') && type !== '_doc' && type !== DEFAULT_TYPE) {
    throw invalid(`Document mapping type name can't start with '_', found: [${type}]`)
  }
  if (type === '') throw invalid('mapping type name is empty')
  if (type.length > MAX_LENGTH) {
    throw invalid(`mapping type name [${type}] is too long; limit is length ${MAX_LENGTH} but was [${type.length}]`)
  }
  if (type.startsWith('_') && type !== '_doc' && type !== DEFAULT_TYPE) {
    throw invalid(`mapping type name [${type}] can't start with '_' unless it is called [_doc]`)
  }
  if (type.includes('#')) throw invalid(`mapping type name [${type}] should not include '#' in it`)
  if (type.includes(',')) throw invalid(`mapping type name [${type}] should not include ',' in it`)
  if (type.startsWith('.')) {
    throw illegalArgument(`mapping type name [${type}] must not start with a '.'`)
  }
}
