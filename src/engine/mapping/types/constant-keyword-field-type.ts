import { ServiceError } from '../../../errors.ts'
import { illegalArgument } from '../../../illegal-argument.ts'
import type { KeywordField } from '../field-mapping.ts'
import { scalarText } from './common-parameters.ts'
import type { FieldType } from './field-type.ts'
import { differentValues } from './parameter.ts'
import { plainKeyword } from './plain-keyword.ts'

/**
 * One value that all documents of an index have, whether they say so or not (OpenSearch's): nothing is indexed of it, and
 * queries know by the mapping alone whether they find all documents or none.
 */
export const CONSTANT_KEYWORD: FieldType = {
  name: 'constant_keyword',
  family: 'constant_keyword',
  isOpenSearch: true,
  parameters: [
    {
      name: 'value',
      fallback: undefined,
      conflict: differentValues('value'),
      read: (value, scope) => {
        if (typeof value === 'string') return value
        throw new ServiceError('parse_exception', `Field [${scope.name}] is expected to be a string value`)
      },
    },
  ],
  check: (parameters, scope) => {
    if (parameters.has('value')) return
    throw new ServiceError('parse_exception', `Field [${scope.name}] is missing required parameter [value]`)
  },
  build: ({ path, nestedPath, definition }) => {
    const constant = definition.parameters.get('value') as string
    const field: KeywordField = {
      ...plainKeyword(path, nestedPath),
      typeName: 'constant_keyword',
      constant,
      similarity: 'boolean',
    }
    return {
      field,
      refusesNull: true,
      parse: (json) => {
        if (json === null) throw illegalArgument(`constant keyword field [${path}] must have a value`)
        if (scalarText(json) !== constant)
          throw illegalArgument(`constant keyword field [${path}] must have a value of [${constant}]`)
        return undefined
      },
    }
  },
}
