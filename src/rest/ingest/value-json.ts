import { JsonNumber } from '../../engine/mapping/lossless-json.ts'
import { type Json, RawJson } from '../json/json-writer.ts'
import { isMap, type Value } from './ingest-document.ts'

/** A value as JSON, numbers as they were written. */
export function jsonOf(value: Value): Json {
  if (value instanceof JsonNumber) return new RawJson(value.text)
  if (Array.isArray(value)) return value.map(jsonOf)
  if (isMap(value)) return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, jsonOf(member)]))
  return value
}
