import {
  COMPONENT_TEMPLATES,
  COMPOSABLE_TEMPLATES,
  type ComponentTemplate,
  type ComposableTemplate,
} from '../engine/metadata/composable-templates.ts'
import type { RestContext } from './endpoint-handler.ts'
import { renderComponent } from './endpoints/component-templates.ts'
import { renderTemplate } from './endpoints/composable-templates.ts'
import { PIPELINES } from './ingest/ingest-service.ts'
import type { Json } from './json/json-writer.ts'
import { mayReadStored } from './judge-stored.ts'
import type { EndpointRequest } from './rest-request.ts'
import { STORED_SCRIPTS } from './search/stored-script.ts'
import { SEARCH_PIPELINES } from './search-pipelines/search-pipeline.ts'

/** Namespaces of what the state of the cluster tells. */
export const STORED = [COMPONENT_TEMPLATES, COMPOSABLE_TEMPLATES, PIPELINES, SEARCH_PIPELINES, STORED_SCRIPTS] as const

/** `metadata` of the cluster's state: what is stored by names, of each kind to who may read all of it. */
export function storedMetadata(
  request: EndpointRequest,
  { engine }: RestContext,
): { readonly [section: string]: Json } {
  const sections: { [section: string]: Json } = {}
  const add = (namespace: string, folder: string, render: (entries: [string, unknown][]) => Json) => {
    const entries = [...engine.extras.entries(namespace)] as [string, unknown][]
    if (entries.length > 0 && mayReadStored(request, folder))
      sections[SECTIONS[namespace] ?? namespace] = render(entries)
  }
  const pipelines = (entries: [string, unknown][]): Json => ({
    pipeline: entries.map(([id, config]) => ({ id, config: config as Json })),
  })
  const inside =
    (name: string, render: (value: unknown) => Json) =>
    (entries: [string, unknown][]): Json => ({
      [name]: Object.fromEntries(entries.map(([key, value]) => [key, render(value)])),
    })
  add(
    COMPONENT_TEMPLATES,
    '_component_template',
    inside('component_template', (one) => renderComponent(one as ComponentTemplate)),
  )
  add(
    COMPOSABLE_TEMPLATES,
    '_index_template',
    inside('index_template', (one) => renderTemplate(one as ComposableTemplate)),
  )
  add(PIPELINES, '_ingest/pipeline', pipelines)
  add(SEARCH_PIPELINES, '_search/pipeline', pipelines)
  add(STORED_SCRIPTS, '_scripts', (entries) => Object.fromEntries(entries) as Json)
  return sections
}

/** What sections are called where that is not the namespace. */
const SECTIONS: { readonly [namespace: string]: string } = { [PIPELINES]: 'ingest', [STORED_SCRIPTS]: 'stored_scripts' }
