/**
 * Speed, load time and memory of the Korean tokenizers, beside the originals on a JVM.
 *
 *   npx tsx bench/korean.ts                 everything; needs ../shared/bench/data, and a JDK and Maven for the originals
 *   npx tsx bench/korean.ts --no-java       chaja alone
 *   npx tsx bench/korean.ts --rounds 5      so many interleaved rounds (3)
 *   npx tsx bench/korean.ts --seconds 1     of CPU time a measurement (4), after two of warm-up
 *
 * Corpus: the first 20,000 reviews of nsmc. Units are UTF-16 code units a second of CPU time of the analysing process
 * (Java: of its thread, without the collector's), after warm-up; the best of the rounds, in which the two take turns.
 * Every figure of chaja comes from a process of its own.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { gunzipSync } from 'node:zlib'
import type { Analyzer } from '../src/engine/analysis/analyzer.ts'
import { createIndexAnalyzers } from '../src/engine/analysis/create-index-analyzers.ts'
import { exportLoadedDictionaries, koreanDictionaryFor } from '../src/engine/analysis/korean/dictionaries.ts'
import type { DictionaryKind } from '../src/engine/analysis/korean/dictionary-columns.ts'
import { Originals } from './korean-java/originals.ts'

const corpus = join(import.meta.dirname, '..', '..', 'shared', 'bench', 'data', 'nsmc-100k.ndjson.gz')
const REVIEWS = 20_000
const WARM_UP_MS = 2000
const LENGTHS = [1_000, 10_000, 100_000, 1_000_000]

/** Index settings with an analyzer for each tokenizer and a way it is used. */
const SETTINGS = {
  'index.analysis.tokenizer.words.type': 'seunjeon_tokenizer',
  'index.analysis.tokenizer.words.index_eojeol': 'false',
  'index.analysis.analyzer.seunjeon.tokenizer': 'words',
  'index.analysis.analyzer.eojeol.tokenizer': 'seunjeon_tokenizer',
  'index.analysis.analyzer.discard.tokenizer': 'nori_tokenizer',
}
const ANALYZERS = { 'seunjeon, no eojeol': 'seunjeon', seunjeon: 'eojeol', 'nori discard': 'discard', nori: 'nori' }

const { values: options } = parseArgs({
  options: {
    measure: { type: 'string' },
    analyzer: { type: 'string', default: '' },
    java: { type: 'boolean', default: true },
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '4' },
  },
  allowNegative: true,
})

if (!existsSync(corpus)) {
  console.log(`skipped: ${corpus} is absent`)
} else if (options.measure === undefined) runAll()
else console.log(JSON.stringify(measure(options.measure, options.analyzer)))

function measure(what: string, name: string): unknown {
  switch (what) {
    case 'speed':
      return speed(analyzerNamed(name), reviews())
    case 'growth':
      return growth(analyzerNamed(name))
    case 'load':
      return load([name as DictionaryKind])
    case 'memory':
      return load(['seunjeon', 'nori'])
    case 'first-index':
      return firstIndex()
    default:
      throw new Error(`no measure ${what}`)
  }
}

/** Milliseconds of the analyzers of a first index: the seunjeon tokenizer's, dictionary and all. */
function firstIndex(): number {
  const settings = {
    'index.analysis.tokenizer.words.type': 'seunjeon_tokenizer',
    'index.analysis.analyzer.seunjeon.tokenizer': 'words',
  }
  return millis(() => createIndexAnalyzers(settings, { engineVersion: 'Elasticsearch_6.8' }))
}

function analyzerNamed(name: string): Analyzer {
  return createIndexAnalyzers(SETTINGS, { engineVersion: 'Elasticsearch_6.8' }).analyzer(name)!
}

function reviews(): string[] {
  return gunzipSync(readFileSync(corpus))
    .toString('utf8')
    .split('\n', REVIEWS)
    .map((line) => (JSON.parse(line) as { review: string }).review)
}

/** Units a second of CPU time. */
function speed(analyzer: Analyzer, texts: readonly string[]): number {
  const units = texts.reduce((sum, text) => sum + text.length, 0)
  const pass = (): void => {
    for (const text of texts) analyzer.analyze(text)
  }
  for (let warm = 0; warm < WARM_UP_MS; ) warm += cpuMs(pass)
  let done = 0
  let spent = 0
  while (spent < Number(options.seconds) * 1000) {
    spent += cpuMs(pass)
    done += units
  }
  return (done / spent) * 1000
}

