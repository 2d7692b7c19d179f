import { compileScript } from '../../engine/script/compile-script.ts'
import { inVersion } from '../../engine/script/script-context.ts'
import { scriptValueOf } from '../../engine/script/script-json.ts'
import { type ScriptValue, textOf } from '../../engine/script/script-value.ts'
import { TEST_CONTEXT } from '../../engine/script/write-contexts.ts'
import { findScript } from '../../engine/search/script/search-script.ts'
import { ServiceError } from '../../errors.ts'
import { isObject } from '../../is-object.ts'
import { parseFault } from '../../parse-fault.ts'
import { validationFailed } from '../documents/document-parameters.ts'
import type { EndpointHandler } from '../endpoint-handler.ts'
import { requiredBody } from '../rest-request.ts'
import { readWriteScript } from '../script/read-write-script.ts'

const REQUEST = '[painless_execute_request]'

/** Places that the real servers run scripts at here, with documents of their own. */
const OTHER_CONTEXTS = new Set(['filter', 'score'])

/** `GET|POST /_scripts/painless/_execute`: runs a script that reads nothing but its parameters. */
export const painlessExecute: EndpointHandler = (request) => {
  const { script, context, context_setup: _, ...unknown } = requiredBody(request)
  for (const name of Object.keys(unknown)) throw parseFault(`${REQUEST} unknown field [${name}], parser not found`)
  if (script === undefined) throw new ServiceError('illegal_argument_exception', 'Required [script]')
  if (!isObject(script)) throw parseFault(`${REQUEST} script doesn't support values of type: VALUE_STRING`)
  if (context !== undefined && context !== TEST_CONTEXT.name) throw wrongContext(String(context))
  const { engineVersion } = request.dialect
  const read = readWriteScript(script, engineVersion, () => undefined)
  if (read.script.kind === 'stored') throw validationFailed(['only inline scripts are supported'])
  const compiled = compileScript(findScript(read, TEST_CONTEXT.name), inVersion(TEST_CONTEXT, engineVersion))
  const result = compiled.run({ params: scriptValueOf(read.params) }) as ScriptValue
  return { status: 200, json: { result: textOf(result) } }
}

function wrongContext(name: string): ServiceError {
  if (OTHER_CONTEXTS.has(name)) {
    return new ServiceError('illegal_argument_exception', `context [${name}] is not supported by this domain here`)
  }
  return parseFault(
    `Failed to build ${REQUEST} after last required field arrived`,
    new ServiceError('unsupported_operation_exception', `unsupported script context name [${name}]`),
  )
}
