import { NO_REASON, ServiceError } from '../../../errors.ts'
import type { EngineVersion } from '../../engine-version.ts'
import type { IndexMapping } from '../../mapping/index-mapping.ts'
import { CompiledScript, checkScriptSize } from '../../script/compile/compile-script.ts'
import { Frame } from '../../script/compile/frame.ts'
import { ScriptCache } from '../../script/script-cache.ts'
import { isOpenSearch, type ScriptContext } from '../../script/script-context.ts'
import { ScriptRun } from '../../script/script-run.ts'
import { asToldOf, type ScriptSource } from '../../script/script-source.ts'
import { DOUBLE } from '../../script/values/number-lane.ts'
import { scriptValueOf } from '../../script/values/script-json.ts'
import type { ScriptMap } from '../../script/values/script-map.ts'
import { Box, doubleBox, hashOf, type ScriptValue } from '../../script/values/script-value.ts'
import type { DocLookup } from '../script/doc-lookup.ts'
import type { SearchContextName } from '../script/search-contexts.ts'
import { documentVariable, LinkFault } from './document-variable.ts'
import { doubleOf, type NumberOf } from './evaluate-expression.ts'
import { type ExpressionFunctions, FUNCTIONS, FUNCTIONS_OPENSEARCH } from './expression-functions.ts'
import { type Expression, ExpressionFault, IntegerFault } from './expression-tree.ts'
import { failedToCompile, notSpoken } from './not-spoken.ts'
import { parseExpression } from './parse-expression.ts'

/** Where expressions find what in frames. */
const SLOTS = { doc: 0, _score: 1, _value: 2 } as const

/** `_score` and `_value` in a place: as they are there, 0, or names like any other. */
interface Specials {
  readonly _score?: 'itself' | 'zero'
  readonly _value?: 'itself' | 'zero'
}

/** Of 6.8, which has one kind of place for all but filters. */
const EVERYWHERE: Specials = { _score: 'itself', _value: 'itself' }
const NOWHERE: Specials = { _score: 'zero', _value: 'zero' }

/** Where expressions are spoken. */
const PLACES_6: Partial<Readonly<Record<SearchContextName, Specials>>> = {
  filter: NOWHERE,
  score: EVERYWHERE,
  field: EVERYWHERE,
  number_sort: EVERYWHERE,
  string_sort: EVERYWHERE,
  aggs: EVERYWHERE,
}
const PLACES_7: Partial<Readonly<Record<SearchContextName, Specials>>> = {
  filter: NOWHERE,
  score: { _score: 'itself', _value: 'zero' },
  field: {},
  number_sort: { _score: 'zero' },
  aggs: EVERYWHERE,
  terms_set: {},
}

/** Places where expressions are spoken, as 7.x and later name them. */
export const EXPRESSION_CONTEXTS: readonly string[] = [
  ...Object.keys(PLACES_7),
  'aggregation_selector',
  'bucket_aggregation',
].sort()

/** What a script may know of where it runs. */
interface ExpressionPlace {
  readonly name: SearchContextName
  readonly context: ScriptContext
  readonly mapping: IndexMapping
  /** JSON; numbers as `parseLosslessJson` has them. */
  readonly params: Readonly<Record<string, unknown>>
}

/**
 * Compiles an expression for the documents of an index.
 *
 * @throws {ServiceError} script_exception `compile error` or `link error`; general_script_exception where no expressions are spoken
 */
export function compileExpression(text: ScriptSource, place: ExpressionPlace): CompiledScript {
  const { name, context, mapping } = place
  const isLucene7 = mapping.engineVersion === 'Elasticsearch_6.8'
  const specials = (isLucene7 ? PLACES_6 : PLACES_7)[name]
  if (specials === undefined) throw notSpoken(text, context.name, isOpenSearch(context))
  const uses = new Set<keyof typeof SLOTS>()
  const variable = (variableName: string): NumberOf => {
    const special = variableName === '_score' || variableName === '_value' ? specials[variableName] : undefined
    if (special === 'zero') return () => 0
    if (special === 'itself') {
      uses.add(variableName as keyof typeof SLOTS)
      return variableName === '_score' ? (frame) => frame.slots[SLOTS._score] as number : valueReader(text)
    }
    if (Object.hasOwn(place.params, variableName)) return parameter(variableName, place.params[variableName])
    const read = documentVariable(variableName, mapping, isLucene7, SLOTS.doc)
    uses.add('doc')
    return read
  }
  const compiled = linked(text, context, variable)
  // 7.x and later compute once for each document, whatever values come after the first.
  const isOnce = !isLucene7 && uses.has('_value')
  if (isOnce) uses.add('doc')
  const number = isOnce ? oncePerDocument(compiled) : compiled
  const held = heldAs(context, number)
  return new CompiledScript(text, context, {
    execute: (frame) => {
      frame.result = held(frame)
      return 3
    },
    answer: { type: context.returns, evaluate: held, at: 0, isPure: true, lane: laneOf(context, number) },
    size: Object.keys(SLOTS).length,
    inputs: [...uses].map((used) => ({ name: used, slot: SLOTS[used] })),
    starts: [0],
  })
}

