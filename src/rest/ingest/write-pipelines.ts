import type { Engine } from '../../engine/engine.ts'
import { matchingTemplates } from '../../engine/metadata/apply-templates.ts'
import {
  COMPONENT_TEMPLATES,
  COMPOSABLE_TEMPLATES,
  type ComponentTemplate,
  type ComposableTemplate,
  composedSettings,
  winningTemplate,
} from '../../engine/metadata/composable-templates.ts'
import type { FlatSettings } from '../../engine/metadata/index-metadata.ts'
import { resolveWriteIndex } from '../../engine/metadata/resolve-alias.ts'
import { ServiceError } from '../../errors.ts'

/** The pipelines that a write goes through, one after the other. */
export interface WritePipelines {
  /** The one asked for, or `index.default_pipeline`. */
  readonly first: string | undefined
  /** `index.final_pipeline` (7.5 and later), which no request can leave out. */
  readonly final: string | undefined
}

const DEFAULT_PIPELINE = 'index.default_pipeline'
const FINAL_PIPELINE = 'index.final_pipeline'

/**
 * The pipelines of a write into an index: settings of the index, of the one that an alias writes to, or of the templates
 * that it is about to be made with.
 *
 * @param asked  undefined: nothing was said; `_none`: not the default one
 */
export function writePipelines(engine: Engine, index: string, asked: string | undefined): WritePipelines {
  const settings = settingsOf(engine, index)
  const first = asked ?? named(settings, DEFAULT_PIPELINE)
  return { first: first === '_none' || first === '' ? undefined : first, final: named(settings, FINAL_PIPELINE) }
}

/** Whether a write goes through any pipeline. */
export function isIngested({ first, final }: WritePipelines): boolean {
  return first !== undefined || final !== undefined
}

/** Whether any index, or a template of indices to come, names a pipeline. */
export function anyPipelines(engine: Engine): boolean {
  for (const { settings } of engine.indices.values()) if (hasPipeline(settings)) return true
  for (const { settings } of engine.templates.values()) if (hasPipeline(settings)) return true
  const component = componentOf(engine)
  for (const [, template] of engine.extras.entries(COMPOSABLE_TEMPLATES)) {
    if (hasPipeline(composedSettings(template as ComposableTemplate, component))) return true
  }
  return false
}

/** What a pipeline has its effect on. */
export interface PipelineUsers {
  readonly indices: readonly string[]
  /** Of templates. */
  readonly patterns: readonly string[]
}

/**
 * Whose writes go through a pipeline, whether it is there yet or not.
 *
 * @param naming  settings that name pipelines; others name those of searches
 */
export function usersOf(
  engine: Engine,
  id: string,
  naming: readonly string[] = [DEFAULT_PIPELINE, FINAL_PIPELINE],
): PipelineUsers {
  const names = (settings: FlatSettings) => naming.some((setting) => settings[setting] === id)
  const composable = [...engine.extras.entries(COMPOSABLE_TEMPLATES)].map(([, value]) => value as ComposableTemplate)
  const templates = [
    ...[...engine.templates.values()].filter(({ settings }) => names(settings)),
    ...composable.filter((template) => names(composedSettings(template, componentOf(engine)))),
  ]
  return {
    indices: [...engine.indices.values()].filter(({ settings }) => names(settings)).map(({ name }) => name),
    patterns: templates.flatMap(({ indexPatterns }) => indexPatterns),
  }
}

function hasPipeline(settings: FlatSettings): boolean {
  return named(settings, DEFAULT_PIPELINE) !== undefined || named(settings, FINAL_PIPELINE) !== undefined
}

function named(settings: FlatSettings, setting: string): string | undefined {
  const value = settings[setting]
  return typeof value === 'string' && value !== '_none' && value !== '' ? value : undefined
}

function settingsOf(engine: Engine, index: string): FlatSettings {
  const metadata = engine.indices.get(index) ?? writeIndexOf(engine, index)
  if (metadata !== undefined) return metadata.settings
  const templates = [...engine.extras.entries(COMPOSABLE_TEMPLATES)].map(([, value]) => value as ComposableTemplate)
  const winner = winningTemplate(index, templates)
  if (winner !== undefined) return composedSettings(winner, componentOf(engine))
  let settings: FlatSettings = {}
  for (const template of matchingTemplates(index, engine.templates.values()))
    settings = { ...template.settings, ...settings }
  return settings
}

/** The index that a name leads to; undefined also where it leads nowhere, which the write itself complains about. */
export function writeIndexOf(engine: Engine, name: string) {
  try {
    return resolveWriteIndex(name, { indices: engine.indices, engineVersion: engine.version, now: Date.now() })
  } catch (error) {
    if (error instanceof ServiceError) return undefined
    throw error
  }
}

function componentOf(engine: Engine): (name: string) => ComponentTemplate | undefined {
  return (name) => engine.extras.get(COMPONENT_TEMPLATES, name) as ComponentTemplate | undefined
}
