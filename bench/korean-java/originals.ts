import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The Java originals: fetched by Maven, compiled into a temporary folder. */
export class Originals {
  readonly #folder = mkdtempSync(join(tmpdir(), 'chaja-korean-java-'))
  readonly #classPath: string
  readonly #input: string
  readonly #seconds: string

  /** @param seconds  how long to measure, after one pass over the texts */
  constructor(texts: readonly string[], seconds: number) {
    const sources = import.meta.dirname
    this.#seconds = String(seconds)
    const listed = join(this.#folder, 'class-path')
    execFileSync(
      'mvn',
      ['-q', '-f', join(sources, 'pom.xml'), 'dependency:build-classpath', `-Dmdep.outputFile=${listed}`],
      { stdio: 'inherit' },
    )
    this.#classPath = `${this.#folder}:${readFileSync(listed, 'utf8').trim()}`
    const files = ['Nori.java', 'Seunjeon.java'].map((file) => join(sources, file))
    execFileSync('javac', ['-cp', this.#classPath, '-d', this.#folder, ...files], { stdio: 'inherit' })
    this.#input = texts.map((text) => Buffer.from(text, 'utf16le').toString('base64')).join('\n')
  }

  /** UTF-16 units a second of CPU time, seunjeon without eojeols. */
  seunjeon(): number {
    return this.#run('Seunjeon', this.#seconds)
  }

  /** The same for nori in discard mode, Lucene 7.7.3. */
  nori(): number {
    return this.#run('Nori', 'speed', 'discard', this.#seconds)
  }

  close(): void {
    rmSync(this.#folder, { recursive: true, force: true })
  }

  #run(...args: string[]): number {
    return Number(
      execFileSync('java', ['-Xmx3g', '-cp', this.#classPath, ...args], { input: this.#input, encoding: 'utf8' }),
    )
  }
}
