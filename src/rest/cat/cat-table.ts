import type { EngineVersion } from '../../engine/engine-version.ts'
import { ServiceError } from '../../errors.ts'
import { matchWildcard } from '../../match-wildcard.ts'
import type { RequestParameters } from '../parameters/request-parameters.ts'
import type { EndpointRequest, EndpointResponse } from '../rest-request.ts'
import { Bytes, type CatUnits, type CatValue, catText, Duration } from './cat-value.ts'

/** What `help` says of a column, where the products say it differently. */
interface HelpByProduct {
  readonly elasticsearch: string
  readonly openSearch: string
}

/** A column of a `_cat` table. */
export interface CatColumn<Row> {
  readonly name: string
  /** Other names that `h` and `s` take, joined by commas. */
  readonly aliases: string
  readonly help: string | HelpByProduct
  readonly value: (row: Row) => CatValue
  /** Only shown when `h` names it. */
  readonly hidden?: boolean
  readonly right?: boolean
}

/** Makes a column. `name:aliases`; `-` before the name hides it, `>` aligns it right. */
export function column<Row>(spec: string, help: CatColumn<Row>['help'], value: (row: Row) => CatValue): CatColumn<Row> {
  const [, flags = '', name = '', aliases = ''] = /^([->]*)([^:]+):?(.*)$/.exec(spec) ?? []
  return { name, aliases, help, value, hidden: flags.includes('-'), right: flags.includes('>') }
}

/**
 * Answers a `_cat` request: as a table of text, or as JSON or YAML where `format` or `Accept` say so.
 *
 * @throws {ServiceError} unsupported_operation_exception for an unknown sort key, illegal_argument_exception for other parameters
 */
export function catTable<Row>(
  request: EndpointRequest,
  columns: readonly CatColumn<Row>[],
  rows: readonly Row[],
): EndpointResponse {
  const { parameters } = request
  if (parameters.boolean('help', false)) return { status: 200, text: helpText(columns, request.dialect.engineVersion) }
  const units = unitsOf(request)
  const shown = shownColumns(columns, parameters)
  const sorted = sortRows(columns, rows, parameters.list('s'))
  if (request.wantsJson) {
    const json = sorted.map((row) =>
      Object.fromEntries(shown.map(({ title, column: c }) => [title, jsonText(c.value(row), units)])),
    )
    return { status: 200, json }
  }
  const cells = sorted.map((row) => shown.map(({ column: c }) => catText(c.value(row), units)))
  return { status: 200, text: textTable(shown, cells, parameters.boolean('v', false)) }
}

/** Columns of the time of day, which `ts` leaves out. */
const TIMES: ReadonlySet<string> = new Set(['epoch', 'timestamp'])

interface Shown<Row> {
  readonly title: string
  readonly column: CatColumn<Row>
}

function jsonText(value: CatValue, units: CatUnits): string | null {
  return value === null || value === undefined ? null : catText(value, units)
}

function helpText(
  columns: readonly CatColumn<never>[] | readonly CatColumn<unknown>[],
  version: EngineVersion,
): string {
  const product = version === 'OpenSearch_2.19' ? 'openSearch' : 'elasticsearch'
  const cells = (columns as readonly CatColumn<unknown>[]).map((c) => [
    c.name,
    c.aliases,
    typeof c.help === 'string' ? c.help : c.help[product],
  ])
  const widths = [0, 1, 2].map((i) => Math.max(...cells.map((row) => (row[i] as string).length)))
  return cells.map((row) => `${row.map((cell, i) => cell.padEnd(widths[i] as number)).join(' | ')}\n`).join('')
}

