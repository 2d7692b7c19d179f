import type { QueryValue } from '../../engine/search/queries/query.ts'
import { type Place, ServiceError } from '../../errors.ts'
import { isObject } from '../../is-object.ts'
import { tokenName } from '../../token-name.ts'
import { writtenNumbers } from './written-number.ts'

/** A token of JSON as the real parsers see it: what it is, and its text or value. */
interface Token {
  readonly kind: 'value' | 'name' | 'VALUE_NULL' | 'START_OBJECT' | 'END_OBJECT' | 'START_ARRAY' | 'END_ARRAY'
  readonly value: QueryValue
  readonly place: Place
}

/**
 * The terms of a list, which the real servers read token by token: what is no value stands for its text, and the first end of
 * a list ends the list of terms, too. What comes behind it is read as members of the query.
 *
 * @param field  the member that the list is the value of
 * @throws {ServiceError} parsing_exception
 */
export function listedTerms(values: readonly unknown[], field: string): QueryValue[] {
  if (values.every((value) => value !== null && typeof value !== 'object'))
    return writtenNumbers(values) as QueryValue[]
  const tokens = [...itemsOf(values), endOf(values)]
  const end = tokens.findIndex(({ kind }) => kind === 'END_ARRAY')
  const terms = tokens.slice(0, end).map(({ kind, value, place }) => {
    if (kind === 'VALUE_NULL') throw failure('No value specified for terms query', place)
    return value
  })
  if (end < tokens.length - 1) readMembers(tokens.slice(end + 1), field)
  return terms
}

const placeOf = (container: object, key: Place['key'], token: Place['token'] = 'start'): Place => {
  return { container, key, token }
}

const endOf = (list: object): Token => ({ kind: 'END_ARRAY', value: ']', place: placeOf(list, undefined, 'end') })

function* itemsOf(list: readonly unknown[]): Iterable<Token> {
  for (const [i, item] of list.entries()) yield* tokensOf(item, placeOf(list, i))
}

function* tokensOf(value: unknown, place: Place): Iterable<Token> {
  if (value === null || value === undefined) yield { kind: 'VALUE_NULL', value: '', place }
  else if (Array.isArray(value)) {
    yield { kind: 'START_ARRAY', value: '[', place }
    yield* itemsOf(value)
    yield endOf(value)
  } else if (isObject(value)) {
    yield { kind: 'START_OBJECT', value: '{', place }
    for (const [name, member] of Object.entries(value)) {
      yield { kind: 'name', value: name, place: placeOf(value, name, 'name') }
      yield* tokensOf(member, placeOf(value, name))
    }
    yield { kind: 'END_OBJECT', value: '}', place: placeOf(value, undefined, 'end') }
  } else yield { kind: 'value', value: value as QueryValue, place }
}

/** Finds the fault with what is left of a list. @throws {ServiceError} parsing_exception, always */
function readMembers(tokens: readonly Token[], field: string): never {
  let name = field
  for (const [i, { kind, value, place }] of tokens.entries()) {
    switch (kind) {
      case 'name':
        name = String(value)
        break
      case 'value':
        if (name !== 'boost' && name !== '_name') throw failure(`[terms] query does not support [${name}]`, place)
        break
      case 'START_ARRAY':
        throw failure('[terms] query does not support multiple fields', place)
      case 'START_OBJECT':
        throw failure(
          `[terms] query does not support more than one field. Already got: [${field}] but also found [${name}]`,
          place,
        )
      case 'END_OBJECT':
        throw failure(
          `[terms] malformed query, expected [END_OBJECT] but found [${tokenText(tokens[i + 1])}]`,
          tokens[i + 1]?.place,
        )
      case 'END_ARRAY':
      case 'VALUE_NULL':
        throw failure(`[terms] unknown token [${kind}] after [${name}]`, place)
    }
  }
  throw failure(`[terms] unknown token [END_OBJECT] after [${name}]`)
}

function tokenText(token: Token | undefined): string {
  if (token === undefined) return 'END_OBJECT'
  if (token.kind === 'name') return 'FIELD_NAME'
  return token.kind === 'value' ? tokenName(token.value) : token.kind
}

const failure = (reason: string, place?: Place): ServiceError =>
  new ServiceError('parsing_exception', reason, { place })
