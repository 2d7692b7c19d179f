import type { JsonValue } from '../rest/body/parse-json.ts'
import { list, member } from './json-members.ts'

/** What settings may name a pipeline. */
const PIPELINE_SETTINGS = ['default_pipeline', 'final_pipeline'] as const

/** What asks for it. */
export const TEMPLATES_PATH = `/_cluster/state/version,metadata?filter_path=${[
  'state_uuid',
  'metadata.templates.*.index_patterns',
  'metadata.templates.*.settings',
  'metadata.index_template.*.*.index_patterns',
  'metadata.index_template.*.*.composed_of',
  'metadata.index_template.*.*.priority',
  'metadata.index_template.*.*.template.settings',
  'metadata.component_template.*.*.template.settings',
].join(',')}`

/** A template: what indices to come are called, and which pipelines they get. */
export interface ClusterTemplate {
  /** Of a composable one, as is its priority. */
  readonly name?: string
  readonly priority?: number
  readonly patterns: readonly string[]
  readonly pipelines: readonly string[]
}

/** Reads the part of a state that {@link TEMPLATES_PATH} asks for. */
export function readTemplates(state: JsonValue): readonly ClusterTemplate[] {
  const metadata = member(state, 'metadata')
  const named = (kind: string): [string, JsonValue][] =>
    Object.entries((member(member(metadata, kind), kind) ?? {}) as { [name: string]: JsonValue })
  const components = new Map(
    named('component_template').map(([name, one]) => [name, pipelinesOf(member(one, 'template'))]),
  )
  const legacy = Object.values((member(metadata, 'templates') ?? {}) as { [name: string]: JsonValue })
  return [
    ...legacy.map((one) => ({ patterns: list(member(one, 'index_patterns') ?? []), pipelines: pipelinesOf(one) })),
    ...named('index_template').map(([name, one]) => ({
      name,
      priority: Number(member(one, 'priority') ?? 0),
      patterns: list(member(one, 'index_patterns') ?? []),
      pipelines: [
        ...pipelinesOf(member(one, 'template')),
        ...list(member(one, 'composed_of') ?? []).flatMap((name) => components.get(name) ?? []),
      ],
    })),
  ]
}

function pipelinesOf(template: JsonValue | undefined): string[] {
  const settings = member(template, 'settings')
  const index = member(settings, 'index')
  return PIPELINE_SETTINGS.map((name) => member(index, name) ?? member(settings, `index.${name}`)).filter(
    (id) => typeof id === 'string',
  )
}
