import type { EngineVersion } from '../../engine/engine-version.ts'
import type { IndexSearcher } from '../../engine/index/index-searcher.ts'
import type { SegmentReader } from '../../engine/index/segment-reader.ts'
import { inJavaHashOrder } from '../../engine/java/java-hash-order.ts'
import { ScriptObject } from '../../engine/script/values/script-object.ts'
import type { ScriptValue } from '../../engine/script/values/script-value.ts'
import { refuseSelfReferences } from '../../engine/script/values/self-references.ts'
import { faultInQueryPhase, inQueryPhase } from '../../engine/search/query-phase.ts'
import { compileIndexScript, type IndexScript, type LeafScript } from '../../engine/search/script/index-script.ts'
import type { SearchScript } from '../../engine/search/script/search-script.ts'
import { NO_REASON, ServiceError } from '../../errors.ts'
import { isObject } from '../../is-object.ts'
import { setOwn } from '../../set-own.ts'
import { tokenName } from '../../token-name.ts'
import type { JsonValue } from '../body/parse-json.ts'
import { unknownKey } from '../body/unknown-key.ts'
import type { Json } from '../json/json-writer.ts'
import { parsingException } from '../parsing-exception.ts'
import type { QueryContext } from '../query-dsl/query-reader.ts'
import { readScript } from '../query-dsl/read-script.ts'
import { fieldValuesJson } from './script-json.ts'

/** A field of hits that a script gives. */
export interface ScriptField {
  readonly name: string
  /** Undefined where the request names none. */
  readonly script: SearchScript | undefined
  /** Whether a hit for which the script fails is shown without the field. */
  readonly ignoreFailure: boolean
}

/**
 * Reads `script_fields`.
 *
 * @param blamed  what is named where a field is no object; undefined: the field
 * @throws {ServiceError} parsing_exception and those of scripts
 */
export function parseScriptFields(
  json: JsonValue | undefined,
  queries: QueryContext,
  blamed?: string,
): readonly ScriptField[] {
  if (json === undefined) return []
  if (!isObject(json)) throw unknownKey('script_fields', json)
  return Object.entries(json).map(([name, body]) => {
    if (!isObject(body))
      throw parsingException(`Expected [START_OBJECT] in [${blamed ?? name}] but found [${tokenName(body)}]`)
    for (const [key, value] of Object.entries(body)) {
      if (key !== 'script' && key !== 'ignore_failure') throw unknownKey(key, value)
    }
    const { script, ignore_failure: ignored } = body
    return {
      name,
      script: script === undefined ? undefined : readScript(script, queries),
      ignoreFailure: ignored === true || ignored === 'true',
    }
  })
}

/** Runs the scripts of `script_fields` for the hits of a search. */
export class ScriptFieldsFetch {
  readonly #fields: readonly { readonly field: ScriptField; readonly scripts: readonly IndexScript[] }[]
  readonly #open = new Map<string, LeafScript>()
  readonly #engineVersion: EngineVersion

  /** @throws {ServiceError} script_exception */
  constructor(fields: readonly ScriptField[], searchers: readonly IndexSearcher[], engineVersion: EngineVersion) {
    this.#engineVersion = engineVersion
    const byName = new Map(fields.map((field) => [field.name, field]))
    // Hits keep their fields in a small map.
    this.#fields = inJavaHashOrder([...byName.keys()], 2).map((name) => {
      const field = byName.get(name) as ScriptField
      const { script } = field
      if (script === undefined) {
        throw faultInQueryPhase('null_pointer_exception', NO_REASON)
      }
      return {
        field,
        scripts: searchers.map((searcher) => compileIndexScript(script, 'field', { searcher, engineVersion })),
      }
    })
  }

  /**
   * The fields of a hit.
   *
   * @throws {ServiceError} script_exception; illegal_argument_exception for values that are no JSON
   */
  render(searcher: number, segment: SegmentReader, doc: number): { readonly [name: string]: Json } {
    const shown: Record<string, Json> = {}
    for (const [i, { field, scripts }] of this.#fields.entries()) {
      const key = `${searcher} ${segment.name} ${field.name}`
      let opened = this.#open.get(key)
      if (opened === undefined) {
        opened = (scripts[searcher] as IndexScript).open(segment)
        this.#open.set(key, opened)
      }
      try {
        const value = opened.run(doc) as ScriptValue
        if (value instanceof ScriptObject)
          inQueryPhase(() => refuseSelfReferences(value, `ScriptFieldsPhase leaf script ${i}`, this.#engineVersion))
        const values = fieldValuesJson(value)
        if (values.length > 0) setOwn(shown, field.name, values)
      } catch (error) {
        if (!field.ignoreFailure || !(error instanceof ServiceError)) throw error
      }
    }
    return shown
  }
}
