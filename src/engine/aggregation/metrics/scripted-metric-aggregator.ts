import type { SegmentReader } from '../../index/segment-reader.ts'
import { type CompiledScript, compileScript, type ScriptSpending } from '../../script/compile/compile-script.ts'
import type { DeprecatedUse } from '../../script/deprecated-use.ts'
import { keptBytes } from '../../script/kept-bytes.ts'
import type { ScriptContext } from '../../script/script-context.ts'
import { scriptValueOf } from '../../script/values/script-json.ts'
import { ScriptList } from '../../script/values/script-list.ts'
import { ScriptMap } from '../../script/values/script-map.ts'
import type { ScriptValue } from '../../script/values/script-value.ts'
import { refuseSelfReferences } from '../../script/values/self-references.ts'
import { inQueryPhase } from '../../search/query-phase.ts'
import { DocLookup } from '../../search/script/doc-lookup.ts'
import { DocParams } from '../../search/script/script-params.ts'
import { searchContext } from '../../search/script/search-contexts.ts'
import { findScript, type SearchScript } from '../../search/script/search-script.ts'
import type { AggregationContext, SegmentScope } from '../aggregation-context.ts'
import type { ScriptedMetricResult } from '../aggregation-result.ts'
import { Aggregator, GAP } from '../aggregator.ts'
import type { DocBatch } from '../doc-batch.ts'
import { inReducePhase } from '../pipelines/pipeline-script.ts'

/** `scripted_metric`: whatever four scripts make of the documents. */
export interface ScriptedMetricDefinition {
  readonly kind: 'scripted_metric'
  readonly init: SearchScript | undefined
  readonly map: SearchScript
  /** Undefined (6.x): an index' state is its result. */
  readonly combine: SearchScript | undefined
  /** Undefined (6.x): the list of the indices' results is the value. */
  readonly reduce: SearchScript | undefined
  /** What all but the last script find among their parameters. */
  readonly params: Readonly<Record<string, unknown>>
}

/** What 6.x warns of: the same object for the same warning. */
const PARTS = { combine: part('combineScript'), reduce: part('reduceScript') }
const STATES = { init: seen('_agg', 'init'), map: seen('_agg', 'map'), combine: seen('_agg', 'combine') }
const REDUCED = seen('_aggs', 'reduce')
const DOCS: Readonly<Record<'doc' | '_doc', DeprecatedUse>> = {
  doc: { name: 'script_metric_doc', words: ['doc'] },
  _doc: { name: 'script_metric_doc', words: ['_doc'] },
}

function part(name: string): DeprecatedUse {
  return { name: 'script_metric_part', words: [name] }
}

function seen(state: '_agg' | '_aggs', script: string): DeprecatedUse {
  return { name: 'script_metric_state', words: [state, state, script] }
}

/** Parameters of 6.x, with the state among them: to ask for it there is deprecated. */
class ParamsWithState extends ScriptMap {
  readonly #name: '_agg' | '_aggs'
  readonly #heard: () => void

  constructor(params: Readonly<Record<string, unknown>>, name: '_agg' | '_aggs', heard: () => void) {
    super()
    this.#name = name
    this.#heard = heard
    for (const [key, value] of Object.entries(params)) this.put(key, scriptValueOf(value))
  }

