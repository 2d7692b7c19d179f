import { writeBigJson } from '../../engine/big-json.ts'

/** Processors that write only where their definition says. */
const PLAIN_PROCESSORS: ReadonlySet<string> = new Set([
  'append',
  'bytes',
  'convert',
  'date',
  'drop',
  'fail',
  'gsub',
  'html_strip',
  'join',
  'lowercase',
  'remove',
  'rename',
  'set',
  'sort',
  'split',
  'trim',
  'uppercase',
  'urldecode',
])

/**
 * Whether an ingest pipeline may send a document to another index than it was written to: unless it is sure not to.
 *
 * @param definition  as the cluster's state has it; undefined for a pipeline that is not there
 */
export function mayRedirect(definition: unknown): boolean {
  const { processors, on_failure: onFailure } = (definition ?? {}) as { processors?: unknown; on_failure?: unknown }
  return ![processors ?? [], onFailure ?? []].every((list) => Array.isArray(list) && list.every(isPlain))
}

function isPlain(processor: unknown): boolean {
  return Object.entries(processor ?? { nothing: null }).every(([kind, options]) => {
    if (!PLAIN_PROCESSORS.has(kind)) return false
    const { on_failure: onFailure, ...own } = (options ?? {}) as { on_failure?: unknown }
    // A name may be a template that comes to `_index`; a condition is a script that writes nothing.
    const text = writeBigJson(own)
    if (text.includes('_index') || text.includes('{{')) return false
    return onFailure === undefined || (Array.isArray(onFailure) && onFailure.every(isPlain))
  })
}

/**
 * Whether a pipeline runs what is stored by a name, a script or another pipeline.
 *
 * @param member  what it is named in: `id` of a script, `name` of a pipeline
 */
export function runs(definition: unknown, member: 'id' | 'name', stored: string): boolean {
  // A name may be a template.
  return namesRun(definition, member).some((name) => name === stored || name.includes('{{'))
}

/** Names of what is stored that a pipeline runs, and more: whatever has such a member. Parameters as in {@link runs}. */
export function namesRun(definition: unknown, member: 'id' | 'name'): string[] {
  if (typeof definition !== 'object' || definition === null) return []
  return Object.entries(definition).flatMap(([key, value]) => {
    // It may be a number.
    const isName = key === member && typeof value !== 'object'
    return isName ? [String(value)] : namesRun(value, member)
  })
}
