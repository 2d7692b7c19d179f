import { inJavaHashOrder } from '../../engine/java/java-hash-order.ts'
import { javaText } from '../../engine/mapping/java-text.ts'
import { flattenSettings } from '../../engine/metadata/flatten-settings.ts'
import { faultOf, ServiceError } from '../../errors.ts'
import { illegalArgument } from '../../illegal-argument.ts'
import { isObject } from '../../is-object.ts'
import { isJsonFault } from '../../json-fault.ts'
import { notABoolean } from '../../parse-boolean.ts'
import { failedField, parseFault, placed } from '../../parse-fault.ts'
import { tokenName } from '../../token-name.ts'
import type { JsonValue } from '../body/parse-json.ts'
import { unknownField } from '../body/unknown-field.ts'
import { validationFailed } from '../documents/document-parameters.ts'
import { type Json, writeJson } from '../json/json-writer.ts'
import { bodyObject, type EndpointRequest } from '../rest-request.ts'

/** What `_analyze` is asked, member by member as it came; each is of the kind that it may be. */
export type AnalyzeBody = { readonly [name: string]: JsonValue }

type Kind = 'text' | 'texts' | 'part' | 'parts' | 'flag'

const MEMBERS: Readonly<Record<string, Kind>> = {
  text: 'texts',
  analyzer: 'text',
  tokenizer: 'part',
  filter: 'parts',
  char_filter: 'parts',
  field: 'text',
  normalizer: 'text',
  explain: 'flag',
  attributes: 'texts',
}

/**
 * Reads and checks the body of `_analyze`, over what older clients write into the query string.
 *
 * @throws {ServiceError} illegal_argument_exception (6.x), x_content_parse_exception (since), action_request_validation_exception
 */
export function analyzeBody(request: EndpointRequest): AnalyzeBody {
  const json = readBody(request) ?? {}
  for (const name of Object.keys(json)) checkMember(json, name, request)
  const body = { ...fromParameters(request), ...json }
  const faults = faultsOf(body, request)
  if (faults.length > 0) throw validationFailed(faults)
  return body
}

function readBody(request: EndpointRequest): AnalyzeBody | undefined {
  const isLegacy = request.dialect.typed
  try {
    return bodyObject(request, (token) =>
      isLegacy
        ? illegalArgument('Malformed content, must start with an object')
        : parseFault(`[analyze_request] Expected START_OBJECT but was: ${token}`),
    )
  } catch (error) {
    if (!isLegacy || !isJsonFault(error)) throw error
    throw illegalArgument('Failed to parse request body', error)
  }
}

function checkMember(json: AnalyzeBody, name: string, { dialect }: EndpointRequest): void {
  const value = json[name] as JsonValue
  const kind = Object.hasOwn(MEMBERS, name) ? MEMBERS[name] : undefined
  if (dialect.typed) checkOlder(name, value, kind)
  else if (kind === undefined) throw unknownField('analyze_request', name, false, Object.keys(MEMBERS), json)
  else placed(json, name, () => checkMember7(name, value, kind))
}

function checkOlder(name: string, value: JsonValue, kind: Kind | undefined): void {
  const wrong = illegalArgument(
    `Unknown parameter [${name}] in request body or parameter is of the wrong type[${tokenName(value)}] `,
  )
  switch (kind) {
    case undefined:
      throw wrong
    case 'text':
      if (typeof value !== 'string') throw wrong
      return
    case 'texts':
      if (Array.isArray(value)) checkTexts(value, name)
      // Attributes come as a list alone.
      else if (typeof value !== 'string' || name !== 'text') throw wrong
      return
    case 'part':
      if (!isPart(value)) throw illegalArgument(`${name} should be ${name}'s name or setting`)
      return
    case 'parts':
      if (!Array.isArray(value)) throw wrong
      if (!value.every(isPart))
        throw illegalArgument(`${name} array element should contain ${name.replace('_', ' ')}'s name or setting`)
      return
    case 'flag':
      if (typeof value !== 'boolean' && value !== 'true' && value !== 'false')
        throw illegalArgument("explain must be either 'true' or 'false'")
  }
}

