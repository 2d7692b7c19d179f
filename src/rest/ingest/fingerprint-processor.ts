import { createHash } from 'node:crypto'
import { type IngestDocument, isMap, METADATA, textOf, type Value, type ValueMap } from './ingest-document.ts'
import { IngestFault } from './ingest-fault.ts'
import type { ProcessorFactory } from './processor.ts'
import type { ProcessorConfig } from './processor-config.ts'

/** Node's names of the methods; the version says since when they are computed as they are. */
const METHODS: Readonly<Record<string, string>> = {
  'MD5@2.16.0': 'md5',
  'SHA-1@2.16.0': 'sha1',
  'SHA-256@2.16.0': 'sha256',
  'SHA3-256@2.16.0': 'sha3-256',
}

/** `fingerprint` (OpenSearch): a hash of fields. */
export const fingerprint: ProcessorFactory = (config) => {
  const fields = namesOf(config, 'fields')
  const excluded = namesOf(config, 'exclude_fields')
  if (fields.length > 0 && excluded.length > 0)
    throw config.fault('fields', 'either fields or exclude_fields can be set')
  const target = config.text('target_field', 'fingerprint')
  const method = config.text('hash_method', 'SHA-1@2.16.0')
  const algorithm = METHODS[method.toUpperCase()]
  if (algorithm === undefined) {
    throw config.fault('hash_method', 'hash method must be MD5@2.16.0, SHA-1@2.16.0, SHA-256@2.16.0 or SHA3-256@2.16.0')
  }
  const ignoreMissing = config.boolean('ignore_missing', false)
  return (document) => {
    const names = fields.length > 0 ? fields : Object.keys(document.source).filter((name) => !excluded.includes(name))
    const parts = [...new Set(names)]
      .filter((name) => !(METADATA as readonly string[]).includes(name))
      .sort()
      .flatMap((name) => partsOf(document, name, ignoreMissing))
    // Nothing is set where there is nothing.
    if (parts.length === 0) return
    const hash = createHash(algorithm)
      .update(`${parts.join('')}|`)
      .digest('base64')
    document.set(target, `${method}:${hash}`)
    return undefined
  }
}

function namesOf(config: ProcessorConfig, name: string): readonly string[] {
  const names = config.optionalList(name) ?? []
  if (names.some((one) => one === null || one === '')) throw config.fault(name, 'field name cannot be null nor empty')
  return names.map(String)
}

/** `|name|length:value` of a field, of each member of an object. */
function partsOf(document: IngestDocument, name: string, ignoreMissing: boolean): readonly string[] {
  if (!document.has(name)) {
    if (ignoreMissing) return []
    throw new IngestFault(`field [${name}] doesn't exist`)
  }
  const value = document.get(name)
  if (!isMap(value)) return [part(name, value)]
  return flattened(value)
    .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
    .map(([path, member]) => part(`${name}.${path}`, member))
}

function part(path: string, value: Value): string {
  const text = textOf(value)
  return `|${path}|${text.length}:${text}`
}

function flattened(map: ValueMap): [path: string, value: Value][] {
  return Object.entries(map).flatMap(([key, value]) =>
    isMap(value)
      ? flattened(value).map(([path, member]): [string, Value] => [`${key}.${path}`, member])
      : [[key, value] as [string, Value]],
  )
}
