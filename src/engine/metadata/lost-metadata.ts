import { isObject } from '../../is-object.ts'
import type { AliasMetadata, DataStreamPlace, FlatSettings, IndexMetadata } from './index-metadata.ts'

/**
 * What is known of an index whose entry in the store is damaged. What is left of the entry says which names it may have had, so
 * that nobody makes another index of them by writing, and how many shards are missed; nothing else is taken from it.
 *
 * @param damage  why it cannot be read, and what of the entry's JSON is left, if it is any
 * @param keyed   its name as the entry's key has it, which may be what is damaged
 * @param others  whose names it has not
 */
export function lostMetadata(
  damage: { readonly reason: string; readonly remains: unknown },
  keyed: string,
  others: ReadonlyMap<string, IndexMetadata>,
): IndexMetadata {
  const left = objectIn(objectIn(damage, 'remains'), 'metadata')
  const settings = objectIn(left, 'settings')
  const stream = objectIn(left, 'dataStream')
  const named = textIn(left, 'name')
  const aliases = Object.entries(objectIn(left, 'aliases')).map(([alias, given]): [string, AliasMetadata] => [
    alias,
    isObject(given) && given['isWriteIndex'] === true ? { isWriteIndex: true } : {},
  ])
  return {
    name: named === undefined || others.has(named) ? keyed : named,
    uuid: textIn(left, 'uuid') ?? '_na_',
    creationDate: typeof left['creationDate'] === 'number' ? left['creationDate'] : 0,
    settings: countsIn(settings),
    mappings: {},
    aliases: Object.fromEntries(aliases),
    state: 'open',
    ...(isPlace(stream) ? { dataStream: stream } : {}),
    unavailable: {
      reason: `${damage.reason}. Delete the index, or restore it from a snapshot`,
      isMetadataLost: true,
    },
  }
}

function countsIn(settings: Readonly<Record<string, unknown>>): FlatSettings {
  const names = ['index.number_of_shards', 'index.number_of_replicas', 'index.hidden'] as const
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = textIn(settings, name)
      return value !== undefined && /^(\d{1,4}|true|false)$/.test(value) ? [[name, value]] : []
    }),
  )
}

const isPlace = (value: object): value is DataStreamPlace =>
  'name' in value && typeof value.name === 'string' && 'generation' in value && typeof value.generation === 'number'

function objectIn(object: Readonly<Record<string, unknown>>, name: string): Readonly<Record<string, unknown>> {
  const value = object[name]
  return isObject(value) ? value : {}
}

function textIn(object: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const value = object[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}
