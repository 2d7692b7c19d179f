import { ServiceError } from '../../../errors.ts'
import type { EngineVersion } from '../../engine-version.ts'
import type { IndexSearcher } from '../../index/index-searcher.ts'
import type { SegmentReader } from '../../index/segment-reader.ts'
import { type CompiledScript, compileScript, type ScriptSpending } from '../../script/compile/compile-script.ts'
import type { UseListener } from '../../script/deprecated-use.ts'
import type { ScriptAnswers } from '../../script/script-answers.ts'
import { fixedParams, paramsMap } from '../../script/values/script-json.ts'
import type { ScriptMap } from '../../script/values/script-map.ts'
import type { ScriptValue } from '../../script/values/script-value.ts'
import { compileExpression } from '../expression/expression-script.ts'
import { type QueryContext, shardError } from '../queries/query-context.ts'
import { inQueryPhase } from '../query-phase.ts'
import type { SearchWatch } from '../search-watch.ts'
import { DocLookup } from './doc-lookup.ts'
import type { LeafHost } from './leaf-host.ts'
import { DocParams } from './script-params.ts'
import { type SearchContextName, searchContext } from './search-contexts.ts'
import { findSpokenScript, type SearchScript, scriptText } from './search-script.ts'

/** Where a script is to run. */
export interface ScriptPlace {
  readonly searcher: IndexSearcher
  readonly engineVersion: EngineVersion
  /** Told of each run. */
  readonly watch?: SearchWatch | undefined
}

/** A script compiled for the documents of one index. */
export class IndexScript {
  /** As the real server's `Script.toString()` shows it, more or less. */
  readonly text: string
  /** Whether it asks for the score of a document. */
  readonly readsScore: boolean
  readonly #script: CompiledScript
  readonly #params: ScriptMap
  readonly #place: ScriptPlace
  readonly #seesDocument: boolean
  readonly #heard: UseListener | undefined

  constructor(compiled: CompiledScript, script: SearchScript, place: ScriptPlace, seesDocument: boolean) {
    this.#script = compiled
    this.#params = (seesDocument ? paramsMap : fixedParams)(script.params)
    this.#place = place
    this.#seesDocument = seesDocument
    this.#heard = script.heard
    this.readsScore = compiled.uses.has('_score')
    this.text = scriptText(script)
  }

  /** The script over the documents of a segment. */
  open(segment: SegmentReader): LeafScript {
    return new LeafScript(this.#script, this.#params, segment, this.#place, this.#seesDocument, this.#heard)
  }
}

interface Variables {
  readonly [name: string]: unknown
  readonly params: ScriptMap
  readonly doc: DocLookup
  _score: number
  _value: ScriptValue
  state: ScriptValue
}

/** What a script is told besides the document. */
interface Given {
  readonly score?: number
  readonly value?: ScriptValue
  readonly state?: ScriptValue
}

/** Variables that are the same for all documents of a segment. */
const OF_SEGMENT: ReadonlySet<string> = new Set(['params', 'doc'])

/** A script over the documents of one segment. */
export class LeafScript {
  readonly #script: CompiledScript
  readonly #doc: DocLookup
  readonly #variables: Variables
  readonly #watch: SearchWatch | undefined
  /** Runs left until the search is asked whether it may go on. */
  #unwatched = 0
  /** What runs took since then. */
  readonly #spent: ScriptSpending = { bytes: 0, steps: 0 }
  readonly #host: LeafHost
  readonly #answers: ScriptAnswers | undefined

  constructor(
    script: CompiledScript,
    params: ScriptMap,
    segment: SegmentReader,
    { searcher, engineVersion, watch }: ScriptPlace,
    seesDocument: boolean,
    heard: UseListener | undefined,
  ) {
    this.#script = script
    this.#watch = watch
    this.#doc = new DocLookup(searcher, segment, engineVersion, heard)
    this.#host = {
      bindings: new Map(),
      searcher,
      engineVersion,
      segment,
      docBase: searcher.docBases[searcher.segments.indexOf(segment)] ?? 0,
      lookup: this.#doc,
      emitted: [],
    }
    this.#variables = {
      params: seesDocument ? new DocParams(params, this.#doc, searcher, segment) : params,
      doc: this.#doc,
      _score: 0,
      _value: null,
      state: null,
    }
    this.#answers = script.answers(this.#variables, OF_SEGMENT, this.#host)
  }

  /**
   * Runs it for a document.
   *
   * @returns  held as the context's result type says
   * @throws {ServiceError} script_exception
   */
  run(doc: number, given: Given = NOTHING): unknown {
    this.#prepare(doc, given)
    const answer = this.#answers?.next()
    return answer === undefined ? this.#run() : answer
  }

  /**
   * Runs it for a document where a number is wanted.
   *
   * @returns  as {@link run}; a Long or Double that is known without a box as a number, so that it is no Integer either
   * @throws {ServiceError} script_exception
   */
  runNumber(doc: number, given: Given = NOTHING): unknown {
    this.#prepare(doc, given)
    return this.#answers?.nextNumber() ?? this.#answers?.next() ?? this.#run()
  }

  /**
   * Runs a derived field's script for a document.
   *
   * @returns  what it emits
   * @throws {ServiceError} script_exception
   */
  emitted(doc: number): readonly ScriptValue[] {
    const { emitted } = this.#host
    emitted.length = 0
    this.#prepare(doc, NOTHING)
    this.#run()
    return [...emitted]
  }

  #prepare(doc: number, given: Given): void {
    this.#look()
    this.#doc.doc = doc
    const variables = this.#variables
    variables._score = given.score ?? 0
    variables._value = given.value ?? null
    variables.state = given.state ?? null
  }

  #run(): unknown {
    // Not by inQueryPhase: no function is made for each document.
    try {
      return this.#script.run(this.#variables, this.#host, this.#spent)
    } catch (error) {
      throw error instanceof ServiceError ? error.with({ inQueryPhase: true }) : error
    }
  }

  /** Asks whether the search may go on, at once where runs take long: the time is not told for nothing. */
  #look(): void {
    const spent = this.#spent
    if (--this.#unwatched > 0 && spent.steps < 1000 && spent.bytes < 100_000) return
    this.#watch?.turn()
    this.#unwatched = RUNS_UNWATCHED
    spent.steps = 0
    spent.bytes = 0
  }
}

const NOTHING = {}

/** Runs in a row, of a microsecond or less each. */
const RUNS_UNWATCHED = 64

/**
 * Compiles a script for an index.
 *
 * @throws {ServiceError} script_exception, resource_not_found_exception for one that is not stored, illegal_argument_exception
 *   for a language that is not spoken
 */
export function compileIndexScript(script: SearchScript, name: SearchContextName, place: ScriptPlace): IndexScript {
  return inQueryPhase(() => {
    const context = searchContext(name, place.engineVersion)
    const { lang, text } = findSpokenScript(script, context)
    const { mapping } = place.searcher
    const compiled =
      lang === 'painless'
        ? compileScript(text, context)
        : compileExpression(text, { name, context, mapping, params: script.params })
    return new IndexScript(compiled, script, place, name !== 'filter')
  })
}

/** The same as part of a query. @throws {ServiceError} query_shard_exception */
export function compileForQuery(script: SearchScript, name: SearchContextName, context: QueryContext): IndexScript {
  try {
    return compileIndexScript(script, name, context.search)
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    throw shardError(context, `failed to create query: ${error.reason}`, error)
  }
}
