import { NO_REASON, ServiceError } from '../../../errors.ts'
import { isObject } from '../../../is-object.ts'
import { jsonFault } from '../../../json-fault.ts'
import { writeBigJson } from '../../big-json.ts'
import type { IndexSearcher } from '../../index/index-searcher.ts'
import type { SegmentReader } from '../../index/segment-reader.ts'
import { failedBaseCast } from '../../java/java-class-text.ts'
import type { FieldMapping } from '../../mapping/field-mapping.ts'
import { JsonNumber, parseLosslessJson } from '../../mapping/lossless-json.ts'
import type { DerivedField } from '../../mapping/types/derived-field.ts'
import { scriptValueOf } from '../../script/values/script-json.ts'
import { classNameOf, type ScriptValue } from '../../script/values/script-value.ts'
import { faultInQueryPhase, illegalInQueryPhase } from '../query-phase.ts'
import { compileIndexScript, type IndexScript } from '../script/index-script.ts'
import type { FindStoredScript, SearchScript } from '../script/search-script.ts'
import type { SearchWatch } from '../search-watch.ts'

/** Reads the values of a document. @throws {ServiceError} script_exception and the like */
export type ReadDerived = (doc: number) => readonly ScriptValue[]

/** What the script of a derived field emits for the documents of an index. */
export class DerivedValues {
  readonly #derived: DerivedField
  readonly #searcher: IndexSearcher
  readonly #watch: SearchWatch | undefined
  #compiled: IndexScript | undefined

  constructor(field: FieldMapping, searcher: IndexSearcher, watch: SearchWatch | undefined) {
    if (field.derived === undefined) throw new Error(`${field.path} is not derived`)
    this.#derived = field.derived
    this.#searcher = searcher
    this.#watch = watch
  }

  /** @throws {ServiceError} script_exception, illegal_argument_exception where there is no `_source` */
  open(segment: SegmentReader): ReadDerived {
    const { part } = this.#derived
    if (part === undefined) return this.#openWhole(segment)
    const open = this.openJson(segment, part)
    return (doc) => open(doc).map((value) => scriptValueOf(value))
  }

  /** The same of a member of an object, as JSON; of a list its elements. */
  openJson(segment: SegmentReader, part: string): (doc: number) => readonly unknown[] {
    const open = this.#openWhole(segment)
    const path = part.split('.')
    return (doc) =>
      open(doc).flatMap((value) => {
        if (value === null) return []
        if (typeof value !== 'string')
          throw failedBaseCast(classNameOf(value), 'java.lang.String').with({ inQueryPhase: true })
        const json = this.#parse(value)
        return json === undefined ? [] : [memberAt(json, path)].flat()
      })
  }

  #openWhole(segment: SegmentReader): ReadDerived {
    this.#compiled ??= this.#compile()
    const opened = this.#compiled.open(segment)
    return (doc) => opened.emitted(doc)
  }

  #parse(text: string): unknown {
    try {
      return firstObject(text)
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      if (this.#derived.ignoreMalformed) return undefined
      throw new ServiceError('parse_exception', 'Failed to parse content to map', { cause: error, inQueryPhase: true })
    }
  }

  #compile(): IndexScript {
    const searcher = this.#searcher
    const { mapping } = searcher
    if (!mapping.sourceEnabled(mapping.types[0] ?? '_doc')) {
      throw illegalInQueryPhase(
        `DerivedFieldQuery error: unable to fetch fields from _source field: _source is disabled in the mappings for index [${searcher.indexName}]`,
      )
    }
    const script = searchScript(this.#derived, searcher)
    if (script === undefined) throw faultInQueryPhase('null_pointer_exception', NO_REASON)
    const { engineVersion } = mapping
    return compileIndexScript(script, 'derived_field', { searcher, engineVersion, watch: this.#watch })
  }
}

/** Those of views that were asked for, which are read again and again while hits are shown. */
const known = new WeakMap<IndexSearcher, Map<FieldMapping, DerivedValues>>()

/** What a derived field's script emits in a view. */
export function derivedValues(field: FieldMapping, searcher: IndexSearcher, watch?: SearchWatch): DerivedValues {
  let fields = known.get(searcher)
  if (fields === undefined) {
    fields = new Map()
    known.set(searcher, fields)
  }
  let values = fields.get(field)
  if (values === undefined) {
    values = new DerivedValues(field, searcher, watch)
    fields.set(field, values)
  }
  return values
}

function searchScript({ script }: DerivedField, searcher: IndexSearcher): SearchScript | undefined {
  if (script === undefined) return undefined
  const { id, source, lang } = script
  const params = (script['params'] ?? {}) as SearchScript['params']
  if (typeof id === 'string') {
    // Who may search by a script need not be told what it says.
    const find: FindStoredScript = (name) => {
      const found = searcher.findScript?.(name)
      return found === undefined ? undefined : { ...found, mayBeTold: () => false }
    }
    return { script: { kind: 'stored', id, find }, params }
  }
  const text = typeof source === 'string' ? source : writeBigJson(source)
  return { script: { kind: 'inline', lang: String(lang), source: text }, params }
}

/** The object that a text begins with: what comes behind it is not looked at. @throws {ServiceError} json_parse_exception */
function firstObject(text: string): unknown {
  const end = endOfObject(text)
  try {
    const json = parseLosslessJson(end < 0 ? text : text.slice(0, end))
    if (isObject(json) && !(json instanceof JsonNumber)) return json
  } catch {
    // Told as the real server's parser tells it.
  }
  throw behindToken(jsonFault(text))
}

/** The real server reads texts otherwise than bodies: it stands behind a word that it does not know. */
function behindToken(fault: ServiceError): ServiceError {
  const [, token = ''] = /^Unrecognized token '([^']*)'/.exec(fault.reason) ?? []
  const reason = fault.reason.replace(/column: (\d+)/, (_, column) => `column: ${Number(column) + token.length}`)
  return new ServiceError(fault.type, reason, fault.detail)
}

/** Where the object that a text begins with ends; -1: it is none, or does not end. */
function endOfObject(text: string): number {
  if (!/^\s*\{/.test(text)) return -1
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const char = text[at]
    if (char === '"') {
      for (at++; at < text.length && text[at] !== '"'; at++) if (text[at] === '\\') at++
    } else if (char === '{') depth++
    else if (char === '}' && --depth === 0) return at + 1
  }
  return -1
}

function memberAt(json: unknown, path: readonly string[]): unknown {
  let value: unknown = json
  for (const name of path) {
    if (!isObject(value) || !Object.hasOwn(value, name)) return null
    value = value[name]
  }
  return value ?? null
}
