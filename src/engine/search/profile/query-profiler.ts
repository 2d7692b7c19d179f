import type { Leaf } from '../lucene/leaf.ts'
import type { BatchSink, BulkScorer, Scorer } from '../lucene/scorer.ts'
import type { TopScorer } from '../lucene/top-scorer.ts'
import type { Weight } from '../lucene/weight.ts'
import { type MeasuredStep, measured, nanosSince, newStep } from './measured-step.ts'

/** What a part of a query spent its time with. Steps that its execution does not have stay at 0. */
export interface QuerySteps {
  readonly createWeight: MeasuredStep
  /** Opening a segment: looking terms up, working sets out. */
  readonly buildScorer: MeasuredStep
  /** Going through matches; counts documents. A way through whole batches scores them on the way. */
  readonly nextDoc: MeasuredStep
  readonly advance: MeasuredStep
  readonly match: MeasuredStep
  readonly score: MeasuredStep
}

/** A part of a query with those inside it. */
export interface QueryProfile {
  /** Lucene's name of its kind. */
  readonly type: string
  readonly description: string
  readonly steps: QuerySteps
  readonly children: QueryProfile[]
}

interface Node extends QueryProfile {
  /** True while one of its steps is being measured: what that step does by others of its own is part of it. */
  busy: boolean
}

/** Measures the queries of a search in one index. Weights are measured in place, so that all ways of searching stay open. */
export class QueryProfiler {
  readonly roots: QueryProfile[] = []
  readonly #around: Node[] = []

  /** Has a query's weight made and measures it and all it does. `query` is a LuceneQuery. */
  weigh(query: object, make: () => Weight): Weight {
    const node: Node = {
      type: luceneName(query as Profiled),
      description: String(query),
      steps: {
        createWeight: newStep(),
        buildScorer: newStep(),
        nextDoc: newStep(),
        advance: newStep(),
        match: newStep(),
        score: newStep(),
      },
      children: [],
      busy: false,
    }
    ;(this.#around.at(-1)?.children ?? this.roots).push(node)
    this.#around.push(node)
    try {
      return measureWeight(measured(node.steps.createWeight, make), node)
    } finally {
      this.#around.pop()
    }
  }
}

/** Lucene's names of queries that are called otherwise here. */
const LUCENE_NAMES: Readonly<Record<string, string>> = {
  BlockJoinQuery: 'ESToParentBlockJoinQuery',
  FunctionScoreLuceneQuery: 'FunctionScoreQuery',
  MultiTermQuery: 'MultiTermQueryConstantScoreWrapper',
  ScriptLuceneQuery: 'ScriptQuery',
  ScriptScoreLuceneQuery: 'ScriptScoreQuery',
}

/** A query, which may be told as one of another kind. */
interface Profiled {
  readonly profiledAs: string | Profiled
}

function luceneName(query: Profiled): string {
  const { profiledAs } = query
  if (typeof profiledAs === 'string') return profiledAs
  if (profiledAs !== query) return luceneName(profiledAs)
  // A bundle numbers classes whose names meet.
  const name = query.constructor.name.replace(/^_|\d+$/g, '')
  if (name !== 'MadeSetQuery' && name !== 'DocScoreQuery') return LUCENE_NAMES[name] ?? name
  // Their texts begin with the names of what they stand for.
  return /^(\w+Query)\b/.exec(String(query))?.[1] ?? 'DocIdSetQuery'
}

function measureWeight(weight: Weight, node: Node): Weight {
  const { steps } = node
  const building = <A extends readonly unknown[], V>(take: (...args: A) => V): ((...args: A) => V) =>
    exclusive(node, steps.buildScorer, take.bind(weight))
  weight.count = building(weight.count)
  weight.docSet = building(weight.docSet)
  weight.summedTerms = building(weight.summedTerms)
  weight.windowSources = building(weight.windowSources)
  const scorer = building(weight.scorer)
  weight.scorer = (leaf: Leaf) => measureScorer(scorer(leaf), node)
  const bulkScorer = building(weight.bulkScorer)
  weight.bulkScorer = (leaf: Leaf) => measureBulk(bulkScorer(leaf), node)
  const topScorer = building(weight.topScorer)
  weight.topScorer = (leaf: Leaf) => measureTop(topScorer(leaf), node)
  return weight
}

/** A function whose calls are measured, but for those it makes of the same node's others. */
function exclusive<A extends readonly unknown[], V>(
  node: Node,
  step: MeasuredStep,
  take: (...args: A) => V,
): (...args: A) => V {
  return (...args) => {
    if (node.busy) return take(...args)
    node.busy = true
    try {
      return measured(step, () => take(...args))
    } finally {
      node.busy = false
    }
  }
}

function measureScorer(scorer: Scorer | undefined, node: Node): Scorer | undefined {
  if (scorer === undefined) return undefined
  const { steps } = node
  scorer.nextDoc = exclusive(node, steps.nextDoc, scorer.nextDoc.bind(scorer))
  scorer.advance = exclusive(node, steps.advance, scorer.advance.bind(scorer))
  scorer.score = exclusive(node, steps.score, scorer.score.bind(scorer))
  const { twoPhase } = scorer
  if (twoPhase !== undefined) twoPhase.matches = exclusive(node, steps.match, twoPhase.matches.bind(twoPhase))
  return scorer
}

/** Time spent in a walk through documents, without that of those who take them. */
function walking(node: Node, sink: BatchSink, walk: (sink: BatchSink) => void): void {
  let outside = 0
  let documents = 0
  const started = performance.now()
  const wasBusy = node.busy
  node.busy = true
  try {
    walk((docs, scores, count) => {
      const handed = performance.now()
      documents += count
      const goesOn = sink(docs, scores, count)
      outside += nanosSince(handed)
      return goesOn
    })
  } finally {
    node.busy = wasBusy
    node.steps.nextDoc.count += documents
    node.steps.nextDoc.nanos += Math.max(0, nanosSince(started) - outside)
  }
}

function measureBulk(bulk: BulkScorer | undefined, node: Node): BulkScorer | undefined {
  if (bulk === undefined) return undefined
  return {
    ...(bulk.cost === undefined ? {} : { cost: bulk.cost }),
    score: (sink, accept, floor) => walking(node, sink, (timed) => bulk.score(timed, accept, floor)),
  }
}

function measureTop(top: TopScorer | undefined, node: Node): TopScorer | undefined {
  if (top === undefined) return undefined
  return {
    collect: (sink, accept, floor, limit) => {
      let count = 0
      walking(node, sink, (timed) => {
        count = top.collect(timed, accept, floor, limit)
      })
      return count
    },
  }
}
