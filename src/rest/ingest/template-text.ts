import { ServiceError } from '../../errors.ts'
import type { JsonValue } from '../body/parse-json.ts'
import { MustacheError, type MustachePart, parseMustache } from '../search/mustache-template.ts'
import { MUSTACHE_ENCODERS, type MustacheEncoder, renderMustache } from '../search/render-mustache.ts'
import { type IngestDocument, isMap, type Value, type ValueMap } from './ingest-document.ts'
import { IngestFault } from './ingest-fault.ts'
import type { ProcessorConfig } from './processor-config.ts'

/** A text with places for a document's values: `{{field}}`, `{{{field}}}`, `{{#list}}…{{/list}}`, `{{_ingest.timestamp}}`. */
export type TemplateText = (document: IngestDocument) => string

/** Values between two braces are escaped as in JSON, those between three are not, as in the real server. */
const ESCAPED = MUSTACHE_ENCODERS['application/json'] as MustacheEncoder

/**
 * Reads a template.
 *
 * @param config  the configuration it stands in, for complaints
 * @throws {ServiceError} general_script_exception for one that cannot be read
 */
export function templateText(text: string, config: ProcessorConfig): TemplateText {
  if (!text.includes('{{')) return () => text
  const parts = readTemplate(text, config)
  return (document) => {
    try {
      return document.countText(renderMustache(parts, modelOf(document), ESCAPED))
    } catch (error) {
      if (!(error instanceof MustacheError)) throw error
      throw new IngestFault(error.message)
    }
  }
}

function readTemplate(text: string, config: ProcessorConfig): readonly MustachePart[] {
  try {
    return parseMustache(text)
  } catch (error) {
    if (!(error instanceof MustacheError)) throw error
    const header = {
      ...(config.type === undefined ? {} : { processor_type: config.type }),
      ...(config.tag === undefined ? {} : { processor_tag: config.tag }),
    }
    throw new ServiceError(
      'general_script_exception',
      `Failed to compile inline script [${text}] using lang [mustache]`,
      {
        cause: new ServiceError('mustache_exception', error.message),
        metadata: { header },
      },
    )
  }
}

/** What templates see: the document and its metadata side by side, the same again as `_source`, and `_ingest`. */
function modelOf(document: IngestDocument): ValueMap {
  const whole = document.whole
  return { ...whole, _source: whole, _ingest: document.ingest }
}

/** A value with templates at any depth. @throws {ServiceError} general_script_exception */
export function templateValue(json: JsonValue, config: ProcessorConfig): (document: IngestDocument) => Value {
  if (typeof json === 'string') return templateText(json, config)
  if (Array.isArray(json)) {
    const parts = json.map((member) => templateValue(member, config))
    return (document) => parts.map((part) => part(document))
  }
  if (isMap(json)) {
    const parts = Object.entries(json as { readonly [name: string]: JsonValue }).map(
      ([key, member]) => [templateText(key, config), templateValue(member, config)] as const,
    )
    return (document) => Object.fromEntries(parts.map(([key, part]) => [key(document), part(document)])) as ValueMap
  }
  return () => json as Value
}
