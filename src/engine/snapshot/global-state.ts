import type { ExtraStore, IndexTemplate } from '../engine.ts'
import type { FlatSettings } from '../metadata/index-metadata.ts'

/** Keyed objects that belong to the domain as a whole: templates, pipelines, scripts. */
const NAMESPACES = [
  'component_template',
  'index_template',
  'ingest_pipeline',
  'search_pipeline',
  'stored_script',
] as const

/** What a snapshot has beside its indices. */
export interface GlobalState {
  readonly persistentSettings: FlatSettings
  readonly templates: readonly IndexTemplate[]
  /** By namespace, then name. */
  readonly extras: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

/** Where a global state is taken from and put back. */
export interface GlobalStateHolder {
  readonly persistentSettings: FlatSettings
  readonly transientSettings: FlatSettings
  readonly templates: ReadonlyMap<string, IndexTemplate>
  readonly extras: ExtraStore
  putTemplate(template: IndexTemplate): Promise<void>
  putClusterSettings(persistent: FlatSettings, transient: FlatSettings): Promise<void>
}

/** The global state now. */
export function globalStateOf({ persistentSettings, templates, extras }: GlobalStateHolder): GlobalState {
  return {
    persistentSettings,
    templates: [...templates.values()],
    extras: Object.fromEntries(NAMESPACES.map((name) => [name, Object.fromEntries(extras.entries(name))])),
  }
}

/**
 * Puts a global state back: settings and keyed objects are replaced, templates of other names stay, as in the real server.
 * All of it is queued before this gives way to others.
 */
export async function restoreGlobalState(holder: GlobalStateHolder, state: GlobalState): Promise<void> {
  const changes: Promise<unknown>[] = [
    holder.putClusterSettings(state.persistentSettings, holder.transientSettings),
    ...state.templates.map((template) => holder.putTemplate(template)),
  ]
  for (const namespace of NAMESPACES) {
    const kept = state.extras[namespace] ?? {}
    for (const [name] of [...holder.extras.entries(namespace)])
      if (!Object.hasOwn(kept, name)) changes.push(holder.extras.delete(namespace, name))
    for (const [name, value] of Object.entries(kept)) changes.push(holder.extras.put(namespace, name, value))
  }
  await Promise.all(changes)
}
