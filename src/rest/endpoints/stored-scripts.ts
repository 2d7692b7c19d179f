import type { Engine } from '../../engine/engine.ts'
import { packageOf } from '../../engine/engine-version.ts'
import { checkScript } from '../../engine/script/compile/compile-script.ts'
import { checkExpression, EXPRESSION_CONTEXTS } from '../../engine/search/expression/expression-script.ts'
import { ServiceError } from '../../errors.ts'
import { illegalArgument } from '../../illegal-argument.ts'
import type { Dialect } from '../dialects/dialect.ts'
import { validationFailed } from '../documents/document-parameters.ts'
import type { EndpointHandler } from '../endpoint-handler.ts'
import { PIPELINES } from '../ingest/ingest-service.ts'
import { runs } from '../ingest/redirecting-pipeline.ts'
import type { Json } from '../json/json-writer.ts'
import { removeDamaged } from '../remove-damaged.ts'
import { ACKNOWLEDGED } from '../rest-request.ts'
import { scriptContextNamed } from '../script/script-contexts.ts'
import { LATEST_CONTEXTS, SCRIPT_SIGNATURES } from '../script/script-signatures.ts'
import { compiled } from '../search/search-template.ts'
import { readStoredScript, STORED_SCRIPTS, type StoredScript, storedScript } from '../search/stored-script.ts'

/** `PUT|POST /_scripts/<id>[/<context>]`: stores a search template or a script; one that names its place is compiled for it. */
export const putScript: EndpointHandler = async (request, { engine }) => {
  const id = request.path['id'] as string
  const script = readStoredScript(request)
  if (id.includes('#')) throw validationFailed(["id cannot contain '#' for stored script"])
  const context = request.path['context'] ?? request.parameters.text('context')
  if (context !== undefined) {
    try {
      checkFor(context, script, id, request.dialect)
    } catch (error) {
      if (!(error instanceof ServiceError) || error.type === 'script_exception') throw error
      const cause = error.type === 'general_script_exception' ? (error.detail.cause ?? error) : error
      throw illegalArgument(`failed to parse/compile stored script [${id}]`, cause)
    }
  }
  if (isUsedByPipelines(engine, id)) request.authorizeDomain('PUT')
  await engine.extras.put(STORED_SCRIPTS, id, script)
  return ACKNOWLEDGED
}

/** Whether a pipeline may run it: then it may send documents of any index anywhere. */
function isUsedByPipelines(engine: Engine, id: string): boolean {
  return [...engine.extras.entries(PIPELINES)].some(([, pipeline]) => runs(pipeline, 'id', id))
}

/** Compiles a script for a place. @throws {ServiceError} */
function checkFor(context: string, script: StoredScript, id: string, dialect: Dialect): void {
  if (script.lang === 'painless') {
    const place = scriptContextNamed(context, dialect.engineVersion)
    if (place === undefined) throw illegalArgument(`Unknown context [${context}]`)
    checkScript(script.source, place)
    return
  }
  if (script.lang === 'expression') {
    const isKnown = context === 'template' || scriptContextNamed(context, dialect.engineVersion) !== undefined
    if (!isKnown) throw illegalArgument(`Unknown context [${context}]`)
    checkExpression({ source: script.source }, context, dialect.engineVersion)
    return
  }
  if (context !== 'template') {
    const reason = `mustache engine does not know how to handle context [${context}]`
    throw illegalArgument(reason)
  }
  compiled(script, id, dialect)
}

/** `GET /_scripts/<id>`. */
export const getScript: EndpointHandler = (request, { engine }) => {
  const id = request.path['id'] as string
  const script = storedScript(engine, id)
  if (script === undefined) return { status: 404, json: { _id: id, found: false } }
  return { status: 200, json: { _id: id, found: true, script: script as unknown as Json } }
}

/** `DELETE /_scripts/<id>`. */
export const deleteScript: EndpointHandler = async (request, context) => {
  const { engine } = context
  const id = request.path['id'] as string
  if (await removeDamaged(request, context, `extra/${STORED_SCRIPTS}/${id}`)) return ACKNOWLEDGED
  if (storedScript(engine, id) === undefined) {
    throw new ServiceError('resource_not_found_exception', `stored script [${id}] does not exist and cannot be deleted`)
  }
  if (isUsedByPipelines(engine, id)) request.authorizeDomain('PUT')
  await engine.extras.delete(STORED_SCRIPTS, id)
  return ACKNOWLEDGED
}

/** `GET /_script_language`. */
export const scriptLanguages: EndpointHandler = ({ dialect }) => ({
  status: 200,
  json: {
    types_allowed: ['inline', 'stored'],
    language_contexts: [
      { language: 'expression', contexts: [...EXPRESSION_CONTEXTS] },
      { language: 'mustache', contexts: ['template'] },
      { language: 'painless', contexts: contextsOf(dialect).map(([name]) => name) },
    ],
  },
})

function contextsOf({ engineVersion }: Dialect): [name: string, signatures: readonly string[]][] {
  const isKnown = (name: string): boolean => engineVersion === 'OpenSearch_2.19' || !LATEST_CONTEXTS.has(name)
  return Object.entries(SCRIPT_SIGNATURES).filter(([name]) => isKnown(name))
}

const JAVA_TYPES: Readonly<Record<string, string>> = {
  Map: 'java.util.Map',
  List: 'java.util.List',
  Number: 'java.lang.Number',
  Object: 'java.lang.Object',
  String: 'java.lang.String',
}

/** `GET /_script_context`: where scripts are taken, and what they find there. */
export const scriptContexts: EndpointHandler = ({ dialect }) => {
  const shown = (type: string): string =>
    JAVA_TYPES[type] ?? type.replace(/^server\./, `${packageOf(dialect.engineVersion)}.`)
  const method = (signature: string): Json => {
    const [, type = '', name = '', params = ''] = /^(\S+) (\w+)\((.*)\)$/.exec(signature) ?? []
    const given = params === '' ? [] : params.split(', ').map((param) => param.split(' ') as [string, string])
    return {
      name,
      return_type: shown(type),
      params: given.map(([of, called]) => ({ type: shown(of), name: called })),
    }
  }
  const contexts = contextsOf(dialect).map(([name, signatures]): Json => ({ name, methods: signatures.map(method) }))
  return { status: 200, json: { contexts } }
}
