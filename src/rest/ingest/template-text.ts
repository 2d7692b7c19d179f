import { ServiceError } from '../../errors.ts'
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
 * @param config    the configuration it stands in, for complaints
 * @param property  of the configuration; undefined where the real server does not tell
 * @throws {ServiceError} general_script_exception (6.8) or script_exception for one that cannot be read
 */
export function templateText(text: string, config: ProcessorConfig, property?: string): TemplateText {
  if (!text.includes('{{')) return () => text
  const parts = readTemplate(text, config, property)
  const scopesOf = ALL.test(text) ? oneScope : scopesFor
  return (document) => {
    try {
      return document.countText(renderMustache(parts, scopesOf(document), ESCAPED))
    } catch (error) {
      if (!(error instanceof MustacheError)) throw error
      throw new IngestFault(error.message)
    }
  }
}

/** A text of a configuration as a template. @throws {ServiceError} parse_exception, and as {@link templateText} does */
export function templateOf(config: ProcessorConfig, property: string, fallback?: string): TemplateText {
  return templateText(config.text(property, fallback), config, property)
}

function readTemplate(text: string, config: ProcessorConfig, property: string | undefined): readonly MustachePart[] {
  try {
    return parseMustache(text)
  } catch (error) {
    if (!(error instanceof MustacheError)) throw error
    throw config.within(config.hasHeader ? uncompiled(text, error) : misread(text, error), property)
  }
}

function uncompiled(text: string, error: MustacheError): ServiceError {
  const cause = new ServiceError('mustache_exception', error.message)
  const reason = `Failed to compile inline script [${text}] using lang [mustache]`
  return new ServiceError('general_script_exception', reason, { cause })
}

function misread(text: string, { laterMessage }: MustacheError): ServiceError {
  const cause = new ServiceError('mustache_exception', laterMessage)
  const metadata = { script_stack: [], script: text, lang: 'mustache' }
  return new ServiceError('script_exception', laterMessage, { cause, metadata })
}

/** A place for all that a template sees, `{{.}}`. */
const ALL = /\{\{[{&#^]?\s*\.\s*\}/

/**
 * What templates see: the document and its metadata side by side, the same again as `_source`, and `_ingest`. Nothing is copied for
 * it but the `_source` of those that name it: a pipeline may have thousands of templates for a document of thousands of fields.
 */
function scopesFor(document: IngestDocument): readonly ValueMap[] {
  const { source, metadata, ingest } = document
  const around = {
    _ingest: ingest,
    get _source(): ValueMap {
      return document.whole
    },
  }
  return [source, metadata, around]
}

/** The same as one map. */
function oneScope(document: IngestDocument): readonly ValueMap[] {
  const whole = document.whole
  return [{ ...whole, _source: whole, _ingest: document.ingest }]
}

/** A value with templates at any depth. @throws {ServiceError} as {@link templateText} does */
export function templateValue(json: unknown, config: ProcessorConfig): (document: IngestDocument) => Value {
  if (typeof json === 'string') return templateText(json, config)
  if (Array.isArray(json)) {
    const parts = json.map((member) => templateValue(member, config))
    return (document) => parts.map((part) => part(document))
  }
  if (isMap(json)) {
    const parts = Object.entries(json).map(
      ([key, member]) => [templateText(key, config), templateValue(member, config)] as const,
    )
    return (document) => Object.fromEntries(parts.map(([key, part]) => [key(document), part(document)])) as ValueMap
  }
  return () => json as Value
}
