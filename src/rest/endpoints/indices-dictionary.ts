import { LZ4_CODE_LENGTHS, Lz4Code } from '../../engine/store/lz4-code.ts'
import { MOST_DICTIONARY_BYTES } from '../../engine/store/lz4-dictionary.ts'
import type { LearnedDictionary } from '../../engine/store/source-dictionaries.ts'
import { ServiceError } from '../../errors.ts'
import { illegalArgument } from '../../illegal-argument.ts'
import type { EndpointHandler } from '../endpoint-handler.ts'
import { writeIndex } from '../indices/index-names.ts'
import { readRecordIndex } from '../indices/record-walk.ts'
import { dictionaryId } from '../indices/source-dictionary.ts'
import { type EndpointRequest, requiredBody } from '../rest-request.ts'

/**
 * `GET /<index>/_dictionary`: `{"id","bytes","code"}`, what the sources of an index are compressed with (base64), by which
 * `chaja transfer` moves records as they are stored. 404 until enough sources were there to learn it. No other server has it.
 */
export const indicesGetDictionary: EndpointHandler = (request, context) => {
  const index = readRecordIndex(request, context, '_dictionary')
  const dictionary = context.engine.dictionary(index)
  if (dictionary === undefined)
    throw new ServiceError('resource_not_found_exception', `[${index}] has no dictionary yet`)
  const { bytes, code } = dictionary
  const json = {
    id: dictionaryId(dictionary),
    bytes: Buffer.from(bytes).toString('base64'),
    code: code === undefined ? undefined : Buffer.from(code.lengths).toString('base64'),
  }
  return { status: 200, json }
}

/** `PUT /<index>/_dictionary`: gives an index that has none yet the dictionary of another. */
export const indicesPutDictionary: EndpointHandler = async (request, context) => {
  const learned = readDictionary(request)
  const name = request.path['index'] as string
  const metadata = await writeIndex(request, context, name, { create: false })
  if (!(await context.engine.adoptDictionary(metadata.name, learned)))
    throw new ServiceError('resource_already_exists_exception', `[${name}] has another dictionary`)
  return { status: 200, json: { acknowledged: true, id: dictionaryId(context.engine.dictionary(metadata.name)) } }
}

function readDictionary(request: EndpointRequest): LearnedDictionary {
  const { bytes: text, code } = requiredBody(request)
  const bytes = typeof text === 'string' ? Buffer.from(text, 'base64') : undefined
  const codeLengths = typeof code === 'string' ? Buffer.from(code, 'base64') : undefined
  if (bytes === undefined || bytes.length === 0 || bytes.length > MOST_DICTIONARY_BYTES) throw noDictionary()
  if ((code ?? undefined) !== undefined && !isCode(codeLengths)) throw noDictionary()
  return { bytes, codeLengths }
}

function isCode(lengths: Buffer | undefined): boolean {
  if (lengths?.length !== LZ4_CODE_LENGTHS) return false
  try {
    return new Lz4Code(lengths).lengths === lengths
  } catch (error) {
    if (error instanceof ServiceError) return false
    throw error
  }
}

const noDictionary = (): ServiceError => illegalArgument('the body is no dictionary')
