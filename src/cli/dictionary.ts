import { renameSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { Command } from 'commander'
import { buildColumns, type Lexicon } from '../engine/analysis/korean/dictionary-builder.ts'
import { ENTRY_UNITS } from '../engine/analysis/korean/dictionary-columns.ts'
import { encodeDictionary } from '../engine/analysis/korean/dictionary-file.ts'
import { readMecabFolder } from '../engine/analysis/korean/mecab-folder.ts'
import { fileProblem } from '../file-problem.ts'
import { makeFolder } from '../make-folder.ts'
import { dataOption } from './data-directory.ts'
import { withExamples } from './examples.ts'
import { Output } from './output.ts'
import { UsageError } from './usage-error.ts'

/** File a dictionary goes to unless the command line says otherwise, below the domain's config folder. */
const DEFAULT_NAME = 'seunjeon.dictionary'

interface BuildFlags {
  readonly from: string
  readonly to?: string
  readonly origin?: string
  readonly data: string
  readonly json?: boolean
}

/** `chaja dictionary build`: makes a dictionary of a team's own for the seunjeon tokenizer. */
export function dictionaryCommand(): Command {
  const command = new Command('dictionary').description('make dictionaries for the Korean tokenizers')
  command
    .command('build')
    .description('turn a folder of compiled MeCab files into a dictionary for seunjeon_tokenizer')
    .requiredOption('--from <dir>', 'folder with sys.dic, matrix.bin, unk.dic, left-id.def and right-id.def')
    .option('--to <file>', `file to write (default: config/${DEFAULT_NAME} of the data directory)`)
    .option('--origin <name>', 'name and version of the lexicon, shown in messages (default: the folder)')
    .option('--json', 'print JSON')
    .addOption(dataOption())
    .addHelpText(
      'after',
      `
The tokenizer names the file by its path below the domain's config folder:
  {"type": "seunjeon_tokenizer", "dictionary": "${DEFAULT_NAME}"}
`,
    )
    .action((flags: BuildFlags) => {
      if (!statSync(flags.from, { throwIfNoEntry: false })?.isDirectory()) {
        throw new UsageError(`--from ${flags.from} is no folder`)
      }
      const to = flags.to ?? join(flags.data, 'config', DEFAULT_NAME)
      const { origin, from } = flags
      const built = build({ from, to, ...(origin === undefined ? {} : { origin }) })
      const output = new Output({ json: flags.json })
      if (output.json) output.value(built)
      else output.text(`${built.file}: ${built.entries} entries, ${built.sizeBytes} bytes`)
    })
  return withExamples(command, [
    'chaja dictionary build --from ./mecab-ko-dic-2.0.1 --to ./chaja-data/config/older.dictionary',
  ])
}

function build(options: Parameters<typeof buildDictionary>[0]): BuiltDictionary {
  try {
    return buildDictionary(options)
  } catch (cause) {
    const { path } = cause as NodeJS.ErrnoException
    if (path === undefined) throw cause
    throw new UsageError(`cannot use ${path}: ${fileProblem(cause)}`, { cause })
  }
}

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
  makeFolder(dirname(file))
  writeFileSync(temporary, bytes)
  renameSync(temporary, file)
  return { file, entries: columns.entries.length / ENTRY_UNITS, sizeBytes: bytes.length }
}
