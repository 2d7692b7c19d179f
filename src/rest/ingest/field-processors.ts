import { castFailure } from '../../engine/java/java-class-text.ts'
import { inJavaHashOrder } from '../../engine/java/java-hash-order.ts'
import type { JsonValue } from '../body/parse-json.ts'
import { classOf, type IngestDocument, isMap, textOf, type Value } from './ingest-document.ts'
import { IngestFault } from './ingest-fault.ts'
import type { ProcessorFactory, Step } from './processor.ts'
import type { ProcessorConfig } from './processor-config.ts'
import { templateOf, templateText, templateValue } from './template-text.ts'

/** `set`. */
export const set: ProcessorFactory = (config, { engineVersion }) => {
  const field = templateOf(config, 'field')
  const given = config.exact('value')
  const value = templateValue(given, config)
  const override = config.boolean('override', true)
  const asked = engineVersion !== 'Elasticsearch_6.8' && config.boolean('ignore_empty_value', false)
  // What is written out is set, empty or not.
  const ignoresEmpty = asked && typeof given === 'string' && given.includes('{{')
  return (document) => {
    const path = field(document)
    if (!override && document.has(path) && document.get(path) !== null) return
    const made = value(document)
    if (ignoresEmpty && (made === null || made === '')) return
    document.set(path, made)
    return undefined
  }
}

/** `append`. */
export const append: ProcessorFactory = (config, { engineVersion }) => {
  const field = templateOf(config, 'field')
  const value = templateValue(config.exact('value'), config)
  const allowsDuplicates = engineVersion === 'Elasticsearch_6.8' || config.boolean('allow_duplicates', true)
  return (document) => {
    const path = field(document)
    const given = value(document)
    document.append(path, allowsDuplicates ? given : newOnly(document, path, given))
    return undefined
  }
}

/** Values that a list does not have yet. */
function newOnly(document: IngestDocument, path: string, given: Value): Value {
  const old = document.has(path) ? document.get(path) : []
  const known = new Set((Array.isArray(old) ? old : [old]).map(keyOf))
  return (Array.isArray(given) ? given : [given]).filter((value) => {
    const key = keyOf(value)
    if (known.has(key)) return false
    known.add(key)
    return true
  })
}

/** Tells values apart. */
function keyOf(value: Value): string {
  return `${classOf(value)} ${textOf(value)}`
}

/** `remove`. */
export const remove: ProcessorFactory = (config, { engineVersion }) => {
  const isOpenSearch = engineVersion === 'OpenSearch_2.19'
  const kept = isOpenSearch ? config.raw('exclude_field') : undefined
  if (kept !== undefined) return keepOnly(config, kept)
  if (isOpenSearch && config.raw('field') === undefined)
    throw config.fault('field', 'either field or exclude_field must be set')
  const given = config.required('field')
  const fields = (Array.isArray(given) ? given : [given]).map((name) =>
    templateText(asText(name, config), config, 'field'),
  )
  const ignoreMissing = config.boolean('ignore_missing', false)
  return (document) => {
    for (const field of fields) {
      const path = field(document)
      if (ignoreMissing && (path === '' ? isOpenSearch : !document.has(path))) continue
      if (isOpenSearch) checkRemovable(document, path)
      document.remove(path)
    }
    return undefined
  }
}

/** Removes every field at the top but some (OpenSearch). */
function keepOnly(config: ProcessorConfig, kept: JsonValue): Step {
  if (config.raw('field') !== undefined) throw config.fault('field', 'either field or exclude_field must be set')
  const fields = (Array.isArray(kept) ? kept : [kept]).map((name) =>
    templateText(asText(name, config), config, 'field'),
  )
  config.boolean('ignore_missing', false)
  return (document) => {
    const names = new Set(fields.map((field) => field(document)))
    // In the order of Java's table: a name with dots ends it, as it leads elsewhere as a path.
    for (const name of inJavaHashOrder(Object.keys(document.source))) if (!names.has(name)) document.remove(name)
    return undefined
  }
}

/** OpenSearch guards what a document is kept by. @throws {IngestFault} */
function checkRemovable(document: IngestDocument, path: string): void {
  if (path === '') throw new IngestFault('field path cannot be null nor empty')
  if (!document.has(path)) throw new IngestFault(`field [${path}] doesn't exist`)
  if (path === '_index' || path === '_version' || path === '_version_type')
    throw new IngestFault(`cannot remove metadata field [${path}]`)
  const { _version_type: type = 'internal', _version: version = null } = document.metadata
  if (path === '_id' && type !== null && type !== 'internal') {
    throw new IngestFault(
      `cannot remove metadata field [_id] when specifying external version for the document, version: ${textOf(version)}, ` +
        `version_type: ${textOf(type)}`,
    )
  }
}

/** A name that must be a text. */
function asText(name: JsonValue, config: ProcessorConfig): string {
  if (typeof name === 'string') return name
  throw config.failure(
    'class_cast_exception',
    'java.lang.ClassCastException',
    castFailure(classOf(name as Value), TEXT),
  )
}

const TEXT = 'java.lang.String'

/** `rename`. */
export const rename: ProcessorFactory = (config, { engineVersion }) => {
  const field = templateOf(config, 'field')
  const target = templateOf(config, 'target_field')
  const ignoreMissing = config.boolean('ignore_missing', false)
  const isOpenSearch = engineVersion === 'OpenSearch_2.19'
  const overrides = isOpenSearch && config.boolean('override_target', false)
  return (document) => {
    const path = field(document)
    if (isOpenSearch && path === '') {
      if (ignoreMissing) return
      throw new IngestFault('field path cannot be null nor empty')
    }
    if (!document.hasWithinLists(path)) {
      if (ignoreMissing) return
      throw new IngestFault(`field [${path}] doesn't exist`)
    }
    const to = target(document)
    if (document.hasWithinLists(to) && !overrides) throw new IngestFault(`field [${to}] already exists`)
    const value = document.get(path)
    document.remove(path)
    try {
      document.set(to, value)
    } catch (error) {
      // Nothing is lost where it cannot go.
      document.set(path, value)
      throw error
    }
    return undefined
  }
}

/** `dot_expander`: `a.b` as a name becomes `b` within `a`. */
export const dotExpander: ProcessorFactory = (config) => {
  const field = config.text('field')
  if (!field.includes('.')) throw config.fault('field', 'field does not contain a dot')
  if (field.startsWith('.') || field.endsWith('.') || field.includes('..'))
    throw config.fault('field', "Field can't start or end with a dot")
  const path = config.optionalText('path')
  return (document) => {
    const around = path === undefined ? document.source : document.map(path)
    if (!Object.hasOwn(around, field)) return
    const target = path === undefined ? field : `${path}.${field}`
    if (document.has(target)) {
      document.append(target, around[field] as Value)
      delete around[field]
      return
    }
    const value = around[field] as Value
    const [first = ''] = field.split('.')
    const inWay = Object.hasOwn(around, first) ? around[first] : undefined
    if (inWay !== undefined && !isMap(inWay)) {
      throw new IngestFault(`cannot expend [${field}], because [${first}] is not an object field, but a value field`)
    }
    delete around[field]
    document.set(target, value)
    return undefined
  }
}