function checkMember7(name: string, value: JsonValue, kind: Kind): void {
  const token = tokenName(value)
  const wrong = parseFault(`[analyze_request] ${name} doesn't support values of type: ${token}`)
  switch (kind) {
    case 'text':
      if (typeof value !== 'string') throw wrong
      return
    case 'texts':
      if (Array.isArray(value)) {
        const odd = value.findIndex((element) => typeof element === 'object')
        if (odd >= 0) throw failedField('analyze_request', name, noText(value[odd] as JsonValue).at(value, odd))
      } else if (typeof value !== 'string') throw wrong
      return
    case 'part':
      if (!isPart(value)) throw wrong
      checkLists(name, value)
      return
    case 'parts': {
      if (!Array.isArray(value)) throw wrong
      const odd = value.findIndex((part) => !isPart(part))
      for (const part of odd < 0 ? value : value.slice(0, odd)) checkLists(name, part)
      if (odd < 0) return
      const reason = `Expected [VALUE_STRING] or [START_OBJECT], got ${tokenName(value[odd])}`
      throw failedField('analyze_request', name, parseFault(reason).at(value, odd))
    }
    case 'flag':
      if (typeof value !== 'boolean' && typeof value !== 'string') throw wrong
      if (typeof value === 'string' && value !== 'true' && value !== 'false')
        throw failedField('analyze_request', name, notABoolean(value))
  }
}

/** @throws {ServiceError} x_content_parse_exception for a part with a list of other things than values */
function checkLists(name: string, part: JsonValue): void {
  if (!isObject(part)) return
  const fault = faultOf(() => flattenSettings(part))
  if (fault === undefined) return
  const inOrder = Object.fromEntries(inJavaHashOrder(Object.keys(part)).map((key) => [key, part[key]]))
  const settings = new ServiceError(
    'settings_exception',
    `Failed to load settings from [${writeJson(inOrder as Json)}]`,
    {
      cause: new ServiceError('illegal_state_exception', fault.reason),
    },
  )
  const reason = `Failed to parse [${javaText(part)}]`
  // It lies where the part ends.
  const notRead = new ServiceError('illegal_argument_exception', reason, { cause: settings, place: null })
  throw failedField('analyze_request', name, notRead)
}

function checkTexts(values: readonly JsonValue[], name: string): void {
  if (values.some((value) => typeof value === 'object'))
    throw illegalArgument(`${name} array element should only contain ${name === 'text' ? 'text' : 'attribute name'}`)
}

/** What does not go together. */
function faultsOf(body: AnalyzeBody, request: EndpointRequest): string[] {
  const { text, analyzer, normalizer, tokenizer, field, filter, char_filter: charFilter } = body
  const isEmpty = (value: JsonValue | undefined): boolean =>
    value === undefined || value === null || (Array.isArray(value) && value.length === 0)
  const hasParts = !isEmpty(tokenizer) || !isEmpty(filter) || !isEmpty(charFilter)
  const hasIndex = request.path['index'] !== undefined || request.parameters.has('index')
  const faults: string[] = []
  if (isEmpty(text)) faults.push('text is missing')
  if (normalizer !== undefined && !hasIndex) faults.push('index is required if normalizer is specified')
  if (normalizer !== undefined && (!isEmpty(tokenizer) || analyzer !== undefined))
    faults.push('tokenizer/analyze should be null if normalizer is specified')
  if (request.dialect.typed || !hasParts) return faults
  if (analyzer !== undefined) faults.push('cannot define extra components on a named analyzer')
  if (normalizer !== undefined) faults.push('cannot define extra components on a named normalizer')
  if (field !== undefined) faults.push('cannot define extra components on a field-specific analyzer')
  return faults
}

function fromParameters({ parameters }: EndpointRequest): AnalyzeBody {
  const out: { [name: string]: JsonValue } = {}
  for (const name of ['text', 'analyzer', 'tokenizer', 'field', 'normalizer', 'explain']) {
    const value = parameters.text(name)
    if (value !== undefined) out[name] = value
  }
  for (const name of ['filter', 'char_filter', 'attributes']) {
    const list = parameters.list(name)
    if (list !== undefined) out[name] = [...list]
  }
  return out
}

/** What is wrong with an element that is no text. */
const noText = (element: JsonValue): ServiceError =>
  new ServiceError(
    'illegal_state_exception',
    Array.isArray(element) ? 'expected value but got [START_ARRAY]' : `Can't get text on a ${tokenName(element)}`,
    { place: null },
  )

const isPart = (value: JsonValue): boolean => typeof value === 'string' || isObject(value)