/** Microseconds of CPU time a unit by length of one text: reviews joined by spaces, without a line feed. */
function growth(analyzer: Analyzer): number[] {
  const text = reviews().join(' ').repeat(2)
  for (let i = 0; i < 20; i++) analyzer.analyze(text.slice(0, 50_000))
  return LENGTHS.map((length) => {
    const part = text.slice(0, length)
    const times = Math.max(3, 300_000 / length)
    let least = Number.POSITIVE_INFINITY
    for (let round = 0; round < 3; round++) {
      const spent = cpuMs(() => {
        for (let i = 0; i < times; i++) analyzer.analyze(part)
      })
      least = Math.min(least, spent / times)
    }
    return (least * 1000) / length
  })
}

/** Loading dictionaries: milliseconds (elapsed and of CPU time), and megabytes the process holds afterwards. */
function load(kinds: readonly DictionaryKind[]): Loaded {
  const heap = (): number => {
    globalThis.gc?.()
    globalThis.gc?.()
    const { heapUsed, arrayBuffers } = process.memoryUsage()
    return heapUsed + arrayBuffers
  }
  const rssBefore = process.memoryUsage.rss()
  const heapBefore = heap()
  let cpu = 0
  const ms = millis(() => {
    cpu = cpuMs(() => {
      for (const kind of kinds) koreanDictionaryFor(kind)
    })
  })
  // Memory shared with WebAssembly is counted nowhere.
  const images = exportLoadedDictionaries().reduce((bytes, { image }) => bytes + image.buffer.byteLength, 0)
  return {
    ms,
    cpu,
    rssMb: (process.memoryUsage.rss() - rssBefore) / 1e6,
    heldMb: (heap() - heapBefore + images) / 1e6,
  }
}

interface Loaded {
  readonly ms: number
  readonly cpu: number
  readonly rssMb: number
  readonly heldMb: number
}

function runAll(): void {
  const rounds = Number(options.rounds)
  const java = options.java ? new Originals(reviews(), Number(options.seconds)) : undefined
  try {
    console.log(`Node ${process.version}, ${cpus()[0]?.model} x ${cpus().length}\n`)
    const best = new Map<string, number>()
    const keep = (key: string, value: number) => best.set(key, Math.max(best.get(key) ?? 0, value))
    for (let round = 0; round < rounds; round++) {
      for (const [title, name] of Object.entries(ANALYZERS)) keep(title, child<number>('speed', name))
      if (java === undefined) continue
      keep('seunjeon, no eojeol, Java', java.seunjeon())
      keep('nori discard, Java', java.nori())
    }
    console.log('million units a second')
    for (const [title, value] of best) console.log(`  ${title.padEnd(28)} ${(value / 1e6).toFixed(2)}`)
    console.log(`\nmicroseconds a unit, one text of ${LENGTHS.join(', ')} units`)
    for (const [title, name] of Object.entries(ANALYZERS)) {
      const each = child<number[]>('growth', name).map((value) => value.toFixed(2))
      console.log(`  ${title.padEnd(28)} ${each.join('  ')}`)
    }
    console.log('\nloading (the least of five)')
    for (const kind of ['seunjeon', 'nori']) {
      const all = Array.from({ length: 5 }, () => child<Loaded>('load', kind))
      const least = (of: (loaded: Loaded) => number) => Math.min(...all.map(of)).toFixed(0)
      console.log(`  ${kind.padEnd(28)} ${least((l) => l.ms)} ms (${least((l) => l.cpu)} ms of CPU time)`)
    }
    const both = child<Loaded>('memory')
    console.log(
      `  ${'both, memory held'.padEnd(28)} ${both.heldMb.toFixed(0)} MB (resident ${both.rssMb.toFixed(0)} MB)`,
    )
    const first = Math.min(...Array.from({ length: 5 }, () => child<number>('first-index')))
    console.log(`  ${'analyzers of a first index'.padEnd(28)} ${first.toFixed(0)} ms`)
  } finally {
    java?.close()
  }
}

function child<T>(what: string, analyzer = ''): T {
  const args = [
    '--expose-gc',
    '--import',
    'tsx',
    import.meta.filename,
    '--measure',
    what,
    '--analyzer',
    analyzer,
    '--seconds',
    options.seconds,
  ]
  return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' })) as T
}

function millis(run: () => void): number {
  const start = performance.now()
  run()
  return performance.now() - start
}

function cpuMs(run: () => void): number {
  const before = process.cpuUsage()
  run()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}
