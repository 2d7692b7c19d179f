import type { EngineVersion } from '../engine-version.ts'
import type { Analyzer, CharFilter, TokenFilter, Tokenizer } from './analyzer.ts'
import type { ComponentSettings } from './component-settings.ts'
import type { IndexAnalyzers } from './index-analyzers.ts'
import type { CompileTokenScript } from './token-scripts.ts'

/** What a factory knows beside a component's own settings. */
export interface FactoryContext {
  /** The component's name in the settings (`my_tokenizer`), or the built-in's own. */
  readonly name: string
  readonly settings: ComponentSettings
  readonly engineVersion: EngineVersion
  /** Folder that `…_path` settings are relative to (`config/` of the data directory); undefined: no files. */
  readonly configDir: string | undefined
  /** True for an index that is there already, which keeps what a new one cannot have. */
  readonly isStored: boolean
  /** Compiles scripts about tokens. */
  readonly compileTokenScript?: CompileTokenScript | undefined
  /** A number among the index's own settings (`index.<name>`). */
  indexSetting(name: string, fallback: number): number
  /** Another filter, by its name; undefined where there is none, unless that is refused in words of its own. */
  otherFilter(name: string): TokenFilter | undefined
  /** The other components of the index, for filters that analyze words of their own (synonym, multiplexer). */
  readonly analyzers: IndexAnalyzers
}

/** Makes a tokenizer of one type. @throws {ServiceError} illegal_argument_exception for settings it cannot take */
export type TokenizerFactory = (context: FactoryContext) => Tokenizer

/** Makes a token filter of one type. @throws {ServiceError} illegal_argument_exception for settings it cannot take */
export type TokenFilterFactory = (context: FactoryContext) => TokenFilter

/** Makes a char filter of one type. @throws {ServiceError} illegal_argument_exception for settings it cannot take */
export type CharFilterFactory = (context: FactoryContext) => CharFilter

/** Makes an analyzer of one type (not `custom`). @throws {ServiceError} illegal_argument_exception */
export type AnalyzerFactory = (context: FactoryContext) => Analyzer
