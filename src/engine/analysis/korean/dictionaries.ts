import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { SharedMemory } from '../../kernel.ts'
import type { DictionaryKind } from './dictionary-columns.ts'
import { readDictionaryFile } from './dictionary-file.ts'
import { openImage } from './dictionary-image.ts'
import { KoreanDictionary } from './korean-dictionary.ts'

/** A dictionary another thread can open without reading it again. */
export interface SharedDictionary {
  /** The path it was loaded from. */
  readonly file: string
  readonly image: SharedMemory
}

interface LoadedDictionary extends SharedDictionary {
  readonly dictionary: KoreanDictionary
}

// The one store of dictionaries of this thread: some 30 MB each and immutable, so they are loaded once, when the first
// tokenizer that needs one is made, and kept.
const loaded = new Map<string, LoadedDictionary>()

const BUILT_IN: Record<DictionaryKind, string> = {
  seunjeon: fileURLToPath(new URL('../../../../data/seunjeon.dictionary', import.meta.url)),
  nori: fileURLToPath(new URL('../../../../data/nori.dictionary', import.meta.url)),
}

/**
 * The dictionary that comes with the package for a tokenizer, or one a team built; loaded on the first call.
 *
 * @param file  path of a dictionary file instead of the built-in one
 * @throws {Error} naming the file when it cannot be read, is damaged or is of the other kind
 */
export function koreanDictionaryFor(kind: DictionaryKind, file?: string): KoreanDictionary {
  const path = file === undefined ? BUILT_IN[kind] : resolve(file)
  const known = loaded.get(path) ?? open({ file: path, image: readDictionaryFile(path) })
  if (known.dictionary.meta.kind !== kind) {
    throw new Error(`${path}: a ${known.dictionary.meta.kind} dictionary, not a ${kind} one`)
  }
  return known.dictionary
}

/** The dictionaries loaded so far, to hand to a worker thread (`workerData` or a message; nothing is copied). */
export function exportLoadedDictionaries(): SharedDictionary[] {
  return [...loaded.values()].map(({ file, image }) => ({ file, image }))
}

/** Makes another thread's dictionaries this thread's; those it already has stay. */
export function importDictionaries(dictionaries: readonly SharedDictionary[]): void {
  for (const dictionary of dictionaries) if (!loaded.has(dictionary.file)) open(dictionary)
}

function open({ file, image }: SharedDictionary): LoadedDictionary {
  const opened = openImage(image)
  const entry = { file, image, dictionary: new KoreanDictionary(opened.columns, opened) }
  loaded.set(file, entry)
  return entry
}
