import { AnalysisComponents, type AnalysisOptions } from './analysis-components.ts'
import type { FlatAnalysisSettings } from './component-settings.ts'

/**
 * The analyzers of an index: its own (`index.analysis.*`, all made and so checked at once) and the built-in ones, made
 * when first asked for. `createIndexAnalyzers({}, options)` has the built-in ones alone.
 *
 * @throws {ServiceError} illegal_argument_exception that names the component and what is wrong with it
 */
export function createIndexAnalyzers(settings: FlatAnalysisSettings, options: AnalysisOptions): AnalysisComponents {
  const analyzers = new AnalysisComponents(settings, options)
  analyzers.makeOwn()
  return analyzers
}
