import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { ChainAnalyzer } from '../../src/engine/analysis/chain-analyzer.ts'
import { ComponentSettings } from '../../src/engine/analysis/component-settings.ts'
import type { FactoryContext } from '../../src/engine/analysis/factories.ts'
import type { IndexAnalyzers } from '../../src/engine/analysis/index-analyzers.ts'
import {
  koreanAnalyzers,
  koreanTokenFilterFactories,
  koreanTokenizerFactories,
} from '../../src/engine/analysis/korean/korean-analysis.ts'
import { type NoriTokenAttributes, PART_OF_SPEECH } from '../../src/engine/analysis/korean/korean-attributes.ts'
import type { TokenBuffer } from '../../src/engine/analysis/token-buffer.ts'
import type { EngineVersion } from '../../src/engine/engine-version.ts'

/** term, start, end, position increment, position length, type (the left tag for nori). */
export type GoldenToken = [string, number, number, number, number, string]

/** A text with the tokens that the originals make of it, by configuration; an error where the original threw. */
export interface GoldenText {
  readonly id: string
  readonly text: string
  readonly configs: Readonly<Record<string, GoldenToken[] | { readonly error: string }>>
}

/** Options of a tokenizer as in the settings, with `tokenizer` or `analyzer`, and `filters` by type. */
export type GoldenConfig = Readonly<Record<string, string | boolean | number | readonly string[]>>

/** What comparing one configuration gave. */
export interface GoldenComparison {
  /** Texts that have tokens in the golden file; those for which the original threw do not count. */
  readonly compared: number
  readonly different: readonly {
    readonly id: string
    readonly text: string
    readonly expected: GoldenToken[]
    readonly actual: GoldenToken[]
  }[]
}

const root = join(import.meta.dirname, '..', '..')

/** Committed golden texts and configurations. */
export const vectorsDir = join(root, 'test', 'vectors', 'korean')

/** The full golden file; it lies beside the checkout and may be absent. */
export const goldenFile = join(root, '..', 'shared', 'korean', 'goldens.jsonl.gz')

/** Options by configuration. `seunjeon.X` of the golden file has those of `seunjeon211.X`, with another dictionary. */
export const goldenConfigs = JSON.parse(readFileSync(join(vectorsDir, 'configs.json'), 'utf8')) as Readonly<
  Record<string, GoldenConfig>
>

/** Reads golden texts, one a line; gzipped when the name says so. */
export function readGoldens(file: string): GoldenText[] {
  const bytes = readFileSync(file)
  return (file.endsWith('.gz') ? gunzipSync(bytes) : bytes)
    .toString('utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as GoldenText)
}

/**
 * Compares every column of every token.
 *
 * @param name       configuration in the golden file
 * @param config     its options
 * @param configDir  folder of the dictionary that the options name
 */
export function compareGoldens(
  name: string,
  texts: readonly GoldenText[],
  config: GoldenConfig,
  configDir?: string,
): GoldenComparison {
  const analyze = analyzerOf(name, config, configDir)
  const different: GoldenComparison['different'][number][] = []
  let compared = 0
  for (const { id, text, configs } of texts) {
    const expected = configs[name]
    const actual = analyze(text)
    // Where the original threw (U+FFFF alone), anything but a crash is right.
    if (!Array.isArray(expected)) continue
    compared++
    if (JSON.stringify(actual) !== JSON.stringify(expected)) different.push({ id, text, expected, actual })
  }
  return { compared, different }
}

const NO_ANALYZERS: IndexAnalyzers = {
  analyzer: () => undefined,
  normalizer: () => undefined,
  tokenizer: () => undefined,
  tokenFilter: () => undefined,
  charFilter: () => undefined,
}

function analyzerOf(
  name: string,
  config: GoldenConfig,
  configDir: string | undefined,
): (text: string) => GoldenToken[] {
  const isNori = name.startsWith('nori')
  const { tokenizer, filters, analyzer, ...options } = config
  const settings = Object.entries(options).map(([key, value]) => [
    key,
    typeof value === 'object' ? value : String(value),
  ])
  const context: FactoryContext = {
    name: 'golden',
    settings: new ComponentSettings(Object.fromEntries(settings)),
    engineVersion: versionOf(name),
    isStored: false,
    configDir,
    analyzers: NO_ANALYZERS,
    otherFilter: () => undefined,
    indexSetting: (_, fallback) => fallback,
  }
  if (analyzer !== undefined) {
    const made = koreanAnalyzers[String(analyzer)]!(context)
    return (text) => tokensOf(made.analyze(text), isNori)
  }
  const chain = new ChainAnalyzer('golden', {
    charFilters: [],
    tokenizer: koreanTokenizerFactories[String(tokenizer)]!(context),
    tokenFilters: ((filters ?? []) as string[]).map((type) =>
      koreanTokenFilterFactories[type]!({ ...context, settings: new ComponentSettings({}) }),
    ),
  })
  return (text) => tokensOf(chain.analyze(text), isNori)
}

function versionOf(name: string): EngineVersion {
  if (name.startsWith('nori9')) return 'OpenSearch_2.19'
  return name.startsWith('nori87') ? 'Elasticsearch_7.10' : 'Elasticsearch_6.8'
}

function tokensOf(tokens: TokenBuffer, isNori: boolean): GoldenToken[] {
  return Array.from({ length: tokens.length }, (_, i) => {
    const attributes = tokens.attributes[i] as NoriTokenAttributes | undefined
    return [
      tokens.terms[i]!,
      tokens.startOffsets[i]!,
      tokens.endOffsets[i]!,
      tokens.positionIncrements[i]!,
      tokens.positionLengths[i]!,
      isNori ? attributes![PART_OF_SPEECH].leftPOS.replace(/\(.*/, '') : tokens.types[i]!,
    ]
  })
}