  override get(key: ScriptValue): ScriptValue {
    if (key === this.#name) this.#heard()
    return super.get(key)
  }
}

interface Step {
  readonly name: keyof typeof STATES
  readonly script: CompiledScript
  readonly params: Readonly<Record<string, unknown>>
}

/** What scripts keep of the documents of one index in one bucket. */
interface State {
  readonly state: ScriptMap
  readonly mapParams: ScriptMap
  /** Parameters of the map script over the segment that is open. */
  docParams: { readonly reader: SegmentReader; readonly params: DocParams } | undefined
}

/** Bytes of the heap that a script fills at most with what is counted as one made: a number in a list is counted by its place. */
const MOST_TAKEN = 8

/** What a state is counted as among what scripts make: two maps with what is around them. */
const STATE_SPENT = 96

function* statesOf(states: readonly ReadonlyMap<number, State>[]): Iterable<ScriptMap> {
  for (const byBucket of states) {
    for (const { state, mapParams } of byBucket.values()) {
      yield state
      yield mapParams
    }
  }
}

/** Keeps a state by index and bucket. */
export class ScriptedMetricAggregator extends Aggregator {
  readonly needsScores: boolean
  readonly #context: AggregationContext
  readonly #isEverywhere: boolean
  readonly #isTopLevel: boolean
  readonly #init: Step | undefined
  readonly #map: Step
  readonly #combine: Step | undefined
  readonly #definition: ScriptedMetricDefinition
  /** By index, then bucket. */
  readonly #states: Map<number, State>[]
  readonly #is6: boolean
  readonly #spent: ScriptSpending = { bytes: 0, steps: 0 }
  /** What scripts may have made before it is looked again at what they keep. */
  #nextLook = 0
  /** What they kept when it was looked at last. */
  #keptBytes = 0
  #scope: SegmentScope | undefined
  #doc: DocLookup | undefined

  /**
   * @param options.isEverywhere  whether every index has each of the buckets around, whatever documents it has
   * @throws {ServiceError} script_exception
   */
  constructor(
    definition: ScriptedMetricDefinition,
    context: AggregationContext,
    { isTopLevel, isEverywhere }: { readonly isTopLevel: boolean; readonly isEverywhere: boolean },
  ) {
    super()
    this.#definition = definition
    this.#context = context
    this.#isTopLevel = isTopLevel
    this.#isEverywhere = isEverywhere
    this.#is6 = context.engineVersion === 'Elasticsearch_6.8'
    if (this.#is6)
      for (const name of ['combine', 'reduce'] as const) if (definition[name] === undefined) this.#heard(PARTS[name])
    this.#init = this.#step(definition.init, 'init')
    this.#map = this.#step(definition.map, 'map') as Step
    this.#combine = this.#step(definition.combine, 'combine')
    this.needsScores = this.#map.script.uses.has('_score')
    this.#states = context.searchers.map(() => new Map<number, State>())
    this.#nextLook = context.memory.left / MOST_TAKEN
  }

  override get hasScripts(): boolean {
    return true
  }

  #heard(use: DeprecatedUse): void {
    this.#definition.map.heard?.(use)
  }

