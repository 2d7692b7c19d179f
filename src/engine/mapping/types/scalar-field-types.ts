import { ServiceError } from '../../../errors.ts'
import { illegalArgument } from '../../../illegal-argument.ts'
import { notABoolean } from '../../../parse-boolean.ts'
import type { BinaryField, BooleanField, IpField } from '../field-mapping.ts'
import { readBase64 } from './base64-text.ts'
import { commonParameters, fieldBase, scalarText } from './common-parameters.ts'
import { type FieldType, parameterValue } from './field-type.ts'
import { parseAddress, withoutZone } from './ip-address.ts'
import { notBooleanToken } from './number-value.ts'
import { booleanParameter, differentValues, readBoolean, readText, refuseNull } from './parameter.ts'

/** true and false, kept as 1 and 0. */
export const BOOLEAN: FieldType = {
  name: 'boolean',
  family: 'boolean',
  parameters: [
    ...commonParameters({ docValues: true, isTerm: true }),
    {
      name: 'null_value',
      fallback: undefined,
      read: (value, scope) => {
        refuseNull(value, 'null_value')
        return readBoolean(value, `${scope.name}.null_value`, scope)
      },
    },
  ],
  build: (scope) => {
    const nullValue = parameterValue(BOOLEAN, scope.definition, 'null_value')
    const field: BooleanField = {
      kind: 'boolean',
      nullValue: nullValue === undefined ? undefined : Number(nullValue),
      ...fieldBase(BOOLEAN, scope),
    }
    // What is kept nowhere is not even looked at.
    const isKept = field.index || field.docValues || field.store
    return { field, parse: (value) => (isKept || typeof value === 'object' ? booleanValue(value) : undefined) }
  },
}

function booleanValue(value: unknown): number {
  if (value === true || value === 'true') return 1
  if (value === false || value === 'false' || value === '') return 0
  if (typeof value === 'string') {
    throw notABoolean(value)
  }
  throw notBooleanToken(value)
}

/** IPv4 and IPv6 addresses. */
export const IP: FieldType = {
  name: 'ip',
  family: 'ip',
  parameters: [
    ...commonParameters({ docValues: true }),
    {
      name: 'null_value',
      fallback: undefined,
      read: (value, { engineVersion }) => {
        refuseNull(value, 'null_value')
        const text = readText(value)
        // Later versions keep what is none, and take it for nothing.
        if (engineVersion === 'Elasticsearch_6.8') parseAddress(text)
        return text
      },
    },
    booleanParameter('ignore_malformed', false, { explicit: true }),
  ],
  build: (scope) => {
    const nullValue = parameterValue(IP, scope.definition, 'null_value')
    const field: IpField = {
      kind: 'ip',
      nullValue: typeof nullValue === 'string' ? addressOf(nullValue) : undefined,
      ignoreMalformed:
        (scope.definition.parameters.get('ignore_malformed') as boolean | undefined) ??
        scope.settings['index.mapping.ignore_malformed'] === 'true',
      ...fieldBase(IP, scope),
    }
    const takesZones = scope.engineVersion !== 'Elasticsearch_6.8'
    return { field, parse: (value) => parseAddress(takesZones ? withoutZone(scalarText(value)) : scalarText(value)) }
  },
}

function addressOf(text: string): ReturnType<typeof parseAddress> | undefined {
  try {
    return parseAddress(text)
  } catch (error) {
    if (error instanceof ServiceError) return undefined
    throw error
  }
}

/** Bytes in Base64; kept, never indexed. */
export const BINARY: FieldType = {
  name: 'binary',
  family: 'binary',
  parameters: commonParameters({ docValues: false, noIndex: true }).map((parameter) =>
    parameter.name === 'index'
      ? {
          ...parameter,
          fallback: false,
          read: (value, scope) => {
            if (!readBoolean(value, `${scope.name}.index`, scope)) return false
            throw illegalArgument(
              `mapper [${scope.name}] has different [index] values from other types of the same index`,
            )
          },
        }
      : parameter.name === 'doc_values'
        ? { ...parameter, conflict: differentValues('doc_values') }
        : parameter,
  ),
  build: (scope) => {
    const field: BinaryField = { ...fieldBase(BINARY, scope), kind: 'binary', nullValue: undefined, index: false }
    const isKept = field.docValues || field.store
    return {
      field,
      // Base64 is read only where the bytes are kept.
      parse: (value) => (isKept ? readBase64(value, scope.engineVersion) : undefined),
    }
  },
}