/** An expression over numbers of buckets. @throws {ServiceError} as {@link compileExpression}, illegal_argument_exception when it is run */
export function compileBucketExpression(text: ScriptSource, context: ScriptContext): (params: ScriptMap) => number {
  const names = new Set<string>()
  const number = linked(text, context, (name) => {
    names.add(name)
    // What no bucket has is 0.
    return (frame) => (frame.slots[0] as ReadonlyMap<string, number>).get(name) ?? 0
  })
  return (params) => {
    const numbers = new Map<string, number>()
    for (const { entryKey, value } of params.entries()) {
      const name = String(entryKey)
      const given = numberIn(value)
      if (!names.has(name))
        throw misused(text, `The variable [${name}] does not exist in the executable expressions script.`)
      if (given === undefined)
        throw misused(
          text,
          `Executable expressions scripts can only process numbers.  The variable [${name}] is not a number.`,
        )
      numbers.set(name, given)
    }
    try {
      return number(new Frame([numbers], new ScriptRun()))
    } catch (error) {
      throw error instanceof RangeError ? tooDeep('runtime error', text) : error
    }
  }
}

/** Looks at an expression that is to be stored for a place. @throws {ServiceError} as {@link compileExpression} */
export function checkExpression(text: ScriptSource, contextName: string, engineVersion: EngineVersion): void {
  told(text, () => parsed(text, engineVersion === 'OpenSearch_2.19'))
  if (!EXPRESSION_CONTEXTS.includes(contextName)) throw notSpoken(text, contextName)
}

const functionsOf = (isOfOpenSearch: boolean): ExpressionFunctions =>
  isOfOpenSearch ? FUNCTIONS_OPENSEARCH : FUNCTIONS

function linked(text: ScriptSource, context: ScriptContext, variable: (name: string) => NumberOf): NumberOf {
  const functions = functionsOf(isOpenSearch(context))
  const surroundings = { functions, variable: (name: string) => link(text, name, variable) }
  return told(text, () => doubleOf(expressions.get(text, context), surroundings))
}

/** What work on an expression comes to, or fails with as it may be told. */
function told<T>(text: ScriptSource, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw asToldOf(text, error instanceof RangeError ? tooDeep('compile error', text) : error)
  }
}

/** Too deep for our stack. */
function tooDeep(reason: string, { source }: ScriptSource): ServiceError {
  return scriptError(reason, source, source, 0, new ServiceError('stack_overflow_error', NO_REASON))
}

const expressions = new ScriptCache((text, context) => parsed(text, isOpenSearch(context)))

function parsed(text: ScriptSource, isOfOpenSearch: boolean): Expression {
  const { source, stored } = text
  checkScriptSize(source)
  const shown = stored === undefined || stored.mayBeTold() ? source : stored.id
  try {
    return parseExpression(source, functionsOf(isOfOpenSearch), shown)
  } catch (error) {
    if (error instanceof IntegerFault)
      throw failedToCompile(text, new ServiceError('number_format_exception', error.message), isOfOpenSearch)
    if (!(error instanceof ExpressionFault)) throw error
    const inner = error.inner === undefined ? undefined : new ServiceError(error.inner, NO_REASON)
    const cause = new ServiceError('parse_exception', error.message, { cause: inner, isJava: true })
    throw scriptError('compile error', source, source, error.at, cause)
  }
}

function link({ source }: ScriptSource, name: string, variable: (name: string) => NumberOf): NumberOf {
  try {
    return variable(name)
  } catch (error) {
    if (!(error instanceof LinkFault)) throw error
    throw scriptError(
      'link error',
      source,
      name,
      error.at,
      new ServiceError(error.type, error.message, { isJava: true }),
    )
  }
}

function scriptError(reason: string, source: string, portion: string, at: number, cause: ServiceError): ServiceError {
  return new ServiceError('script_exception', reason, {
    cause,
    metadata: { script_stack: [portion, `${' '.repeat(at)}^---- HERE`], script: source, lang: 'expression' },
  })
}

function parameter(name: string, json: unknown): NumberOf {
  const number = numberIn(scriptValueOf(json))
  if (number === undefined) throw new LinkFault('parse_exception', `Parameter [${name}] must be a numeric type`)
  return () => number
}

/** A number of a script as a double; undefined: it is none. */
function numberIn(value: ScriptValue): number | undefined {
  if (typeof value === 'number' || typeof value === 'bigint') return Number(value)
  return value instanceof Box && value.kind !== 'char' ? value.value : undefined
}

function valueReader(text: ScriptSource): NumberOf {
  return (frame) => {
    const value = frame.slots[SLOTS._value] as ScriptValue
    if (value === null) return 0
    const number = typeof value === 'boolean' ? Number(value) : numberIn(value)
    if (number !== undefined) return number
    throw new ServiceError(
      'general_script_exception',
      `Cannot use expression with text variable using ${compiledName(text)}`,
    )
  }
}

function misused(text: ScriptSource, reason: string): ServiceError {
  return new ServiceError('illegal_argument_exception', `Error using ${compiledName(text)}. ${reason}`)
}

/** As Java shows an object: by its class and a hash. */
function compiledName({ source }: ScriptSource): string {
  const hash = (hashOf(source) >>> 0).toString(16)
  return `org.apache.lucene.expressions.js.JavascriptCompiler$CompiledExpression@${hash}`
}

function oncePerDocument(number: NumberOf): NumberOf {
  let last: DocLookup | undefined
  let doc = -1
  let result = 0
  return (frame) => {
    const lookup = frame.slots[SLOTS.doc] as DocLookup
    if (lookup === last && lookup.doc === doc) return result
    result = number(frame)
    last = lookup
    doc = lookup.doc
    return result
  }
}

/** A number as a context's result type has it. */
function heldAs({ returns }: ScriptContext, number: NumberOf): (frame: Frame) => unknown {
  if (returns === 'double') return number
  return returns === 'boolean' ? (frame) => number(frame) !== 0 : (frame) => doubleBox(number(frame))
}

function laneOf({ returns }: ScriptContext, number: NumberOf): NumberOf | undefined {
  if (returns === 'boolean') return undefined
  return (frame) => {
    const result = number(frame)
    frame.kind = DOUBLE
    return result
  }
}
