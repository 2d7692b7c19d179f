import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { removeDataDir, startDomain } from '../../scripts/domain-process.ts'
import { Client } from '../../src/client/client.ts'
import { type SignedDomain, startSignedDomain } from './signed-domain.ts'

// Each command is a process of its own: seconds on a busy machine.
const root = resolve(import.meta.dirname, '..', '..')
const readme = readFileSync(join(root, 'README.md'), 'utf8')
/** Code blocks of the README by language, in order. */
const blocks = (language: string) =>
  [...readme.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map((m) => m[1] as string)

let domain: SignedDomain

beforeAll(async () => {
  domain = await startSignedDomain()
})

afterAll(() => domain.stop())

describe('the README', () => {
  it('creates, stores and searches in the shell as it says', async () => {
    const block = blocks('sh').find((b) => b.includes('chaja put')) as string
    // The shell of this test has said `chaja env` and knows `chaja` already.
    const ended = await domain.sh(`set -e\n${block.replace(/^(eval|alias).*\n/gm, '')}`)
    expect(ended).toMatchObject({ code: 0, stderr: '' })
    expect(ended.stdout).toContain('"result":"created"')
    expect(ended.stdout).toContain('{"total":1,')
  })

  it('moves an index from a plain server into the domain, into a file and back', async () => {
    const plain = await startDomain()
    try {
      const client = Client.connect({ host: plain.url })
      await client.put('films', 'film', '1', { title: '너의 이름은' })
      client.close()
      const block = blocks('sh').find((b) => b.includes('chaja transfer')) as string
      const script = block.replaceAll('http://127.0.0.1:9200', plain.url).replaceAll('/movies', '/films')
      const ended = await domain.sh(
        `set -e\n${script.replaceAll('movies.ndjson.gz', 'films.ndjson.gz')}\nchaja transfer films.ndjson.gz "https://$AWS_ES_HOST/again"`,
      )
      expect(ended, ended.stderr).toMatchObject({ code: 0 })
      const reports = ended.stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as { written: number; verification: { sourceDigest: string; equal: boolean } })
      expect(reports).toMatchObject(Array.from({ length: 3 }, () => ({ written: 1, verification: { equal: true } })))
      expect(new Set(reports.map((r) => r.verification.sourceDigest)).size).toBe(1)
    } finally {
      await plain.stop()
      removeDataDir(plain.dataDir)
    }
  })

  it('stores and finds a document from code that type-checks', async () => {
    const block = blocks('ts')[0] as string
    mkdirSync(join(domain.folder, 'node_modules', '@types'), { recursive: true })
    symlinkSync(root, join(domain.folder, 'node_modules', 'chaja'))
    symlinkSync(join(root, 'node_modules/@types/node'), join(domain.folder, 'node_modules/@types/node'))
    writeFileSync(join(domain.folder, 'package.json'), '{"type":"module"}')
    writeFileSync(join(domain.folder, 'example.ts'), `${block}\nconsole.log(JSON.stringify(hits))\n`)
    writeFileSync(
      join(domain.folder, 'tsconfig.json'),
      '{"compilerOptions":{"strict":true,"module":"NodeNext","target":"ES2023","types":["node"],"outDir":"."},"files":["example.ts"]}',
    )
    execFileSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', domain.folder], {
      stdio: 'inherit',
    })
    const ended = await domain.sh(`"${process.execPath}" example.js`)
    expect(ended).toMatchObject({ code: 0, stderr: '' })
    expect(ended.stdout).toContain('Your Name')
  })
})
