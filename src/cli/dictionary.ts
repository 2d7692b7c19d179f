import { renameSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { buildColumns, type Lexicon } from '../engine/analysis/korean/dictionary-builder.ts'
import { encodeDictionary } from '../engine/analysis/korean/dictionary-file.ts'
import { readMecabFolder } from '../engine/analysis/korean/mecab-folder.ts'

/** What a built dictionary holds, for the command to print. */
export interface BuiltDictionary {
  readonly file: string
  readonly entries: number
  readonly sizeBytes: number
}

/**
 * Makes a dictionary file of a folder of compiled MeCab files, for `dictionary` of a seunjeon_tokenizer.
 *
 * @param options.from    folder with sys.dic, matrix.bin, unk.dic, left-id.def and right-id.def
 * @param options.to      file to write; replaced at once when it exists
 * @param options.origin  name and version of the lexicon, shown in messages; the folder unless given
 * @throws {Error} naming the file of the folder that cannot be read
 */
export function buildDictionary(options: {
  readonly from: string
  readonly to: string
  readonly origin?: string
}): BuiltDictionary {
  return writeDictionary(readMecabFolder(options.from, options.origin ?? resolve(options.from)), options.to)
}

/** Writes a lexicon as a dictionary file. */
export function writeDictionary(lexicon: Lexicon, to: string): BuiltDictionary {
  const columns = buildColumns(lexicon)
  const bytes = encodeDictionary(columns)
  const file = resolve(to)
  const temporary = `${file}.${process.pid}.tmp`
  writeFileSync(temporary, bytes)
  renameSync(temporary, file)
  return { file, entries: columns.entryCost.length, sizeBytes: bytes.length }
}
