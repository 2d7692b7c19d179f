import { ServiceError } from '../../errors.ts'
import type { CreateIndexRequest, ExtraStore, IndexTemplate } from '../engine.ts'
import { DEFAULT_TIMESTAMP_FIELD } from '../mapping/data-stream-timestamp.ts'
import { aliasesOfTemplate } from '../metadata/aliases-of-template.ts'
import { applyTemplates, type IndexContents } from '../metadata/apply-templates.ts'
import {
  COMPONENT_TEMPLATES,
  COMPOSABLE_TEMPLATES,
  type ComponentTemplate,
  type ComposableTemplate,
  composedContents,
  laidOver,
  type TemplateContents,
  winningTemplate,
} from '../metadata/composable-templates.ts'
import type { DataStreamPlace } from '../metadata/index-metadata.ts'

/**
 * What an index is made with: the request over the templates for its name, which are the composable one that wins, or else
 * all of the older kind that match. One behind a data stream is made with the stream's.
 *
 * @throws {ServiceError} illegal_argument_exception where the template makes data streams
 */
export function templatedContents(
  name: string,
  request: CreateIndexRequest,
  templates: Iterable<IndexTemplate>,
  extras: ExtraStore,
): IndexContents {
  const { dataStream } = request
  const composable = [...extras.entries(COMPOSABLE_TEMPLATES)].map(([, value]) => value as ComposableTemplate)
  const winner = winningTemplate(dataStream?.name ?? name, composable)
  if (winner === undefined) return applyTemplates(name, request, templates)
  if (winner.dataStream !== undefined && dataStream === undefined) {
    throw new ServiceError(
      'illegal_argument_exception',
      `cannot create index with name [${name}], because it matches with template [${winner.name}] that creates data streams only, use create data stream api instead`,
    )
  }
  const component = (part: string) => extras.get(COMPONENT_TEMPLATES, part) as ComponentTemplate | undefined
  const [type = '_doc'] = Object.keys(request.mappings)
  const { settings, aliases } = request
  const mapping = request.mappings[type] ?? {}
  const asked = { settings, mapping, aliases }
  const composed = composedContents(winner, component)
  const contents =
    dataStream === undefined ? laidOver(composed, asked) : behindStream(composed, winner.dataStream ?? dataStream)
  const isMapped = Object.keys(contents.mapping).length > 0 || request.mappings[type] !== undefined
  return {
    settings: contents.settings,
    mappings: isMapped ? { [type]: contents.mapping } : {},
    aliases: aliasesOfTemplate(contents.aliases, name),
  }
}

/** What a template gives an index behind a data stream: hidden, each document with its time, in the template's field of this moment. */
function behindStream(
  composed: TemplateContents,
  { timestampField }: Pick<DataStreamPlace, 'timestampField'>,
): TemplateContents {
  const time = timestampField.split('.').reduceRight<object>((inner, name) => ({ properties: { [name]: inner } }), {
    type: 'date',
  })
  const timed = laidOver({ settings: {}, mapping: time as TemplateContents['mapping'], aliases: {} }, composed)
  const named = timestampField === DEFAULT_TIMESTAMP_FIELD ? {} : { timestamp_field: { name: timestampField } }
  return {
    ...timed,
    settings: { ...timed.settings, 'index.hidden': 'true' },
    mapping: { ...timed.mapping, _data_stream_timestamp: { enabled: true, ...named } },
  }
}