function shownColumns<Row>(columns: readonly CatColumn<Row>[], parameters: RequestParameters): Shown<Row>[] {
  const wanted = parameters.list('h')
  const isShown = (name: string): boolean => !TIMES.has(name) || parameters.boolean('ts', true)
  if (wanted === undefined)
    return columns.filter((c) => c.hidden !== true && isShown(c.name)).map((c) => ({ title: c.name, column: c }))
  const shown = wanted.flatMap((name): Shown<Row>[] => {
    if (name.includes('*')) {
      return columns
        .filter((c) => [c.name, ...c.aliases.split(',')].some((n) => n !== '' && matchWildcard(name, n)))
        .filter((c) => isShown(c.name))
        .map((c) => ({ title: c.name, column: c }))
    }
    const found = find(columns, name)
    if (found === undefined || !isShown(found.name)) return []
    // What primaries alone have of it is shown beside it.
    const sibling = columns.find((c) => c.name === `pri.${found.name}`)
    return [
      { title: name, column: found },
      ...(sibling !== undefined && parameters.boolean('pri', false) ? [{ title: `pri.${name}`, column: sibling }] : []),
    ]
  })
  // Each title once.
  return [...new Map(shown.map((one) => [one.title, one])).values()]
}

function find<Row>(columns: readonly CatColumn<Row>[], name: string): CatColumn<Row> | undefined {
  return columns.find((c) => c.name === name) ?? columns.find((c) => c.aliases.split(',').includes(name))
}

function sortRows<Row>(
  columns: readonly CatColumn<Row>[],
  rows: readonly Row[],
  keys: readonly string[] | undefined,
): readonly Row[] {
  if (keys === undefined || keys.length === 0) return rows
  const orders = keys.map((key) => {
    const [, name = key, direction = 'asc'] = /^(.*?)(?::(asc|desc))?$/.exec(key) ?? []
    const found = find(columns, name)
    if (found === undefined)
      throw new ServiceError('unsupported_operation_exception', `Unable to sort by unknown sort key \`${name}\``)
    return { column: found, sign: direction === 'desc' ? -1 : 1 }
  })
  return [...rows].sort((a, b) => {
    for (const { column: c, sign } of orders) {
      const order = compare(c.value(a), c.value(b))
      if (order !== 0) return order * sign
    }
    return 0
  })
}

function compare(a: CatValue, b: CatValue): number {
  const x = sortable(a)
  const y = sortable(b)
  if (x === y) return 0
  if (x === undefined) return -1
  if (y === undefined) return 1
  return x < y ? -1 : 1
}

function sortable(value: CatValue): string | number | undefined {
  if (value instanceof Bytes) return value.value
  if (value instanceof Duration) return value.ms
  if (value === null || value === undefined) return undefined
  return typeof value === 'boolean' ? String(value) : value
}

function textTable<Row>(
  shown: readonly Shown<Row>[],
  cells: readonly (readonly string[])[],
  withHeader: boolean,
): string {
  // A line for each row, though nothing of it is asked for.
  if (shown.length === 0) return '\n'.repeat(cells.length + (withHeader ? 1 : 0))
  const lines = withHeader ? [shown.map((s) => s.title), ...cells] : cells
  const widths = shown.map((_, i) => Math.max(0, ...lines.map((line) => (line[i] as string).length)))
  const last = shown.length - 1
  return lines
    .map((line) => {
      const padded = line.map((cell, i) => {
        if (shown[i]?.column.right) return cell.padStart(widths[i] as number)
        return i === last ? cell : cell.padEnd(widths[i] as number)
      })
      return `${padded.join(' ')}\n`
    })
    .join('')
}

function unitsOf({ parameters }: EndpointRequest): CatUnits {
  const unit = (name: 'bytes' | 'time' | 'size', known: readonly string[]): string | undefined => {
    const value = parameters.text(name)
    // The real servers show a unit that they do not know as if none were asked for.
    return value !== undefined && known.includes(value) ? value : undefined
  }
  return {
    bytes: unit('bytes', ['b', 'k', 'kb', 'm', 'mb', 'g', 'gb', 't', 'tb', 'p', 'pb']),
    time: unit('time', ['d', 'h', 'm', 's', 'ms', 'micros', 'nanos']),
    size: unit('size', ['', 'k', 'm', 'g', 't', 'p']),
  }
}
