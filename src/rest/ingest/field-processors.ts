import type { JsonValue } from '../parse-json.ts'
import { classOf, isMap, type Value } from './ingest-document.ts'
import { castFailure, IngestFault } from './ingest-fault.ts'
import type { ProcessorFactory } from './processor.ts'
import type { ProcessorConfig } from './processor-config.ts'
import { templateText, templateValue } from './template-text.ts'

/** `set`. */
export const set: ProcessorFactory = (config) => {
  const field = templateText(config.text('field'), config)
  const value = templateValue(config.required('value'), config)
  const override = config.boolean('override', true)
  return (document) => {
    const path = field(document)
    if (!override && document.has(path) && document.get(path) !== null) return
    const made = value(document)
    document.set(path, made)
    return undefined
  }
}

/** `append`. */
export const append: ProcessorFactory = (config) => {
  const field = templateText(config.text('field'), config)
  const value = templateValue(config.required('value'), config)
  return (document) => {
    document.append(field(document), value(document))
    return undefined
  }
}

/** `remove`. */
export const remove: ProcessorFactory = (config) => {
  const given = config.required('field')
  const fields = (Array.isArray(given) ? given : [given]).map((name) => templateText(asText(name, config), config))
  const ignoreMissing = config.boolean('ignore_missing', false)
  return (document) => {
    for (const field of fields) {
      const path = field(document)
      if (ignoreMissing && !document.has(path)) continue
      document.remove(path)
    }
    return undefined
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
export const rename: ProcessorFactory = (config) => {
  const field = templateText(config.text('field'), config)
  const target = templateText(config.text('target_field'), config)
  const ignoreMissing = config.boolean('ignore_missing', false)
  return (document) => {
    const path = field(document)
    if (!document.has(path)) {
      if (ignoreMissing) return
      throw new IngestFault(`field [${path}] doesn't exist`)
    }
    const to = target(document)
    if (document.has(to)) throw new IngestFault(`field [${to}] already exists`)
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
    const around = path === undefined ? document.source : document.get(path)
    if (!isMap(around) || !Object.hasOwn(around, field)) return
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
