import { DEFAULT_TYPE } from '../../engine/mapping/merge-defaults.ts'
import { unknownSimilaritySettings } from '../../engine/mapping/similarity.ts'
import { matchingTemplates } from '../../engine/metadata/apply-templates.ts'
import {
  COMPOSABLE_TEMPLATES,
  type ComposableTemplate,
  winningTemplate,
} from '../../engine/metadata/composable-templates.ts'
import type { FlatSettings, IndexMetadata } from '../../engine/metadata/index-metadata.ts'
import { beyondShardLimit, shardsOf } from '../../engine/metadata/shard-limit.ts'
import { scriptedFaults } from '../../engine/search/lucene/similarity/scripted-similarity.ts'
import { isObject } from '../../is-object.ts'
import type { RestContext } from '../endpoint-handler.ts'
import type { EndpointRequest } from '../rest-request.ts'
import { notePartNames } from './analysis-deprecations.ts'
import { noteGramSizes } from './gram-deprecations.ts'
import { noteMapping } from './mapping-deprecations.ts'
import type { Warnings } from './warnings.ts'

interface Contents {
  readonly settings: FlatSettings
  readonly mappings: Readonly<Record<string, unknown>>
}

/** Settings that are deprecated whatever they say. */
const SETTINGS: Readonly<Record<string, 'setting' | 'older_setting'>> = {
  'index.max_adjacency_matrix_filters': 'setting',
  'index.force_memory_term_dictionary': 'setting',
  'index.mapper.dynamic': 'setting',
  'index.optimize_auto_generated_id': 'older_setting',
  'index.ttl.disable_purge': 'older_setting',
}

/**
 * Notes what is deprecated of an index that was made, and of the templates it fits; mappings are heard as they are read.
 *
 * @param asked  settings that the request gave
 */
export function noteNewIndex(
  metadata: IndexMetadata,
  asked: FlatSettings,
  { warnings }: EndpointRequest,
  context: RestContext,
): void {
  const { name } = metadata
  if (name.startsWith('.') && String(metadata.settings['index.hidden']) !== 'true') warnings.note('dot_in_name', name)
  noteAskedIndex(name, asked, warnings, context)
  const { version } = context.engine
  const shards = shardsOf(metadata.settings)
  noteShards(shards, context, warnings, shards)
  if (String(metadata.settings['index.soft_deletes.enabled']) === 'false') warnings.note('no_soft_deletes', name)
  noteContents(metadata, warnings)
  if (version === 'Elasticsearch_6.8')
    for (const fault of scriptedFaults(metadata.settings, version)) warnings.note('similarity_scores', fault)
  if (metadata.mappings[DEFAULT_TYPE] !== undefined) warnings.note('default_mapping')
  noteRetention(metadata.settings, warnings)
}

/** Notes what is deprecated of an index' name, of the settings asked for, and of those of the templates it fits. */
export function noteAskedIndex(name: string, asked: FlatSettings, warnings: Warnings, { engine }: RestContext): void {
  if (name.includes(':')) warnings.note('colon_in_name', name)
  const composable = [...engine.extras.entries(COMPOSABLE_TEMPLATES)].map(
    ([, template]) => template as ComposableTemplate,
  )
  const isComposed = winningTemplate(name, composable) !== undefined
  const templates = isComposed ? [] : matchingTemplates(name, engine.templates.values())
  if (templates.length > 1) {
    const names = templates.map((template) => template.name).sort()
    warnings.note('several_templates', name, names.join(', '))
  }
  const parts = [asked, ...templates.map(({ settings }) => settings)]
  if (parts.every((settings) => (settings['index.number_of_shards'] ?? null) === null)) warnings.note('default_shards')
  const whole: FlatSettings = Object.assign({}, ...parts.slice(1), asked)
  for (const settings of parts) noteSettings(settings, warnings, whole)
}

/** Notes shards that from 7 on would be refused. @param counted  how many of them are there already */
export function noteShards(added: number, { engine }: RestContext, warnings: Warnings, counted = 0): void {
  const beyond = engine.version === 'Elasticsearch_6.8' ? beyondShardLimit(added, engine, counted) : undefined
  if (beyond !== undefined) warnings.note('shard_limit', beyond)
}

/** Notes settings of the translog that mean nothing any more: an index' when it is made, else those that are changed. */
export function noteRetention(settings: FlatSettings, warnings: Warnings): void {
  const said = ['age', 'size'].some((name) => (settings[`index.translog.retention.${name}`] ?? null) !== null)
  if (said) warnings.note('translog_retention')
}

/**
 * Notes what is deprecated of settings and mappings by type: a request's, a template's, or an index' whenever they are changed.
 */
export function noteContents({ settings, mappings }: Contents, warnings: Warnings): void {
  noteSettings(settings, warnings)
  for (const mapping of Object.values(mappings)) if (isObject(mapping)) noteMapping(mapping, warnings)
}

/**
 * Notes what is deprecated of settings.
 *
 * @param whole  settings of the index that these are a part of
 */
export function noteSettings(settings: FlatSettings, warnings: Warnings, whole = settings): void {
  for (const [name, value] of Object.entries(settings)) {
    if (value === null) continue
    const whole = Object.hasOwn(SETTINGS, name) ? SETTINGS[name] : undefined
    if (whole !== undefined) warnings.note(whole, name)
    if (name === 'index.mapper.dynamic') warnings.note('dynamic_mapper')
    else if (name === 'index.store.type' && value === 'simplefs') warnings.note('simplefs')
    else if (name === 'index.shard.check_on_startup' && value === 'fix') warnings.note('check_on_startup')
    else if (/^index\.similarity\.[^.]+\.type$/.test(name) && value === 'classic') warnings.note('classic_similarity')
    else if (typeof value === 'string' && /^\d+\.\d+(?:[kmgtp]b?|b)$/i.test(value))
      warnings.note('fractional_bytes', value, name)
  }
  noteGramSizes(settings, whole, warnings)
  notePartNames(settings, warnings)
  for (const unknown of unknownSimilaritySettings(settings)) warnings.note('similarity_settings', ...unknown)
}
