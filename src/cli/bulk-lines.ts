import { BULK_ACTIONS, type BulkItem, type BulkOperation, type BulkTarget } from '../client/bulk.ts'
import { FILE_HEADER } from '../transfer/file-header.ts'
import { memberText } from './member-text.ts'
import { UsageError } from './usage-error.ts'

/** What lines that do not say it themselves are about. */
export interface BulkDefaults {
  readonly index?: string
  readonly type?: string
}

/** An operation and the line that it stands in, from 1. */
interface NumberedOperation {
  readonly operation: BulkOperation<string>
  readonly line: number
}

/**
 * Operations of an NDJSON file: items `{_index, _type, _id, _source}`, documents themselves where `--index` is given, or a
 * bulk request's own lines, which the first line tells by being nothing but an action (`{"index":{"_id":"1"}}`).
 *
 * @throws {UsageError} naming the line that is none of these
 */
export async function* bulkOperations(
  lines: AsyncIterable<string>,
  defaults: BulkDefaults,
): AsyncGenerator<NumberedOperation, void, undefined> {
  let line = 0
  let actions: boolean | undefined
  let begun: { readonly action: BulkAction; readonly line: number } | undefined
  for await (const raw of lines) {
    line++
    // Some editors put a byte order mark first.
    const text = line === 1 ? raw.replace(/^\ufeff/, '') : raw
    if (text.trim() === '' || (line === 1 && isSchema(text))) continue
    const value = parse(text, line)
    actions ??= actionOf(value, text, line) !== undefined
    if (!actions) yield { operation: documentOperation(text, value, line, defaults), line }
    else if (begun !== undefined) {
      yield { operation: actionOperation(begun.action, text, defaults, begun.line), line: begun.line }
      begun = undefined
    } else {
      const action = actionOf(value, text, line)
      if (action === undefined)
        throw new UsageError(`line ${line} is no action: expected ${BULK_ACTIONS.map((a) => `{"${a}":…}`).join(', ')}`)
      if (action.name === 'delete') yield { operation: { delete: targetOf(action.target, defaults, line) }, line }
      else begun = { action, line }
    }
  }
  if (begun !== undefined) throw new UsageError(`line ${begun.line} has no document behind it`)
}

/** A file that chaja transfer wrote begins with what the index is made of, which is no document. */
function isSchema(text: string): boolean {
  return text.startsWith(`${FILE_HEADER}{`)
}

interface BulkAction {
  readonly name: (typeof BULK_ACTIONS)[number]
  readonly target: Partial<BulkTarget>
}

/** An object with nothing but an action, that names nothing but a target; undefined for anything else. */
function actionOf(value: unknown, text: string, line: number): BulkAction | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const [[name, target] = [], ...rest] = Object.entries(value)
  const action = BULK_ACTIONS.find((a) => a === name)
  if (action === undefined || rest.length > 0 || typeof target !== 'object' || target === null) return undefined
  if (!Object.keys(target).every((key) => TARGET.test(key))) return undefined
  return { name: action, target: { ...target, ...namesOf(target, memberText(text, action), line) } }
}

const TARGET =
  /^(_index|_type|_id|_?routing|_?parent|_?version|_?version_type|if_seq_no|if_primary_term|_?retry_on_conflict|pipeline|require_alias|dynamic_templates)$/

function actionOperation(
  { name, target }: BulkAction,
  text: string,
  defaults: BulkDefaults,
  line: number,
): BulkOperation<string> {
  const whole = targetOf(target, defaults, line)
  if (name === 'update') return { update: whole, body: text }
  return name === 'create' ? { create: whole, source: text } : { index: whole, source: text }
}

/** An item, or with an index given the document itself. Documents stay the very characters of the line. */
function documentOperation(text: string, value: unknown, line: number, defaults: BulkDefaults): BulkOperation<string> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new UsageError(`line ${line} is no JSON object: expected one document a line`)
  const wrapped = '_source' in value
  const head = (wrapped ? value : {}) as Partial<BulkItem>
  const { _routing, version: _, _version: __, ...names } = namesOf(head, text, line)
  const target = {
    ...(head._index === undefined ? {} : { _index: head._index }),
    ...(head._type === undefined ? {} : { _type: head._type }),
    // Hits of a search carry it with a line before.
    ...(_routing === undefined ? {} : { routing: _routing }),
    ...names,
  }
  return { index: targetOf(target, defaults, line), source: wrapped ? memberText(text, '_source') : text }
}

/** Members whose digits JavaScript's numbers may lose: servers take them as text, too. */
const DIGITS = ['_id', 'routing', '_routing', 'version', '_version'] as const

/** Id, routing and version as servers read them, members that are there alone: of a number the very digits. */
function namesOf(head: object, json: string, line: number): { [name in (typeof DIGITS)[number]]?: string } {
  const names: { [name in (typeof DIGITS)[number]]?: string } = {}
  for (const name of DIGITS) {
    const value = (head as Readonly<Record<string, unknown>>)[name]
    if (value === undefined || value === null) continue
    if (typeof value === 'object') throw new UsageError(`line ${line} has a ${name} that is neither text nor a number`)
    names[name] = typeof value === 'number' ? memberText(json, name) : String(value)
  }
  return names
}

function targetOf(target: Partial<BulkTarget>, defaults: BulkDefaults, line: number): BulkTarget {
  const _index = target._index ?? defaults.index
  if (_index === undefined) throw new UsageError(`line ${line} names no _index: name it with --index`)
  const _type = target._type ?? defaults.type
  return { ...target, _index, ...(_type === undefined ? {} : { _type }) }
}

function parse(text: string, line: number): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new UsageError(`line ${line} is not JSON: ${(cause as Error).message}`, { cause })
  }
}
