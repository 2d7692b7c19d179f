import { ServiceError } from '../../errors.ts'
import { illegalArgument } from '../../illegal-argument.ts'
import type { RequestParameters } from '../parameters/request-parameters.ts'
import type { EndpointResponse } from '../rest-request.ts'

/** A page of a `_list` table that is asked for. */
export interface AskedPage {
  readonly size: number
  /** Orders indices by when they were made, then by name, or the other way round. */
  readonly inOrder: (a: Made, b: Made) => number
  /** The index that the last page ended with, and what else its token says; undefined: this is the first. */
  readonly after: (Made & { readonly rest: readonly string[] }) | undefined
}

/** An index, as pages tell it from others. */
interface Made {
  readonly creationDate: number
  readonly name: string
}

/**
 * Reads `size`, `sort` and `next_token`.
 *
 * @param sizes  what `size` may be; the least that there is no word for is 1
 * @param token  what the parts of a token have to look like
 * @throws {ServiceError} illegal_argument_exception, parse_exception
 */
export function askedPage(
  parameters: RequestParameters,
  sizes: { readonly usual: number; readonly least: number; readonly most: number },
  token: RegExp,
): AskedPage {
  const size = parameters.integer('size', sizes.usual)
  if (size <= 0) throw illegalArgument('size must be greater than zero')
  if (size < sizes.least) throw illegalArgument(`size should at least be [${sizes.least}]`)
  if (size > sizes.most) throw illegalArgument(`size should be less than [${sizes.most}]`)
  const sort = parameters.text('sort', 'asc')
  if (sort !== 'asc' && sort !== 'desc') throw illegalArgument('value of sort can either be asc or desc')
  const given = parameters.text('next_token')
  const after = given === undefined ? undefined : Buffer.from(given, 'base64').toString()
  if (after !== undefined && !token.test(after)) {
    const reason = 'Parameter [next_token] has been tainted and is incorrect. Please provide a valid [next_token].'
    throw new ServiceError('parse_exception', reason)
  }
  const inOrder = sort === 'asc' ? inOrderOfMaking : (a: Made, b: Made): number => inOrderOfMaking(b, a)
  if (after === undefined) return { size, inOrder, after }
  const [name = '', creationDate, ...rest] = after.split('|').reverse()
  return { size, inOrder, after: { creationDate: Number(creationDate), name, rest } }
}

/** What the next page is asked for by. */
export const pageToken = (parts: readonly (string | number)[]): string =>
  Buffer.from(parts.join('|')).toString('base64')

/** A table of a page, with what the next one is asked for by. @param name  of the rows */
export function withNextToken(table: EndpointResponse, name: string, token: string | undefined): EndpointResponse {
  if ('text' in table) return { status: table.status, text: `${table.text}next_token ${token ?? 'null'}\n` }
  return { status: table.status, json: { next_token: token ?? null, [name]: table.json } }
}

function inOrderOfMaking(a: Made, b: Made): number {
  return a.creationDate - b.creationDate || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0)
}
