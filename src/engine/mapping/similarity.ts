import { ServiceError } from '../../errors.ts'
import { javaDouble } from '../java-number-text.ts'
import type { SimilarityParameters } from './field-mapping.ts'
import { illegalArgument } from './mapping-errors.ts'
import type { MappingSettings } from './parameter.ts'

/** How a field's matches are scored. */
export interface Similarity {
  readonly type: 'BM25' | 'classic' | 'boolean'
  /** Only where the settings say otherwise than the type's defaults. */
  readonly parameters: SimilarityParameters | undefined
}

const BUILT_IN: Readonly<Record<string, Similarity>> = {
  BM25: { type: 'BM25', parameters: undefined },
  classic: { type: 'classic', parameters: undefined },
  boolean: { type: 'boolean', parameters: undefined },
}

/** Types that the real server knows and this one does not score by. */
const NOT_SUPPORTED = ['DFR', 'IB', 'DFI', 'LMDirichlet', 'LMJelinekMercer', 'scripted']

/**
 * A similarity by name: a built-in one, one of the settings' own (`index.similarity.<name>.type`), or `default`.
 *
 * @throws {ServiceError} for own ones whose parameters are wrong
 */
export function similarityNamed(name: string, settings: MappingSettings): Similarity | undefined {
  if (Object.hasOwn(BUILT_IN, name)) return BUILT_IN[name]
  if (typeof settings[`index.similarity.${name}.type`] === 'string') return readSimilarity(name, settings)
  return name === 'default' ? BUILT_IN['BM25'] : undefined
}

/** Checks all `index.similarity.*`. @throws {ServiceError} illegal_argument_exception, settings_exception */
export function checkSimilarities(settings: MappingSettings): void {
  const prefix = 'index.similarity.'
  const names = Object.keys(settings)
    .filter((key) => key.startsWith(prefix))
    .map((key) => key.slice(prefix.length, key.indexOf('.', prefix.length)))
  for (const name of new Set(names)) {
    if (Object.hasOwn(BUILT_IN, name)) {
      throw illegalArgument(`illegal value for [index.similarity.${name}] cannot redefine built-in similarity`)
    }
    readSimilarity(name, settings)
  }
}

function readSimilarity(name: string, settings: MappingSettings): Similarity {
  const text = (key: string): string | undefined => {
    const value = settings[`index.similarity.${name}.${key}`]
    return typeof value === 'string' ? value : undefined
  }
  const type = text('type')
  if (type === undefined) throw illegalArgument(`Similarity [${name}] must have an associated type`)
  if (NOT_SUPPORTED.includes(type)) throw illegalArgument(`Similarity type [${type}] of [${name}] is not supported`)
  if (!Object.hasOwn(BUILT_IN, type)) throw illegalArgument(`Unknown Similarity type [${type}] for [${name}]`)
  const number = (key: string): number | undefined => {
    const value = text(key)
    if (value === undefined) return undefined
    const parsed = value.trim() === '' ? Number.NaN : Number(value)
    if (!Number.isNaN(parsed)) return parsed
    throw new ServiceError('settings_exception', `Failed to parse float setting [${key}] with value [${value}]`, {
      cause: new ServiceError('number_format_exception', `For input string: "${value}"`),
    })
  }
  const discountOverlaps = text('discount_overlaps') === 'false' ? { discountOverlaps: false } : {}
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