  #step(script: SearchScript | undefined, name: Step['name']): Step | undefined {
    if (script === undefined) return undefined
    const context: ScriptContext = searchContext(`aggs_${name}`, this.#context.engineVersion)
    return inQueryPhase(() => ({
      name,
      script: compileScript(findScript(script, context), context),
      params: { ...this.#definition.params, ...script.params },
    }))
  }

  openSegment(scope: SegmentScope): void {
    this.#scope = scope
    const { heard } = this.#definition.map
    this.#doc = new DocLookup(scope.searcher, scope.reader, this.#context.engineVersion, heard)
  }

  collect({ docs, buckets, scores, count }: DocBatch): void {
    const scope = this.#scope as SegmentScope
    const doc = this.#doc as DocLookup
    const { script } = this.#map
    for (let i = 0; i < count; i++) {
      this.#context.watch?.turn()
      const state = this.#state(scope.searcherOrdinal, buckets[i] as number)
      if (state.docParams?.reader !== scope.reader) {
        const heardDoc = this.#is6 ? (name: keyof typeof DOCS) => this.#heard(DOCS[name]) : undefined
        const params = new DocParams(state.mapParams, doc, scope.searcher, scope.reader, heardDoc)
        state.docParams = { reader: scope.reader, params }
      }
      const { params } = state.docParams as NonNullable<State['docParams']>
      doc.doc = docs[i] as number
      const _score = scores === undefined ? 0 : (scores[i] as number)
      inQueryPhase(() => script.run({ params, state: state.state, doc, _score }, undefined, this.#spent))
      if (this.#spent.bytes > this.#nextLook) this.#lookAtKept()
    }
  }

  /**
   * Counts what the states keep. What scripts make is mostly thrown away, and going through what is kept takes its time:
   * so it is looked only when they may have filled what was left.
   *
   * @throws {ServiceError} circuit_breaking_exception
   */
  #lookAtKept(): void {
    const { memory } = this.#context
    memory.take(-this.#keptBytes)
    const { left } = memory
    this.#keptBytes = keptBytes(statesOf(this.#states), left)
    memory.take(this.#keptBytes)
    this.#nextLook = this.#spent.bytes + Math.max(memory.left, left / 8) / MOST_TAKEN
  }

  build(bucket: number): ScriptedMetricResult {
    const met = this.#states.flatMap((states, ordinal) => (states.has(bucket) ? [ordinal] : []))
    // What no document is in is a bucket of every index all the same.
    const isOfAll = this.#isTopLevel || met.length === 0 || (this.#is6 && this.#isEverywhere)
    const ordinals = isOfAll ? this.#states.map((_, ordinal) => ordinal) : met
    // A bucket that no index has (in between others) has one result, which is none.
    const results =
      bucket === GAP || (this.#is6 && bucket < 0) ? [null] : ordinals.map((ordinal) => this.#resultOf(ordinal, bucket))
    return { kind: 'scripted_metric', value: this.#reduced(new ScriptList(results)) }
  }

  /** 6.x makes no state for buckets without documents, but for the first. */
  #resultOf(ordinal: number, bucket: number): ScriptValue {
    const isStateless = this.#is6 && bucket !== 0 && this.#states[ordinal]?.has(bucket) !== true
    return isStateless ? null : this.#combined(this.#state(ordinal, bucket))
  }

  #state(ordinal: number, bucket: number): State {
    const states = this.#states[ordinal] as Map<number, State>
    const known = states.get(bucket)
    if (known !== undefined) return known
    const state = new ScriptMap()
    this.#spent.bytes += STATE_SPENT
    const made: State = { state, mapParams: this.#params(this.#map, state), docParams: undefined }
    states.set(bucket, made)
    const init = this.#init
    if (init !== undefined) {
      inQueryPhase(() => {
        init.script.run({ params: this.#params(init, state), state }, undefined, this.#spent)
        if (!this.#is6) refuseSelfReferences(state, 'Scripted metric aggs init script', this.#context.engineVersion)
      })
    }
    return made
  }

  /** Parameters of a script, copied for each bucket; 6.x has the state among them. */
  #params({ name, params }: Step, state: ScriptMap): ScriptMap {
    if (!this.#is6) return scriptValueOf(params) as ScriptMap
    const copy = new ParamsWithState(params, '_agg', () => this.#heard(STATES[name]))
    if (!copy.has('_agg')) copy.put('_agg', state)
    return copy
  }

  #combined({ state }: State): ScriptValue {
    const combine = this.#combine
    const version = this.#context.engineVersion
    return inQueryPhase(() => {
      // The real servers look at it with each document.
      if (!this.#is6) refuseSelfReferences(state, 'Scripted metric aggs map script', version)
      if (combine === undefined) return state
      const made = combine.script.run({ params: this.#params(combine, state), state }) as ScriptValue
      if (!this.#is6) refuseSelfReferences(made, 'Scripted metric aggs combine script', version)
      return made
    })
  }

  #reduced(states: ScriptList): ScriptValue {
    const { reduce } = this.#definition
    if (reduce === undefined) return states
    return inReducePhase(() => {
      const context = searchContext('aggs_reduce', this.#context.engineVersion)
      const params = this.#is6
        ? new ParamsWithState({ ...reduce.params, _aggs: states }, '_aggs', () => this.#heard(REDUCED))
        : (scriptValueOf(reduce.params) as ScriptMap)
      const made = compileScript(findScript(reduce, context), context).run({ params, states }) as ScriptValue
      if (!this.#is6) refuseSelfReferences(made, 'reduce script', this.#context.engineVersion)
      return made
    })
  }
}
