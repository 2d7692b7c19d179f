import { illegalArgument } from '../../../../illegal-argument.ts'
import type { EngineVersion } from '../../../engine-version.ts'
import { javaFloat } from '../../../java/java-number-text.ts'
import { ownNames, similarityNamed } from '../../../mapping/similarity.ts'
import type { SimilarityScript, SimilarityScripts } from '../../../mapping/similarity-scripts.ts'
import type { MappingSettings } from '../../../mapping/types/parameter.ts'
import { type CompiledScript, compileScript } from '../../../script/compile/compile-script.ts'
import { inVersion, type ScriptContext } from '../../../script/script-context.ts'
import type { ClassDefinition } from '../../../script/values/script-class.ts'
import { ScriptObject } from '../../../script/values/script-object.ts'
import { illegalInQueryPhase, inQueryPhase } from '../../query-phase.ts'
import { findScript, scriptText } from '../../script/search-script.ts'
import { type Explanation, explainCount, explainMatch } from '../explanation.ts'
import { LENGTHS } from './bm25-constants.ts'
import { Bm25Weight } from './bm25-weight.ts'
import type { CollectionStatistics } from './collection-statistics.ts'
import type { Similarity, SimilarityWeight, TermStatistics } from './term-similarity.ts'

const fround = Math.fround
/** Lucene asks for the score of this frequency where it looks for the highest. */
const MOST = 3.4028234663852886e38
/** Norm byte of a length of one. */
const SHORTEST = 1

/** `query`, `field`, `term` or `doc` of a script. */
class Statistics extends ScriptObject {
  readonly className: string
  /** By name, as the type of its getter has it. */
  readonly values: Readonly<Record<string, number | bigint>>

  constructor(kind: keyof typeof GETTERS, values: Readonly<Record<string, number | bigint>>) {
    super()
    this.className = `org.elasticsearch.index.similarity.ScriptedSimilarity.${kind}`
    this.values = values
  }
}

const GETTERS = {
  Query: { boost: 'float' },
  Field: { docCount: 'long', sumDocFreq: 'long', sumTotalTermFreq: 'long' },
  Term: { docFreq: 'long', totalTermFreq: 'long' },
  Doc: { length: 'int', freq: 'float' },
} as const

const classes: readonly ClassDefinition[] = Object.entries(GETTERS).map(([kind, getters]) => ({
  name: `ScriptedSimilarity.${kind}`,
  javaName: `org.elasticsearch.index.similarity.ScriptedSimilarity.${kind}`,
  methods: Object.fromEntries(
    Object.entries(getters).map(([name, type]) => [
      `${type} get${name.charAt(0).toUpperCase()}${name.slice(1)}()`,
      ({ values }: Statistics) => values[name],
    ]),
  ),
}))

const weighed = {
  query: 'ScriptedSimilarity.Query',
  field: 'ScriptedSimilarity.Field',
  term: 'ScriptedSimilarity.Term',
}
const WEIGHT: ScriptContext = { name: 'similarity_weight', variables: weighed, returns: 'double', classes }
const SCORE: ScriptContext = {
  name: 'similarity',
  variables: { weight: 'double', ...weighed, doc: 'ScriptedSimilarity.Doc' },
  returns: 'double',
  classes,
}

/** Scores by scripts of the settings. */
export class ScriptedSimilarity implements Similarity {
  readonly #script: CompiledScript
  readonly #weightScript: CompiledScript | undefined
  readonly #description: string
  readonly #isLucene7: boolean

  /** @throws {ServiceError} script_exception for what does not compile */
  constructor({ script, weightScript }: SimilarityScripts, version: EngineVersion) {
    this.#script = compile(script, inVersion(SCORE, version))
    this.#weightScript = weightScript && compile(weightScript, inVersion(WEIGHT, version))
    this.#isLucene7 = version === 'Elasticsearch_6.8'
    const [weightText, text] = [weightScript, script].map((part) => (part === undefined ? null : textOf(part)))
    this.#description = `ScriptedSimilarity(weightScript=[${weightText}], script=[${text}])`
  }

