import { illegalArgument } from '../../illegal-argument.ts'
import type { EngineVersion } from '../engine-version.ts'
import { javaDouble, javaFloat } from '../java/java-number-text.ts'

/** How a frequency is made up for the length of its field: `c`, `mu` or `z` of Lucene's Normalization. */
export interface NormalizationFormula {
  readonly kind: 'no' | 'h1' | 'h2' | 'h3' | 'z'
  readonly parameter: number
}

/** A similarity of Lucene's SimilarityBase, as the settings of an index name its parts. */
export type SimilarityFormula =
  | {
      readonly kind: 'DFR'
      /** `be`, `d` and `p`, and the after effect `no`: Lucene 7 only. */
      readonly basicModel: 'be' | 'd' | 'g' | 'if' | 'in' | 'ine' | 'p'
      readonly afterEffect: 'no' | 'b' | 'l'
      readonly normalization: NormalizationFormula
    }
  | {
      readonly kind: 'IB'
      readonly distribution: 'll' | 'spl'
      readonly lambda: 'df' | 'ttf'
      readonly normalization: NormalizationFormula
    }
  | { readonly kind: 'DFI'; readonly measure: 'standardized' | 'saturated' | 'chisquared' }
  | { readonly kind: 'LMDirichlet'; readonly mu: number }
  | { readonly kind: 'LMJelinekMercer'; readonly lambda: number }

/** Settings of a similarity, each without `index.similarity.<name>.`. */
export interface SimilaritySettings {
  readonly text: (key: string) => string | undefined
  /** @throws {ServiceError} settings_exception */
  readonly float: (key: string, absent: number) => number
}

const NORMALIZATION_KEYS = [
  'normalization',
  'normalization.h1.c',
  'normalization.h2.c',
  'normalization.h3.c',
  'normalization.z.z',
]

/** Settings that each type takes beside `type` and `discount_overlaps`. */
export const FORMULA_SETTINGS: Readonly<Record<SimilarityFormula['kind'], readonly string[]>> = {
  DFR: ['basic_model', 'after_effect', ...NORMALIZATION_KEYS],
  IB: ['distribution', 'lambda', ...NORMALIZATION_KEYS],
  DFI: ['independence_measure'],
  LMDirichlet: ['mu'],
  LMJelinekMercer: ['lambda'],
}

/** Models and after effects in the order in which faults name them. */
const BASIC_MODELS = ['ine', 'in', 'g', 'if']
const BASIC_MODELS_LUCENE_7 = ['p', 'ine', 'be', 'd', 'in', 'g', 'if']
const AFTER_EFFECTS = ['b', 'l']
const MEASURES = ['standardized', 'saturated', 'chisquared']

/** Reads the parts of a similarity. @throws {ServiceError} illegal_argument_exception, settings_exception */
export function readFormula(
  kind: SimilarityFormula['kind'],
  settings: SimilaritySettings,
  version: EngineVersion,
): SimilarityFormula {
  const isLucene7 = version === 'Elasticsearch_6.8'
  switch (kind) {
    case 'DFR':
      return {
        kind,
        basicModel: named(
          'BasicModel',
          settings.text('basic_model'),
          isLucene7 ? BASIC_MODELS_LUCENE_7 : BASIC_MODELS,
          (name) =>
            ['be', 'd', 'p'].includes(name)
              ? `Basic model [${name}] isn't supported anymore, please use another model.`
              : undefined,
        ) as 'g',
        afterEffect: named(
          'AfterEffect',
          settings.text('after_effect'),
          isLucene7 ? ['no', ...AFTER_EFFECTS] : AFTER_EFFECTS,
          (name) =>
            name === 'no' ? `After effect [no] isn't supported anymore, please use another effect.` : undefined,
        ) as 'l',
        normalization: readNormalization(settings, isLucene7),
      }
    case 'IB':
      return {
        kind,
        distribution: oneOf('Distribution', settings.text('distribution'), ['ll', 'spl']) as 'll',
        lambda: oneOf('Lambda', settings.text('lambda'), ['df', 'ttf']) as 'df',
        normalization: readNormalization(settings, isLucene7),
      }
    case 'DFI':
      return {
        kind,
        measure: named('IndependenceMeasure', settings.text('independence_measure'), MEASURES) as 'saturated',
      }
    case 'LMDirichlet': {
      const mu = settings.float('mu', 2000)
      if (!isLucene7) checkNonNegative('mu', mu)
      return { kind, mu }
    }
    case 'LMJelinekMercer': {
      const lambda = settings.float('lambda', 0.1)
      if (!isLucene7 && !(lambda > 0 && lambda <= 1)) throw illegalArgument('lambda must be in the range (0 .. 1]')
      return { kind, lambda }
    }
  }
}

function readNormalization(settings: SimilaritySettings, isLucene7: boolean): NormalizationFormula {
  const kind = oneOf('Normalization', settings.text('normalization'), ['no', 'h1', 'h2', 'h3', 'z']) as 'h2'
  if (kind === ('no' as string)) return { kind, parameter: 1 }
  const parameter = settings.float(
    `normalization.${kind}.${kind === ('z' as string) ? 'z' : 'c'}`,
    { no: 1, h1: 1, h2: 1, h3: 800, z: 0.3 }[kind],
  )
  if (isLucene7) return { kind, parameter }
  if (kind !== ('z' as string)) checkNonNegative(kind === ('h3' as string) ? 'mu' : 'c', parameter)
  else if (!(parameter > 0 && parameter < 0.5)) {
    throw illegalArgument(`illegal z value: ${javaFloat(parameter)}, must be in the range (0 .. 0.5)`)
  }
  return { kind, parameter }
}

function checkNonNegative(name: string, value: number): void {
  if (value >= 0 && Number.isFinite(value)) return
  throw illegalArgument(`illegal ${name} value: ${javaDouble(value)}, must be a non-negative finite value`)
}

function oneOf(what: string, name: string | undefined, names: readonly string[]): string {
  if (name !== undefined && names.includes(name)) return name
  throw illegalArgument(`Unsupported ${what} [${name ?? null}]`)
}

/** @param gone  says so of a name that was there in earlier versions */
function named(
  what: string,
  name: string | undefined,
  names: readonly string[],
  gone: (name: string) => string | undefined = () => undefined,
): string {
  if (name !== undefined && names.includes(name)) return name
  const reason = name === undefined ? undefined : gone(name)
  throw illegalArgument(reason ?? `Unsupported ${what} [${name ?? null}], expected one of [${names.join(', ')}]`)
}
