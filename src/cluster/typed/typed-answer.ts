import { pipeline, type Readable } from 'node:stream'
import type { BackendResponse } from '../../backend.ts'
import { ServiceError } from '../../errors.ts'
import { type JsonValue, parseJson } from '../../rest/body/parse-json.ts'
import { type Json, RawJson, writeJson } from '../../rest/json/json-writer.ts'
import { GATHER_BYTES, passedHeaders } from '../cluster-answer.ts'
import { type ClusterAnswer, readAnswer } from '../cluster-client.ts'
import { rawElements } from './raw-elements.ts'
import { TypeSplicer, TypeSplicingStream } from './type-splicer.ts'
import type { JsonAnswer, TypedCall } from './typed-call.ts'

const JSON_HEADERS = { 'content-type': 'application/json; charset=UTF-8' }

/** A cluster's answer in the words of 6.8. @param answer  not compressed */
export async function typedAnswer(answer: ClusterAnswer, typed: TypedCall): Promise<BackendResponse> {
  const status = answer.statusCode as number
  const headers = passedHeaders(answer)
  if (!/json/.test(answer.headers['content-type'] ?? '')) return { status, headers, body: answer as Readable }
  const length = Number(answer.headers['content-length'] ?? Number.POSITIVE_INFINITY)
  delete headers['content-length']
  // Of a document that was made.
  const { location } = answer.headers
  if (location !== undefined && typed.typeShown !== undefined) {
    headers['location'] = location.replace('/_doc/', `/${encodeURIComponent(typed.typeShown('', 0))}/`)
  }
  if (typed.rewrite !== undefined) {
    const { pretty, text } = laidOut(await readAnswer(answer))
    const rewritten = typed.rewrite(status, jsonOf(text))
    return { status: rewritten.status, headers, body: writeJson(rewritten.json, pretty) }
  }
  if (typed.inserted !== undefined && status === 200) {
    const text = withInserted((await readAnswer(answer)).toString(), typed.inserted)
    return { status, headers, body: spliced(Buffer.from(text), typed) }
  }
  if (typed.typeShown === undefined) return { status, headers, body: answer as Readable }
  if (length <= GATHER_BYTES) return { status, headers, body: spliced(await readAnswer(answer), typed) }
  const stream = new TypeSplicingStream(new TypeSplicer(typed.typeShown))
  return { status, headers, body: pipeline(answer, stream, () => {}) }
}

/** An answer of the domain itself. */
export function directAnswer({ status, json }: JsonAnswer, typed: TypedCall): BackendResponse {
  return { status, headers: JSON_HEADERS, body: spliced(Buffer.from(writeJson(json)), typed) }
}

function spliced(bytes: Buffer, { typeShown }: TypedCall): Buffer {
  if (typeShown === undefined) return bytes
  const parts = new TypeSplicer(typeShown).push(bytes)
  return parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts)
}

/** Puts elements into the array they belong to, without touching the others. */
function withInserted(text: string, { member, elements }: NonNullable<TypedCall['inserted']>): string {
  const found = rawElements(text, member)
  if (found === undefined) return text
  const rest = [...found.elements]
  const all: Json[] = []
  for (let place = 0; place < found.elements.length + elements.size; place++) {
    all.push(elements.get(place) ?? new RawJson(rest.shift() ?? 'null'))
  }
  const before =
    member === 'items' ? found.before.replace(/"errors"(\s*):(\s*)false/, '"errors"$1:$2true') : found.before
  return before + writeJson(all) + found.after
}

/** @throws {ServiceError} 503: it is the cluster that is at fault */
function jsonOf(text: string): JsonValue {
  try {
    return parseJson(text)
  } catch (cause) {
    if (!(cause instanceof ServiceError)) throw cause
    throw new ServiceError('no_node_available_exception', 'the cluster answered with what is no JSON', { cause })
  }
}

function laidOut(body: Buffer): { readonly pretty: boolean; readonly text: string } {
  const text = body.toString()
  return { pretty: /^\{\s/.test(text), text: text === '' ? 'null' : text }
}
