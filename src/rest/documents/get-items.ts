import type { Long } from '../../engine/algorithms/long.ts'
import { notBooleanToken } from '../../engine/mapping/types/number-value.ts'
import { ServiceError } from '../../errors.ts'
import { illegalArgument } from '../../illegal-argument.ts'
import { isObject } from '../../is-object.ts'
import { tokenName } from '../../token-name.ts'
import type { JsonValue } from '../body/parse-json.ts'
import { readLong } from '../body/read-long.ts'
import { noText } from '../body/token-text.ts'
import type { RestContext } from '../endpoint-handler.ts'
import { parsingException } from '../parsing-exception.ts'
import type { EndpointRequest } from '../rest-request.ts'
import { saysNothing, versionTypeOf } from './document-parameters.ts'
import { OLDER_NAMES } from './older-names.ts'
import { type SourceFilter, sourceFilterOf, WHOLE_SOURCE } from './source-filter.ts'

/** One document asked for. */
export interface GetItem {
  readonly index: string | undefined
  readonly type: string | undefined
  readonly id: string | undefined
  readonly routing: string | undefined
  /** The only one that is wanted. */
  readonly version: Long | undefined
  readonly source: SourceFilter | undefined
  readonly storedFields: readonly string[] | undefined
}

/** The members of an entry of `docs` as they are read; the last of a name counts. */
type ReadItem = { -readonly [name in keyof GetItem]: GetItem[name] }

/** What `_mget` asks for, one after the other. @throws {ServiceError} where an entry cannot be read */
export function* readGetItems(
  request: EndpointRequest,
  body: { readonly [name: string]: JsonValue },
  context: RestContext,
): Generator<GetItem, void> {
  const { index, type } = request.path
  const defaults: GetItem = {
    index,
    type,
    id: undefined,
    routing: request.parameters.text('routing'),
    version: undefined,
    source: sourceFilterOf(request.parameters),
    storedFields: request.parameters.list('stored_fields'),
  }
  for (const [name, value] of Object.entries(body)) {
    if (name === 'docs' && Array.isArray(value)) {
      for (const entry of value) yield new ItemReader(defaults, request, context).read(entry)
    } else if (name === 'ids' && Array.isArray(value)) {
      for (const entry of value) {
        if (entry === null || typeof entry === 'object')
          throw illegalArgument('ids array element should only contain ids')
        yield { ...defaults, id: String(entry) }
      }
    } else {
      throw parsingException(
        Array.isArray(value)
          ? `unknown key [${name}] for a START_ARRAY, expected [docs] or [ids]`
          : `unexpected token [${tokenName(value)}], expected [FIELD_NAME] or [START_ARRAY]`,
      )
    }
  }
}

const noEntry = (): ServiceError => illegalArgument('docs array element should include an object')

/**
 * Reads an entry of `docs` token by token, as the real parser does: an array where none is expected stands for each of
 * its values, and an object there for members of the entry, which its end ends.
 */
class ItemReader {
  readonly #item: ReadItem
  readonly #request: EndpointRequest
  readonly #context: RestContext

  constructor(defaults: GetItem, request: EndpointRequest, context: RestContext) {
    this.#item = { ...defaults }
    this.#request = request
    this.#context = context
  }

  /** @throws {ServiceError} */
  read(entry: JsonValue): GetItem {
    if (!isObject(entry)) throw noEntry()
    for (const [name, value] of Object.entries(entry)) this.#readMember(name, value)
    return this.#item
  }

  #readMember(name: string, value: JsonValue): void {
    // As the real parser passes over it, whatever the member is called.
    if (value === null) return
    if (name === 'fields' && !isObject(value))
      throw parsingException('Unsupported field [fields] used, expected [stored_fields] instead')
    if (name === 'stored_fields' && Array.isArray(value)) this.#item.storedFields = textsIn(value)
    else if (name === '_source' && typeof value === 'object') this.#item.source = partsAsked(value)
    else if (Array.isArray(value)) for (const element of value) this.#readMember(name, element)
    else if (isObject(value)) {
      this.read(value)
      // What follows the end of the entry is to be another.
      throw noEntry()
    } else this.#readValue(this.#nameOf(name), value)
  }

  /** A member's name as it is written today. */
  #nameOf(name: string): string {
    const { dialect, warnings } = this.#request
    const today = dialect.typed ? OLDER_NAMES.get(name) : undefined
    if (today === undefined) return name
    if (name !== today) warnings.note('older_member', name, today)
    return today
  }

  #readValue(name: string, value: boolean | number | bigint | string): void {
    const item = this.#item
    const text = String(value)
    switch (name) {
      case '_index':
        if (!this.#context.allowExplicitIndex) throw illegalArgument('explicit index in multi get is not allowed')
        item.index = text
        break
      case '_id':
        item.id = text
        break
      case 'routing':
        item.routing = text
        break
      case 'stored_fields':
        item.storedFields = [text]
        break
      case 'version': {
        const version = readLong(value)
        item.version = saysNothing(version) ? undefined : version
        break
      }
      case 'version_type':
        versionTypeOf(text)
        break
      case '_source':
        item.source = this.#sourceOf(value)
        break
      default:
        if (name === '_type' && this.#request.dialect.showsType) {
          this.#request.warnings.note('typed_mget')
          item.type = text
        } else if (name !== 'parent' || !this.#request.dialect.typed) {
          throw new ServiceError('parse_exception', `failed to parse multi get request. unknown field [${name}]`)
        }
    }
  }

  #sourceOf(value: boolean | number | bigint | string): SourceFilter {
    if (typeof value === 'boolean') return { ...WHOLE_SOURCE, enabled: value }
    if (typeof value === 'string') return { ...WHOLE_SOURCE, includes: [value] }
    if (this.#request.dialect.typed) throw notBooleanToken(value)
    throw new ServiceError('parse_exception', 'illegal type for _source: [VALUE_NUMBER]')
  }
}

/** `_source` as a list of paths, or as those to show and those not to. @throws {ServiceError} */
function partsAsked(value: { readonly [name: string]: JsonValue } | readonly JsonValue[]): SourceFilter {
  if (!isObject(value)) return { ...WHOLE_SOURCE, includes: textsIn(value as readonly JsonValue[]) }
  const includes: string[] = []
  const excludes: string[] = []
  for (const [name, paths] of Object.entries(value)) {
    const into = /^includes?$/.test(name) ? includes : /^excludes?$/.test(name) ? excludes : undefined
    // The name is asked for as if it was a value.
    if (into === undefined)
      throw new ServiceError('illegal_state_exception', "Can't get text on a FIELD_NAME").at(value, name, 'name')
    if (paths === null || isObject(paths))
      throw new ServiceError('parse_exception', 'unexpected token while parsing source settings')
    into.push(...(Array.isArray(paths) ? textsIn(paths) : [String(paths)]))
  }
  return { enabled: true, includes, excludes }
}

/** @throws {ServiceError} illegal_state_exception */
function textsIn(values: readonly JsonValue[]): string[] {
  return values.map((value, i) => {
    if (value === null || typeof value === 'object') throw noText(value).at(values, i)
    return String(value)
  })
}
