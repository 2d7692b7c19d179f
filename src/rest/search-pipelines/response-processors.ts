import { javaText } from '../../engine/mapping/java-text.ts'
import { JsonNumber } from '../../engine/mapping/lossless-json.ts'
import { ServiceError } from '../../errors.ts'
import { illegalArgument } from '../../illegal-argument.ts'
import { isObject } from '../../is-object.ts'
import { setOwn } from '../../set-own.ts'
import { classOf, type Value } from '../ingest/ingest-document.ts'
import { IngestFault } from '../ingest/ingest-fault.ts'
import { JavaRegExp } from '../ingest/java-regexp.ts'
import { contextName } from './context-name.ts'
import type { PipedHit, ProcessorFactory, ResponseProcessor } from './processor.ts'

type Members = Record<string, unknown>

/** `rename_field`: the values of a field go by another name. */
const renameField: ProcessorFactory<ResponseProcessor> = (config) => {
  const field = config.text('field')
  const target = config.text('target_field')
  const ignoresMissing = config.boolean('ignore_missing', false)
  return (hits) => {
    // As in the real server one that has it is enough for those after it.
    let isFound = false
    for (const hit of hits) {
      for (const members of partsOf(hit)) {
        if (!Object.hasOwn(members, field)) continue
        isFound = true
        const value = members[field]
        delete members[field]
        setOwn(members, target, value)
      }
      if (!isFound && !ignoresMissing)
        throw illegalArgument(`Document with id ${String(hit['_id'])} is missing field ${field}`)
    }
    return hits
  }
}

/** `truncate_hits`: the first hits, as many as are named or as were asked for before `oversample`. */
const truncateHits: ProcessorFactory<ResponseProcessor> = (config) => {
  const target = config.integer('target_size', NaN)
  if (target < 0) throw config.fault('target_size', 'Value must be >= 0')
  const name = contextName(config)
  return (hits, state) => {
    const size = Number.isNaN(target) ? state.get(name) : target
    if (size === undefined) {
      const reason = `Must specify target_size unless an earlier processor set ${name}`
      throw new ServiceError('illegal_state_exception', reason)
    }
    return hits.length <= size ? hits : hits.slice(0, size)
  }
}

/** `collapse`: of hits with the same value of a field the first; once, since then they are hits of that field. */
const collapse: ProcessorFactory<ResponseProcessor> = (config) => {
  const field = config.text('field')
  return (hits, state) => {
    const { collapsedBy } = state
    if (collapsedBy !== undefined) {
      const reason = `Cannot collapse on ${field}. Results already collapsed on ${collapsedBy}`
      throw new ServiceError('illegal_state_exception', reason)
    }
    state.collapsedBy = field
    const first = new Map<string, PipedHit>()
    for (const hit of hits) {
      const value = groupOf(hit, field)
      if (!first.has(value)) first.set(value, hit)
    }
    return [...first.values()]
  }
}

/** `sort`: the values of a list in their order. */
const sort: ProcessorFactory<ResponseProcessor> = (config) => {
  const field = config.text('field')
  const target = config.text('target_field', field)
  const order = config.text('order', 'asc')
  if (order !== 'asc' && order !== 'desc')
    throw config.fault('order', `Sort direction [${order}] not recognized. Valid values are: [asc, desc]`)
  const sign = order === 'asc' ? 1 : -1
  return changing((members, isSource) => {
    const list = members[field]
    if (!Array.isArray(list) && isSource) return
    for (const value of list as unknown[]) {
      if (value === null) throw illegalArgument(`field [${field}] contains a null value.]`)
      if (typeof value === 'object' && !(value instanceof JsonNumber))
        throw illegalArgument(`field [${field}] of type [${classOf(value as Value)}] is not comparable.]`)
    }
    setOwn(
      members,
      target,
      [...(list as unknown[])].sort((a, b) => sign * compare(plain(a), plain(b))),
    )
  }, field)
}

/** `split`: a text as the list of its parts. */
const split: ProcessorFactory<ResponseProcessor> = (config) => {
  const field = config.text('field')
  const separator = config.text('separator')
  const keepsEmpty = config.boolean('preserve_trailing', false)
  const target = config.text('target_field', field)
  return changing((members, isSource) => {
    const value = isSource ? members[field] : (members[field] as readonly unknown[])[0]
    if (typeof value === 'string') setOwn(members, target, parts(value, separator, keepsEmpty))
    else if (!isSource) throw illegalArgument(`field [${field}] is not a string, cannot split`)
  }, field)
}

/** @throws {ServiceError} pattern_syntax_exception */
function parts(text: string, separator: string, keepsEmpty: boolean): string[] {
  try {
    return new JavaRegExp(separator).split(text, keepsEmpty ? -1 : 0)
  } catch (error) {
    throw error instanceof IngestFault ? error.plain : error
  }
}

/** Processors of answers by type. */
export const RESPONSE_PROCESSORS: Readonly<Record<string, ProcessorFactory<ResponseProcessor>>> = {
  collapse,
  rename_field: renameField,
  sort,
  split,
  truncate_hits: truncateHits,
}

/** Changes what shows a field, of each hit. */
function changing(change: (members: Members, isSource: boolean) => void, field: string): ResponseProcessor {
  return (hits) => {
    for (const hit of hits) {
      for (const members of partsOf(hit)) if (Object.hasOwn(members, field)) change(members, members === hit['_source'])
    }
    return hits
  }
}

/** What a hit shows of its document: fields, then the source. */
function partsOf(hit: PipedHit): readonly Members[] {
  return [hit['fields'], hit['_source']].filter((part): part is Members => isObject(part as never))
}

/** The value of a field that hits are told apart by. @throws {ServiceError} illegal_state_exception */
function groupOf(hit: PipedHit, field: string): string {
  const values = (hit['fields'] as Members | undefined)?.[field] as readonly unknown[] | undefined
  if (values !== undefined && values.length > 1) {
    const reason = `Failed to collapse ${String(hit['_id'])}: doc has multiple values for field ${field}`
    throw new ServiceError('illegal_state_exception', reason)
  }
  const value = values === undefined ? (hit['_source'] as Members | undefined)?.[field] : values[0]
  return value === undefined || value === null ? '<missing>' : javaText(value)
}

const plain = (value: unknown): unknown => (value instanceof JsonNumber ? value.value : value)

function compare(a: unknown, b: unknown): number {
  return (a as number) < (b as number) ? -1 : (a as number) > (b as number) ? 1 : 0
}
