import { javaDouble } from '../../engine/java/java-number-text.ts'
import { compileScript } from '../../engine/script/compile/compile-script.ts'
import { inVersion } from '../../engine/script/script-context.ts'
import { fixedParams } from '../../engine/script/values/script-json.ts'
import { type ScriptValue, textOf } from '../../engine/script/values/script-value.ts'
import { TEST_CONTEXT } from '../../engine/script/write-contexts.ts'
import { findScript, type SearchScript } from '../../engine/search/script/search-script.ts'
import { tryScript } from '../../engine/search/script/tried-script.ts'
import { ServiceError } from '../../errors.ts'
import { illegalArgument } from '../../illegal-argument.ts'
import { isObject } from '../../is-object.ts'
import { failedField, inField, parseFault } from '../../parse-fault.ts'
import { tokenName } from '../../token-name.ts'
import { checkObjectMember, wrongToken } from '../body/check-object-member.ts'
import type { JsonValue } from '../body/parse-json.ts'
import { unknownField } from '../body/unknown-field.ts'
import { validationFailed } from '../documents/document-parameters.ts'
import type { EndpointHandler, RestContext } from '../endpoint-handler.ts'
import { readIndex } from '../indices/index-names.ts'
import { type Json, RawJson, writeJson } from '../json/json-writer.ts'
import { parseQuery } from '../query-dsl/parse-query.ts'
import { type EndpointRequest, requiredBody } from '../rest-request.ts'
import { readWriteScript } from '../script/read-write-script.ts'

const PARSER = 'painless_execute_request'
const REQUEST = `[${PARSER}]`
const MEMBERS = ['script', 'context', 'context_setup']
const SETUP = ['index', 'document', 'query']

type Body = { readonly [name: string]: JsonValue }

/** `GET|POST /_scripts/painless/_execute`: runs a script, by itself or as a search would on a document that comes with it. */
export const painlessExecute: EndpointHandler = (request, context) => {
  const body = requiredBody(request, PARSER)
  const { script, context: place = TEST_CONTEXT.name, context_setup: setup } = body
  const { engineVersion, typed } = request.dialect
  for (const name of Object.keys(body)) {
    if (!MEMBERS.includes(name)) throw unknownField(PARSER, name, typed, MEMBERS, body)
    if (name === 'script') checkObjectMember(PARSER, body, name)
  }
  if (script === undefined) throw illegalArgument('Required [script]')
  const given = setup === undefined || setup === null ? undefined : readSetup(setup, typed)
  if (place !== TEST_CONTEXT.name && place !== 'filter' && place !== 'score') throw unsupportedContext(String(place))
  const read = inField(PARSER, 'script', () =>
    readWriteScript(script, engineVersion, () => undefined, request.warnings),
  )
  const complaints = read.script.kind === 'stored' ? ['only inline scripts are supported'] : []
  if (place !== TEST_CONTEXT.name) {
    if (given === undefined)
      throw new ServiceError('null_pointer_exception', 'Cannot read field "index" because "x0" is null')
    for (const name of ['index', 'document'])
      if (given[name] === undefined) complaints.push(`${name} is a required parameter for current context`)
  }
  if (complaints.length > 0) throw validationFailed(complaints)
  if (given !== undefined && (place === 'filter' || place === 'score'))
    return { status: 200, json: { result: tried(read, place, given, request, context) } }
  const testContext = inVersion(TEST_CONTEXT, engineVersion)
  const compiled = compileScript(findScript(read, testContext), testContext)
  const result = compiled.run({ params: fixedParams(read.params) }) as ScriptValue
  return { status: 200, json: { result: textOf(result) } }
}

/** `context_setup`: an index, a document for it and what scores that. @throws {ServiceError} x_content_parse_exception */
function readSetup(setup: JsonValue, isOld: boolean): Body {
  if (!isObject(setup)) throw parseFault(`${REQUEST} context_setup doesn't support values of type: ${tokenName(setup)}`)
  for (const [name, value] of Object.entries(setup)) {
    const wanted = name === 'index' ? 'VALUE_STRING' : 'START_OBJECT'
    const isKnown = SETUP.includes(name)
    if (isKnown && tokenName(value) === wanted) continue
    const cause = isKnown
      ? wrongToken('execute_script_context', setup, name)
      : unknownField('execute_script_context', name, isOld, SETUP, setup)
    throw failedField(PARSER, 'context_setup', cause)
  }
  return setup
}

function tried(
  script: SearchScript,
  place: 'filter' | 'score',
  { index: name, document, query }: Body,
  request: EndpointRequest,
  context: RestContext,
): Json {
  const { engine } = context
  const index = readIndex(request, context, name as string, '_search')
  const searcher = engine.searcher(index.name)
  try {
    const on = {
      index: searcher,
      source: Buffer.from(writeJson(document as Json)),
      query: query === undefined ? undefined : parseQuery(query, request.queries),
    }
    const result = tryScript(script, place, on, { engineVersion: engine.version, now: Date.now() })
    return place === 'filter' ? (result as boolean) : new RawJson(javaDouble(result as number))
  } finally {
    searcher.release()
  }
}

function unsupportedContext(name: string): ServiceError {
  return parseFault(
    `Failed to build ${REQUEST} after last required field arrived`,
    new ServiceError('unsupported_operation_exception', `unsupported script context name [${name}]`),
  )
}
