import { illegalArgument } from '../../illegal-argument.ts'
import { isObject } from '../../is-object.ts'
import type { JsonValue } from '../body/parse-json.ts'
import { unknownKey } from '../body/unknown-key.ts'
import { type ConstructingShape, constructFrom, type ParserDialect } from '../query-dsl/constructing-parser.ts'

/** `slice` of a search. */
export interface AskedSlice {
  readonly id: number
  readonly max: number
  readonly field: string
}

/** What is not said; numbers that stay so find what they would in the real server. */
const DEFAULT: AskedSlice = { id: -1, max: -1, field: '_id' }

const SHAPE: ConstructingShape<AskedSlice> = {
  name: 'slice',
  fields: {
    field: { kind: 'text', check: ({ field }) => expect(field !== '', 'field name is null or empty') },
    id: {
      kind: 'integer',
      check({ id, max }) {
        expect((id as number) >= 0, 'id must be greater than or equal to 0')
        expectOrder(id, max)
      },
    },
    max: {
      kind: 'integer',
      check({ id, max }) {
        expect((max as number) > 1, 'max must be greater than 1')
        expectOrder(id, max)
      },
    },
  },
  build: (members) => ({ ...DEFAULT, ...members }),
}

/** @throws {ServiceError} parsing_exception, x_content_parse_exception */
export function parseSlice(json: JsonValue | undefined, dialect: ParserDialect): AskedSlice | undefined {
  if (json === undefined) return undefined
  if (!isObject(json)) throw unknownKey('slice', json)
  return constructFrom(SHAPE, json, dialect)
}

function expectOrder(id: unknown, max: unknown): void {
  expect(id === undefined || max === undefined || (max as number) > (id as number), 'max must be greater than id')
}

function expect(isSo: boolean, reason: string): void {
  if (!isSo) throw illegalArgument(reason)
}
