import type { NestedSort } from '../../engine/search/search-request.ts'
import { ServiceError } from '../../errors.ts'
import { illegalArgument } from '../../illegal-argument.ts'
import { isObject } from '../../is-object.ts'
import { inField, parseFault } from '../../parse-fault.ts'
import { tokenName } from '../../token-name.ts'
import type { JsonValue } from '../body/parse-json.ts'
import { readInt } from '../body/read-int.ts'
import { tokenText } from '../body/token-text.ts'
import { parseFilter } from '../query-dsl/parse-query.ts'
import type { QueryContext } from '../query-dsl/query-reader.ts'

/**
 * `nested` of a sort, or `nested_path` and `nested_filter`, its form of before 6.1.
 *
 * @param parser  what complains of a member that cannot be read; nothing does around `_geo_distance`
 * @throws {ServiceError} x_content_parse_exception, illegal_argument_exception, parsing_exception
 */
export function nestedSort(
  parser: 'field_sort' | '_script' | undefined,
  options: { readonly [name: string]: JsonValue },
  queries: QueryContext,
): NestedSort | undefined {
  const given = Object.keys(options).filter((name) => FORMS.has(name))
  const last = given.at(-1)
  if (last === undefined) return undefined
  const { nested, nested_path: path, nested_filter: filter } = options
  for (const name of given) {
    if (parser !== undefined) checkToken(parser, name, options[name])
    if (name === 'nested_path' || name === 'nested_filter') queries.warnings?.note(`${KINDS[parser ?? 'geo']}_${name}`)
  }
  const read = <T>(name: string, make: () => T): T => (parser === undefined ? make() : inField(parser, name, make))
  if (nested !== undefined) {
    if (given.length === 1) return read('nested', () => readNested(nested, queries))
    return read(last, () => {
      throw illegalArgument('Setting both nested_path/nested_filter and nested not allowed')
    })
  }
  return {
    path: path === undefined ? undefined : String(path),
    maxChildren: Number.MAX_SAFE_INTEGER,
    ...(filter === undefined
      ? {}
      : {
          filter: read('nested_filter', () =>
            parser === undefined ? parseFilter(filter, queries) : readFilter(filter, queries),
          ),
        }),
  }
}

const FORMS: ReadonlySet<string> = new Set(['nested', 'nested_path', 'nested_filter'])

/** Whose deprecations are noted. */
const KINDS = { field_sort: 'field', _script: 'script', geo: 'distance' } as const

function checkToken(parser: string, name: string, value: JsonValue | undefined): void {
  if (name === 'nested_path' ? typeof value === 'string' : isObject(value)) return
  throw parseFault(`[${parser}] ${name} doesn't support values of type: ${tokenName(value)}`)
}

function readNested(json: JsonValue, queries: QueryContext): NestedSort {
  if (!isObject(json)) throw illegalArgument('malformed nested sort format, must start with an object')
  const read: { -readonly [member in keyof NestedSort]: NestedSort[member] } = {
    path: undefined,
    maxChildren: Number.MAX_SAFE_INTEGER,
  }
  for (const [name, value] of Object.entries(json)) {
    if (name === 'path') read.path = tokenText(value)
    else if (name === 'filter') read.filter = readFilter(value, queries)
    else if (name === 'max_children') read.maxChildren = readInt(value, queries.engineVersion === 'Elasticsearch_6.8')
    else if (name === 'nested') read.nested = readNested(value, queries)
    else throw illegalArgument(`malformed nested sort format, unknown field name [${name}]`)
  }
  return read
}

function readFilter(json: JsonValue, queries: QueryContext): NonNullable<NestedSort['filter']> {
  try {
    return parseFilter(json, queries)
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    throw new ServiceError('parsing_exception', 'Expected nested_filter element.', { cause: error })
  }
}
