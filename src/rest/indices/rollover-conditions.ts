import { durationText } from '../../engine/duration-text.ts'
import type { Engine } from '../../engine/engine.ts'
import type { EngineVersion } from '../../engine/engine-version.ts'
import { parseByteSize } from '../../engine/metadata/byte-size-value.ts'
import type { IndexMetadata } from '../../engine/metadata/index-metadata.ts'
import { parseTimeMs } from '../../engine/metadata/time-value.ts'
import { ServiceError } from '../../errors.ts'
import { illegalArgument } from '../../illegal-argument.ts'
import { isObject } from '../../is-object.ts'
import { failedField, parseFault } from '../../parse-fault.ts'
import { tokenName } from '../../token-name.ts'
import type { JsonValue } from '../body/parse-json.ts'
import { unknownField } from '../body/unknown-field.ts'
import { bytesText } from '../cat/cat-value.ts'
import type { Dialect } from '../dialects/dialect.ts'

/** When an index is due for rollover. */
export interface RolloverCondition {
  /** `[max_age: 7d]`. */
  readonly text: string
  readonly isMet: (index: IndexMetadata, engine: Engine) => boolean
}

/** Reads `conditions`. @throws {ServiceError} x_content_parse_exception */
export function rolloverConditions(
  body: { readonly [name: string]: JsonValue },
  dialect: Dialect,
): readonly RolloverCondition[] {
  const json = body['conditions'] ?? null
  if (json === null) return []
  if (!isObject(json)) {
    throw parseFault(`[rollover] conditions doesn't support values of type: ${tokenName(json)}`).at(body, 'conditions')
  }
  return Object.entries(json).map(([name, value]) => {
    if (!Object.hasOwn(READERS, name))
      throw failed(unknownField('conditions', name, dialect.typed, Object.keys(READERS), json))
    // Ages and sizes have units, and are texts.
    const isBareNumber = typeof value === 'number' && name !== 'max_docs'
    if (value === null || typeof value === 'object' || typeof value === 'boolean' || isBareNumber) {
      throw failed(
        parseFault(`[conditions] ${name} doesn't support values of type: ${tokenName(value)}`).at(json, name),
      )
    }
    return readCondition(json, name as keyof typeof READERS, String(value), dialect.engineVersion)
  })
}

const READERS = {
  max_age: (text: string): RolloverCondition => {
    const ms = parseTimeMs(text, 'max_age')
    return {
      text: `[max_age: ${durationText(ms)}]`,
      isMet: (index) => Date.now() - index.creationDate >= ms,
    }
  },
  max_docs: (text: string): RolloverCondition => {
    if (!/^[-+]?\d+$/.test(text)) throw illegalArgument(`For input string: "${text}"`)
    const docs = Number(text)
    return { text: `[max_docs: ${docs}]`, isMet: (index, engine) => engine.stats(index.name).docs.count >= docs }
  },
  max_size: (text: string, version: EngineVersion): RolloverCondition => {
    const bytes = parseByteSize(text, 'max_size', version)
    return {
      text: `[max_size: ${bytesText(bytes)}]`,
      isMet: (index, engine) => engine.stats(index.name).storeSizeBytes >= bytes,
    }
  },
}

function readCondition(
  json: object,
  name: keyof typeof READERS,
  text: string,
  version: EngineVersion,
): RolloverCondition {
  try {
    return READERS[name](text, version)
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    throw failed(failedField('conditions', name, error.at(json, name)))
  }
}

function failed(cause: ServiceError): ServiceError {
  return failedField('rollover', 'conditions', cause)
}