  weigh(boost: number, collection: CollectionStatistics, terms: readonly TermStatistics[]): ScriptedWeight {
    const query = new Statistics('Query', { boost })
    const field = new Statistics('Field', {
      docCount: BigInt(collection.docCount),
      sumDocFreq: BigInt(collection.sumDocFreq),
      sumTotalTermFreq: this.#total(collection.sumTotalTermFreq, collection.sumDocFreq),
    })
    const weighedTerms = terms.map(({ docFreq, totalTermFreq }) => {
      const term = new Statistics('Term', {
        docFreq: BigInt(docFreq),
        totalTermFreq: this.#total(collection.sumTotalTermFreq < 0 ? -1 : totalTermFreq, docFreq),
      })
      const variables = { query, field, term }
      return { ...variables, weight: inQueryPhase(() => (this.#weightScript?.run(variables) ?? 1) as number) }
    })
    return new ScriptedWeight(this.#script, weighedTerms, this.#description, this.#isLucene7)
  }

  /** How often something occurs, where that was indexed. */
  #total(count: number, documents: number): bigint {
    if (count >= 0) return BigInt(count)
    return this.#isLucene7 ? -1n : BigInt(documents)
  }
}

interface WeighedTerm {
  readonly query: Statistics
  readonly field: Statistics
  readonly term: Statistics
  readonly weight: number
}

/** Terms that are scored by a script. */
class ScriptedWeight extends Bm25Weight implements SimilarityWeight {
  /** Nothing is known of what a script answers. */
  readonly maxScore = Number.POSITIVE_INFINITY
  protected override readonly keepsScores = false
  readonly #script: CompiledScript
  readonly #terms: readonly WeighedTerm[]
  readonly #description: string
  readonly #isLucene7: boolean

  constructor(script: CompiledScript, terms: readonly WeighedTerm[], description: string, isLucene7: boolean) {
    super()
    this.#script = script
    this.#terms = terms
    this.#description = description
    this.#isLucene7 = isLucene7
  }

  /** @throws {ServiceError} script_exception; illegal_argument_exception for a negative score, but not in 6.8 */
  score(freq: number, norm: number): number {
    const score = this.trustedScore(freq, norm)
    if (!(score < 0) || this.#isLucene7) return score
    // The real server sees it where it looks for the highest score there may be, if that is negative too.
    const isEver = this.trustedScore(MOST, SHORTEST) < 0
    const told = explanationText(
      this.explain(0, explainMatch(isEver ? MOST : freq, 'term freq'), isEver ? SHORTEST : norm),
    )
    throw illegalInQueryPhase(`Similarities must not produce negative scores, but got:\n${told}`)
  }

  /** A score that may be negative. */
  trustedScore(freq: number, norm: number): number {
    const doc = documentOf(freq, norm)
    let sum = 0
    for (const term of this.#terms) sum = fround(sum + this.#scoreOf(term, doc))
    return sum
  }

  explain(_doc: number, freq: Explanation, norm: number): Explanation {
    const doc = documentOf(freq.value, norm)
    const parts = this.#terms.map((term) => this.#explainTerm(term, doc, freq))
    if (parts.length === 1) return parts[0] as Explanation
    return explainMatch(this.trustedScore(freq.value, norm), 'Sum of:', parts)
  }

  #scoreOf(term: WeighedTerm, doc: Statistics): number {
    return fround(inQueryPhase(() => this.#script.run({ ...term, doc }) as number))
  }

  #explainTerm(term: WeighedTerm, doc: Statistics, freq: Explanation): Explanation {
    const count = this.#isLucene7 ? explainMatch : explainCount
    const counts = ({ values }: Statistics, kind: string): Explanation[] =>
      Object.entries(values).map(([name, value]) => count(Number(value), `${kind}.${name}`))
    return explainMatch(this.#scoreOf(term, doc), `score from ${this.#description} computed from:`, [
      explainMatch(fround(term.weight), 'weight'),
      explainMatch(term.query.values['boost'] as number, 'query.boost'),
      ...counts(term.field, 'field'),
      ...counts(term.term, 'term'),
      { ...freq, description: 'doc.freq' },
      count(doc.values['length'] as number, 'doc.length'),
    ])
  }
}

/** Says what is wrong with how the scripts of similarities score: for frequencies and lengths that occur everywhere. */
export function* scriptedFaults(settings: MappingSettings, engineVersion: EngineVersion): Iterable<string> {
  for (const name of ownNames(settings)) {
    const scripts = similarityNamed(name, { settings, engineVersion })?.parameters?.scripts
    if (scripts !== undefined) yield* faultsOf(scripts, engineVersion)
  }
}

/**
 * Checks that the scripts of similarities compile and run; from 7 on their scores, too.
 *
 * @throws {ServiceError} script_exception, illegal_argument_exception
 */
export function checkScriptedSimilarities(settings: MappingSettings, engineVersion: EngineVersion): void {
  for (const fault of scriptedFaults(settings, engineVersion)) {
    if (engineVersion !== 'Elasticsearch_6.8') throw illegalArgument(fault)
  }
}

function* faultsOf(scripts: SimilarityScripts, version: EngineVersion): Iterable<string> {
  const isLucene7 = version === 'Elasticsearch_6.8'
  const count = isLucene7 ? explainMatch : explainCount
  const collection = { field: 'some_field', maxDoc: 1200, docCount: 1100, sumTotalTermFreq: 3000, sumDocFreq: 2000 }
  const weight = new ScriptedSimilarity(scripts, version).weigh(2, collection, [
    { term: 'some_value', docFreq: 100, totalTermFreq: 130 },
  ])
  const explain = (freq: number, length: number): string =>
    explanationText(weight.explain(0, count(freq, 'term freq'), length))
  const most = 10
  for (let freq = 1; freq <= most; freq++) {
    if (!(weight.trustedScore(freq, 20) < 0)) continue
    yield `Similarities should not return negative scores:\n${explain(freq, 20)}`
    break
  }
  for (let freq = 2; freq <= most; freq++) {
    if (!(weight.trustedScore(freq, 20) < weight.trustedScore(freq - 1, 20))) continue
    yield `Similarity scores should not decrease when term frequency increases:\n${explain(freq - 1, 20)}\n${explain(freq, 20)}`
    break
  }
  // Norms of such lengths are the lengths themselves.
  for (let length = 2; length <= most; length++) {
    if (!(weight.trustedScore(1, length) > weight.trustedScore(1, length - 1))) continue
    yield `Similarity scores should not increase when norm increases:\n${explain(1, length - 1)}\n${explain(1, length)}`
    break
  }
}

function documentOf(freq: number, norm: number): Statistics {
  return new Statistics('Doc', { length: norm < 0 ? 1 : (LENGTHS[norm] as number), freq })
}

function compile(script: SimilarityScript, context: ScriptContext): CompiledScript {
  return compileScript(findScript(searchScript(script), context), context)
}

function searchScript({ lang, source, params }: SimilarityScript) {
  return { script: { kind: 'inline', lang, source }, params } as const
}

function textOf(script: SimilarityScript): string {
  return scriptText(searchScript(script))
}

/** An explanation as Lucene writes it: a line each, what it is made of indented. */
function explanationText({ value, integer, description, details }: Explanation, indent = ''): string {
  const line = `${indent}${integer ? value : javaFloat(value)} = ${description}\n`
  return line + details.map((detail) => explanationText(detail, `${indent}  `)).join('')
}
