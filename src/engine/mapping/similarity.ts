import { ServiceError } from '../../errors.ts'
import { illegalArgument } from '../../illegal-argument.ts'
import { parseBoolean } from '../../parse-boolean.ts'
import type { EngineVersion } from '../engine-version.ts'
import { javaDouble } from '../java/java-number-text.ts'
import type { SimilarityParameters, SimilarityType } from './field-mapping.ts'
import { FORMULA_SETTINGS, readFormula, type SimilarityFormula, type SimilaritySettings } from './similarity-formula.ts'
import { readSimilarityScripts } from './similarity-scripts.ts'
import type { MappingSettings } from './types/parameter.ts'

/** How a field's matches are scored. */
export interface Similarity {
  readonly type: SimilarityType
  /** Only where the settings say otherwise than the type's defaults. */
  readonly parameters: SimilarityParameters | undefined
}

const BUILT_IN: Readonly<Record<string, Similarity>> = {
  BM25: { type: 'BM25', parameters: undefined },
  classic: { type: 'classic', parameters: undefined },
  boolean: { type: 'boolean', parameters: undefined },
}

/** Settings that each type takes beside `type`. */
const SETTINGS: Readonly<Record<string, readonly string[]>> = {
  BM25: ['k1', 'b', 'discount_overlaps'],
  classic: ['discount_overlaps'],
  boolean: [],
  ...FORMULA_SETTINGS,
}

/** What similarities are read by. */
interface SimilarityScope {
  readonly settings: MappingSettings
  readonly engineVersion: EngineVersion
}

/**
 * A similarity by name: a built-in one, one of the settings' own (`index.similarity.<name>.type`), or `default`.
 *
 * @throws {ServiceError} for own ones whose parameters are wrong
 */
export function similarityNamed(name: string, scope: SimilarityScope): Similarity | undefined {
  if (Object.hasOwn(BUILT_IN, name)) return BUILT_IN[name]
  if (typeof scope.settings[`index.similarity.${name}.type`] === 'string') return readSimilarity(name, scope)
  return name === 'default' ? BUILT_IN['BM25'] : undefined
}

/** Checks all `index.similarity.*`. @throws {ServiceError} illegal_argument_exception, settings_exception */
export function checkSimilarities(scope: SimilarityScope): void {
  for (const name of ownNames(scope.settings)) {
    if (Object.hasOwn(BUILT_IN, name)) {
      throw illegalArgument(`illegal value for [index.similarity.${name}] cannot redefine built-in similarity`)
    }
    readSimilarity(name, scope)
  }
}

/**
 * Checks that similarities of a new index say nothing that their types do not take; stored ones keep what they have.
 *
 * @throws {ServiceError} illegal_argument_exception, but not in 6.8, which warns of it
 */
export function checkSimilaritySettings(settings: MappingSettings, version: EngineVersion): void {
  if (version === 'Elasticsearch_6.8') return
  for (const name of ownNames(settings)) {
    if (settings[`index.similarity.${name}.type`] === 'classic') throw classicIsGone()
  }
  for (const [type, unknown] of unknownSimilaritySettings(settings)) {
    throw illegalArgument(`Unknown settings for similarity of type [${type}]: [${unknown}]`)
  }
}

/** What a version after 6 says of the similarity that it no longer has. */
export function classicIsGone(): ServiceError {
  return illegalArgument(
    'The [classic] similarity may not be used anymore. Please use the [BM25] similarity or build a custom [scripted] similarity instead.',
  )
}

/** Types of similarities and what they say that those do not take. */
export function* unknownSimilaritySettings(settings: MappingSettings): Iterable<readonly [string, string]> {
  for (const name of ownNames(settings)) {
    const prefix = `index.similarity.${name}.`
    const type = String(settings[`${prefix}type`])
    const unknown = Object.keys(settings)
      .filter((key) => key.startsWith(prefix) && settings[key] !== null)
      .map((key) => key.slice(prefix.length))
      .filter((key) => key !== 'type' && SETTINGS[type]?.includes(key) === false)
    if (unknown.length > 0) yield [type, unknown.sort().join(', ')]
  }
}

/** Names of the settings' own similarities. */
export function ownNames(settings: MappingSettings): ReadonlySet<string> {
  const prefix = 'index.similarity.'
  const keys = Object.keys(settings).filter((key) => key.startsWith(prefix))
  return new Set(keys.map((key) => key.slice(prefix.length, key.indexOf('.', prefix.length))))
}

function readSimilarity(name: string, { settings, engineVersion }: SimilarityScope): Similarity {
  const text = (key: string): string | undefined => {
    const value = settings[`index.similarity.${name}.${key}`]
    return typeof value === 'string' ? value : undefined
  }
  const type = text('type')
  if (type === undefined) throw illegalArgument(`Similarity [${name}] must have an associated type`)
  if (type !== 'scripted' && !Object.hasOwn(SETTINGS, type))
    throw illegalArgument(`Unknown Similarity type [${type}] for [${name}]`)
  const number = (key: string): number | undefined => {
    const value = text(key)
    if (value === undefined) return undefined
    const parsed = value.trim() === '' ? Number.NaN : Number(value)
    if (!Number.isNaN(parsed)) return parsed
    throw new ServiceError('settings_exception', `Failed to parse float setting [${key}] with value [${value}]`, {
      cause: new ServiceError('number_format_exception', `For input string: "${value}"`),
    })
  }
  const discountOverlaps = parseBoolean(text('discount_overlaps') ?? 'true') ? {} : { discountOverlaps: false }
  if (type === 'scripted') {
    const scripts = readSimilarityScripts(name, settings, engineVersion)
    return { type, parameters: { scripts, ...discountOverlaps } }
  }
  if (!Object.hasOwn(BUILT_IN, type)) {
    const parts: SimilaritySettings = { text, float: (key, absent) => Math.fround(number(key) ?? absent) }
    return {
      type: 'formula',
      parameters: {
        formula: readFormula(type as SimilarityFormula['kind'], parts, engineVersion),
        ...discountOverlaps,
      },
    }
  }
  if (type !== 'BM25') {
    const hasOwn = type === 'classic' && 'discountOverlaps' in discountOverlaps
    return { type: type as Similarity['type'], parameters: hasOwn ? discountOverlaps : undefined }
  }
  const k1 = number('k1')
  const b = number('b')
  if (k1 !== undefined && !(k1 >= 0 && Number.isFinite(k1))) {
    throw illegalArgument(`illegal k1 value: ${javaDouble(k1)}, must be a non-negative finite value`)
  }
  if (b !== undefined && !(b >= 0 && b <= 1)) {
    throw illegalArgument(`illegal b value: ${javaDouble(b)}, must be between 0 and 1`)
  }
  const parameters = {
    ...(k1 === undefined ? {} : { k1 }),
    ...(b === undefined ? {} : { b }),
    ...discountOverlaps,
  }
  return { type: 'BM25', parameters: Object.keys(parameters).length === 0 ? undefined : parameters }
}
