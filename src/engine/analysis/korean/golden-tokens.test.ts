import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import type { EngineVersion } from '../../engine-version.ts'
import { ChainAnalyzer } from '../chain-analyzer.ts'
import { ComponentSettings } from '../component-settings.ts'
import type { FactoryContext } from '../factories.ts'
import type { IndexAnalyzers } from '../index-analyzers.ts'
import type { TokenBuffer } from '../token-buffer.ts'
import { koreanAnalyzers, koreanTokenFilterFactories, koreanTokenizerFactories } from './korean-analysis.ts'
import { type NoriTokenAttributes, PART_OF_SPEECH } from './korean-attributes.ts'

/** term, start, end, position increment, position length, type (the left tag for nori). */
type GoldenToken = [string, number, number, number, number, string]

interface GoldenText {
  readonly id: string
  readonly text: string
  readonly configs: Readonly<Record<string, GoldenToken[] | { readonly error: string }>>
}

type Config = Readonly<Record<string, string | boolean | number | readonly string[]>>

const NO_ANALYZERS: IndexAnalyzers = {
  analyzer: () => undefined,
  normalizer: () => undefined,
  tokenizer: () => undefined,
  tokenFilter: () => undefined,
  charFilter: () => undefined,
}

const root = join(import.meta.dirname, '../../../..')
const vectors = join(root, 'test/vectors/korean')
const shared = join(root, '../shared/korean')

const configs: Record<string, Config> = readJson(join(vectors, 'configs.json'))
const hasShared = existsSync(join(shared, 'goldens.jsonl.gz'))
if (!hasShared) console.warn(`skipping the golden tokens of 3,047 texts: no ${shared}`)

describe('seunjeon and nori against their originals', () => {
  const sample = readLines(readFileSync(join(vectors, 'sample.jsonl'), 'utf8'))

  it.each(Object.keys(configs))('%s gives the tokens of the original on the committed sample', (name) => {
    expect(differences(name, sample)).toEqual([])
  })
})

describe.skipIf(!hasShared)('seunjeon and nori against their originals, at length', () => {
  const texts = hasShared ? readLines(gunzipSync(readFileSync(join(shared, 'goldens.jsonl.gz'))).toString('utf8')) : []

  it.each(Object.keys(configs))('%s gives the tokens of the original on every text', (name) => {
    // Lucene 8.7 is in the sample only.
    if (!name.startsWith('nori87')) expect(differences(name, texts)).toEqual([])
  })
})

function differences(name: string, texts: readonly GoldenText[]): unknown[] {
  const analyze = analyzerOf(name, configs[name]!)
  const different: unknown[] = []
  for (const { id, text, configs: goldens } of texts) {
    const expected = goldens[name]
    const actual = analyze(text)
    // Where the original threw (U+FFFF alone), anything but a crash is right.
    if (Array.isArray(expected) && JSON.stringify(actual) !== JSON.stringify(expected)) {
      different.push({ id, text, expected, actual })
    }
  }
  return different
}

function analyzerOf(name: string, config: Config): (text: string) => GoldenToken[] {
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
    configDir: undefined,
    analyzers: NO_ANALYZERS,
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

function readJson<T>(file: string): T {
  return JSON.parse(readFileSync(file, 'utf8')) as T
}

function readLines(text: string): GoldenText[] {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as GoldenText)
}
