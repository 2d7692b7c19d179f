/**
 * Makes `data/stemming/kstem.words` again: the words the stemmer KStem knows, from Lucene's sources on Maven Central.
 *
 *   npx tsx scripts/kstem-words.ts             writes it
 *   npx tsx scripts/kstem-words.ts --check     compares with what is committed and writes nothing
 *
 * Needs Maven and `unzip`.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const VERSION = '9.12.2'
const ARTIFACT = `org.apache.lucene:lucene-analysis-common:${VERSION}:jar:sources`
const FILE = join(import.meta.dirname, '..', 'data', 'stemming', 'kstem.words')

const temporary = mkdtempSync(join(tmpdir(), 'chaja-kstem-'))
try {
  execFileSync('mvn', ['-q', 'dependency:copy', `-Dartifact=${ARTIFACT}`, `-DoutputDirectory=${temporary}`])
  const jar = join(temporary, `lucene-analysis-common-${VERSION}-sources.jar`)
  const folder = 'org/apache/lucene/analysis/en'
  execFileSync('unzip', ['-q', jar, `${folder}/KStem*.java`, '-d', temporary])
  const source = (name: string) => readFileSync(join(temporary, folder, `${name}.java`), 'utf8')
  const text = wordFile(source('KStemmer'), [1, 2, 3, 4, 5, 6, 7, 8].map((n) => source(`KStemData${n}`)).join('\n'))
  if (process.argv.includes('--check')) {
    if (readFileSync(FILE, 'utf8') === text) console.log('equal')
    else {
      console.error(`${FILE} differs from what the sources give`)
      process.exitCode = 1
    }
  } else writeFileSync(FILE, text)
} finally {
  rmSync(temporary, { recursive: true, force: true })
}

/** Lines of the file, sorted: a word; a word and its stem; `!` and a word that is one only where nothing was taken off. */
function wordFile(stemmer: string, headWords: string): string {
  const pairs = [...texts(stemmer, 'directConflations'), ...texts(stemmer, 'countryNationality')]
  const lines = [
    ...texts(stemmer, 'exceptionWords').map((word) => `!${word}`),
    ...pairs.flatMap((word, i) => (i % 2 === 0 ? [`${word} ${pairs[i + 1]}`] : [])),
    ...texts(stemmer, 'supplementDict'),
    ...texts(stemmer, 'properNouns'),
    ...quoted(headWords),
  ]
  return `${lines.sort().join('\n')}\n`
}

/** What an array of texts holds. */
function texts(source: string, name: string): string[] {
  const from = source.indexOf(`${name} =`)
  return quoted(source.slice(from, source.indexOf(';', from)))
}

function quoted(text: string): string[] {
  const code = text.replace(/\/\/.*|\/\*[\s\S]*?\*\//g, '')
  return Array.from(code.matchAll(/"([^"]*)"/g), (match) => match[1] as string)
}
