import type { ServiceError } from '../../errors.ts'
import { isObject } from '../../is-object.ts'
import { parsingException } from '../parsing-exception.ts'

/** What a parser comes upon in a list of clauses, one by one, and where. */
interface Token {
  readonly kind: 'clause' | 'start' | 'end' | 'value' | 'null'
  readonly list: readonly unknown[]
  /** Undefined: the list's end. */
  readonly at: number | undefined
}

/**
 * The clauses of a `bool` of 6.8 whose list holds lists: its parser takes a list's beginning for something that stands before
 * a clause, and its end for the end of all, behind which clauses may follow still.
 *
 * @param key  the member that has the list
 * @throws {ServiceError} parsing_exception
 */
export function clausesInLists(list: readonly unknown[], key: string): { readonly [name: string]: unknown }[] {
  const clauses: { readonly [name: string]: unknown }[] = []
  const tokens = [...tokensOf(list)]
  let isInList = true
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i] as Token
    if (token.kind === 'clause') clauses.push(clauseOf(token))
    else if (token.kind === 'end') isInList = false
    else if (isInList) {
      const next = tokens[++i] as Token
      if (next.kind !== 'clause') throw faultAt(next, '[_na] query malformed, must start with start_object')
      clauses.push(clauseOf(next))
    } else if (token.kind === 'start') isInList = true
    else if (token.kind === 'value') throw faultAt(token, `[bool] query does not support [${key}]`)
  }
  return clauses
}

const clauseOf = ({ list, at }: Token): { readonly [name: string]: unknown } =>
  list[at as number] as { readonly [name: string]: unknown }

const faultAt = ({ list, at }: Token, reason: string): ServiceError =>
  at === undefined ? parsingException(reason).at(list, undefined, 'end') : parsingException(reason).at(list, at)

function* tokensOf(list: readonly unknown[]): IterableIterator<Token> {
  for (const [at, item] of list.entries()) {
    if (Array.isArray(item)) {
      yield { kind: 'start', list, at }
      yield* tokensOf(item)
    } else yield { kind: isObject(item) ? 'clause' : item === null ? 'null' : 'value', list, at }
  }
  yield { kind: 'end', list, at: undefined }
}
