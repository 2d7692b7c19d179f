import { execFileSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { completionCommand } from './completion.ts'
import { serveCommand } from './serve.ts'

/** What bash offers behind these words, of which the last is not finished. */
async function offered(...words: readonly string[]): Promise<string> {
  const written: string[] = []
  const write = process.stdout.write
  process.stdout.write = ((text: string) => written.push(text)) as unknown as typeof write
  try {
    await completionCommand(async () => [serveCommand()]).parseAsync(['bash'], { from: 'user' })
  } finally {
    process.stdout.write = write
  }
  const script = `${written.join('')}\nCOMP_WORDS=("$@") COMP_CWORD=$(($# - 1))\n_chaja\necho "\${COMPREPLY[*]}"`
  return execFileSync('bash', ['-c', script, 'bash', ...words], { encoding: 'utf8' }).trim()
}

it('offers the values of options that are few', async () => {
  expect(await offered('chaja', 'serve', '--eng')).toBe('--engine-version')
  expect(await offered('chaja', 'serve', '--engine-version', 'E')).toBe('Elasticsearch_6.8 Elasticsearch_7.10')
  expect(await offered('chaja', 'serve', '--engine-version', '=', 'O')).toBe('OpenSearch_2.19')
  expect(await offered('chaja', 'serve', '--sigv4', '=')).toBe('any strict')
  expect(await offered('chaja', 'serve', '--health', 'f')).toBe('false')
})
