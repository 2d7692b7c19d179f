import { ServiceError } from '../../../errors.ts'
import type { KeywordField } from '../field-mapping.ts'
import { JsonNumber } from '../lossless-json.ts'
import { scalarText } from './common-parameters.ts'
import type { FieldType } from './field-type.ts'
import { prefixedText } from './flat-object-path.ts'
import { plainKeyword } from './plain-keyword.ts'

/** A value of the object, and where it stands in it. */
interface FlatValue {
  /** Names on the way to it, those with dots as they are. */
  readonly names: readonly string[]
  readonly text: string
}

/**
 * An object taken whole (OpenSearch's): what is in it is found by path and value as text, and no field is made of it.
 * Three lists of terms are indexed of it: the names in it (under its own path), its values (`_value`), and its values
 * behind their paths (`_valueAndPath`).
 */
export const FLAT_OBJECT: FieldType = {
  name: 'flat_object',
  family: 'flat_object',
  isOpenSearch: true,
  parameters: [],
  build: (scope) => {
    const { path, nestedPath } = scope
    const list = (name: string): KeywordField => ({
      ...plainKeyword(name, nestedPath),
      typeName: 'flat_object',
      isAsLongAsUnique: true,
      flat: { object: path, path, prefix: undefined },
    })
    const names = list(path)
    const values: KeywordField = { ...list(`${path}._value`), docValues: false }
    const paths = list(`${path}._valueAndPath`)
    return {
      field: names,
      parse: (value) => {
        checkObject(path, value)
        return undefined
      },
      subFields: [names, values, paths],
      parseForSubFields: (value, field) => {
        const found = [...flatValues(value, [])]
        if (field === values) return distinct(found.map(({ text }) => text))
        if (field === paths) return distinct(found.map((one) => prefixedText([path, ...one.names].join('.'), one.text)))
        return distinct(
          found.flatMap((one) => one.names.flatMap((name) => name.split('.')).map((name) => `${path}.${name}`)),
        )
      },
    }
  },
}

const distinct = (texts: readonly string[]): string[] => [...new Set(texts)]

function* flatValues(value: unknown, names: readonly string[]): Iterable<FlatValue> {
  if (value === null || value === undefined) return
  if (Array.isArray(value)) for (const one of value) yield* flatValues(one, names)
  else if (typeof value === 'object' && !(value instanceof JsonNumber))
    for (const [name, one] of Object.entries(value)) yield* flatValues(one, [...names, name])
  else yield { names, text: scalarText(value) }
}

function checkObject(path: string, value: unknown): void {
  if (typeof value === 'object' && !(value instanceof JsonNumber)) return
  const token = typeof value === 'string' ? 'STRING' : typeof value === 'boolean' ? 'BOOLEAN' : 'NUMBER'
  throw new ServiceError('parsing_exception', `[${path}] unexpected token [VALUE_${token}] in flat_object field value`)
}
