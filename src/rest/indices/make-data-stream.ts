import {
  COMPOSABLE_TEMPLATES,
  type ComposableTemplate,
  winningTemplate,
} from '../../engine/metadata/composable-templates.ts'
import {
  backingIndexName,
  type DataStream,
  dataStreams,
  validateDataStreamName,
} from '../../engine/metadata/data-streams.ts'
import type { DataStreamPlace, IndexMetadata } from '../../engine/metadata/index-metadata.ts'
import { ServiceError } from '../../errors.ts'
import { illegalArgument } from '../../illegal-argument.ts'
import type { RestContext } from '../endpoint-handler.ts'
import type { EndpointRequest } from '../rest-request.ts'
import { makeIndex } from './make-index.ts'

const NOTHING_ASKED = { settings: {}, mappings: {}, aliases: {} }

/** The template that new indices of a name are made with; undefined: there is none, or one of the older kind. */
export function templateFor(name: string, { engine }: RestContext): ComposableTemplate | undefined {
  const templates = [...engine.extras.entries(COMPOSABLE_TEMPLATES)].map(([, value]) => value as ComposableTemplate)
  return winningTemplate(name, templates)
}

/** Whether what is made under a name is a data stream. */
export function makesDataStream(name: string, context: RestContext): boolean {
  return templateFor(name, context)?.dataStream !== undefined
}

/** The name of a data stream's first index. */
export function firstBackingIndex(stream: string): string {
  return backingIndexName({ name: stream, generation: 1 })
}

/**
 * Makes a data stream with its first index, which is all there is of it.
 *
 * @throws {ServiceError} resource_already_exists_exception, illegal_argument_exception, status_exception, illegal_state_exception
 */
export async function makeDataStream(
  name: string,
  request: EndpointRequest,
  context: RestContext,
): Promise<IndexMetadata> {
  const { engine } = context
  validateDataStreamName(name, engine.indices, engine.version)
  const { timestampField } = streamTemplate(name, context)
  const place = { name, timestampField, generation: 1 }
  try {
    return await makeBackingIndex(place, request, context)
  } catch (error) {
    if (!(error instanceof ServiceError) || error.type !== 'resource_already_exists_exception') throw error
    const reason = `data stream could not be created because backing index [${firstBackingIndex(name)}] already exists`
    throw new ServiceError('status_exception', reason, { cause: error })
  }
}

/** The place of the index that comes next in a data stream. @throws {ServiceError} illegal_argument_exception */
export function nextPlace({ name, timestampField, generation }: DataStream, context: RestContext): DataStreamPlace {
  streamTemplate(name, context)
  return { name, timestampField, generation: generation + 1 }
}

/** Makes an index behind a data stream, which writes to it from then on. @throws {ServiceError} as `Engine.createIndex` */
export function makeBackingIndex(
  place: DataStreamPlace,
  request: EndpointRequest,
  context: RestContext,
): Promise<IndexMetadata> {
  return makeIndex(backingIndexName(place), { ...NOTHING_ASKED, dataStream: place }, request, context)
}

function streamTemplate(name: string, context: RestContext): { readonly timestampField: string } {
  const template = templateFor(name, context)
  if (template === undefined) throw illegalArgument(`no matching index template found for data stream [${name}]`)
  if (template.dataStream !== undefined) return template.dataStream
  throw illegalArgument(
    `matching index template [${template.name}] for data stream [${name}] has no data stream template`,
  )
}

/** Data streams, by name, that a set of templates makes. */
export function streamsOf(
  templates: Iterable<ComposableTemplate>,
  { engine }: RestContext,
): ReadonlyMap<string, ComposableTemplate> {
  const all = [...templates]
  const made = new Map<string, ComposableTemplate>()
  for (const name of dataStreams(engine.indices.values()).keys()) {
    const template = winningTemplate(name, all)
    if (template?.dataStream !== undefined) made.set(name, template)
  }
  return made
}
