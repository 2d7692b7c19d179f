import { isObject } from '../../is-object.ts'
import { notXContent } from '../../json-fault.ts'
import { javaDouble } from '../java/java-number-text.ts'
import { hasUnusualNumbers, JsonNumber, parseLosslessJson } from '../mapping/lossless-json.ts'
import type { ScriptedOutcome, UpdateOperation, UpdatePart, UpdateScript } from './document-operation.ts'
import { mergeDocument } from './merge-document.ts'
import { parseSource } from './parse-source.ts'

/**
 * A stored source as an update sees it: a double stays one though its value is whole (`1.0`), since the real server
 * reads sources into Integer, Long and Double, compares them as such and writes them back.
 */
export function readForUpdate(source: Buffer): Readonly<Record<string, unknown>> {
  const text = source.toString('utf8')
  return hasUnusualNumbers(text) ? (parseLosslessJson(text) as Record<string, unknown>) : parseSource(source)
}

/** A document as an update stores it: doubles as Java prints them. */
export function writeUpdated(document: UpdatePart): Buffer {
  return Buffer.from(write(document))
}

/** What an update stores where there is no document; undefined when it stores none. */
function upsertedSource({ upsert, docAsUpsert, doc }: UpdateOperation): Buffer | undefined {
  const document = docAsUpsert ? doc : upsert
  return document === undefined ? undefined : writeUpdated(document)
}

/**
 * What is to be done where there is no document; undefined: the document is missing.
 *
 * @throws {ServiceError} what the update's script throws
 */
export function upsertOutcome(operation: UpdateOperation): ScriptedOutcome | undefined {
  const { script, upsert } = operation
  if (script?.create !== undefined && upsert !== undefined) return script.create(documentOf(upsert))
  const source = upsertedSource(operation)
  return source === undefined ? undefined : { op: 'index', source }
}

/**
 * What is to be done with a document there is.
 *
 * @throws {ServiceError} what the update's script throws
 */
export function updateOutcome(
  operation: UpdateOperation,
  current: Parameters<UpdateScript['change']>[0],
): ScriptedOutcome {
  if (operation.script !== undefined) return operation.script.change(current)
  const { doc = {}, detectNoop } = operation
  const source = mergedSource({ doc, detectNoop }, current.source)
  return source === undefined ? { op: 'none' } : { op: 'index', source }
}

/** @throws {ServiceError} not_x_content_exception for what is no object */
function documentOf(part: UpdatePart): Readonly<Record<string, unknown>> {
  if (!isObject(part)) throw notXContent()
  return part
}

/** What an update makes of a stored source; undefined when it changes nothing and is to write nothing then. */
export function mergedSource(
  { doc, detectNoop }: { readonly doc: UpdatePart; readonly detectNoop: boolean },
  source: Buffer,
): Buffer | undefined {
  const { merged, changed } = mergeDocument(readForUpdate(source), documentOf(doc))
  return detectNoop && !changed ? undefined : writeUpdated(merged)
}

function write(value: unknown): string {
  switch (typeof value) {
    case 'number':
      return Number.isInteger(value) ? String(value) : javaDouble(value)
    case 'bigint':
      return String(value)
    case 'object':
      break
    default:
      return JSON.stringify(value) ?? 'null'
  }
  if (value === null) return 'null'
  if (value instanceof JsonNumber) return value.text === '-0' ? '0' : javaDouble(value.value)
  if (Array.isArray(value)) return `[${value.map(write).join(',')}]`
  const members = Object.entries(value).filter(([, member]) => member !== undefined)
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${write(member)}`).join(',')}}`
}
