import type { Command } from 'commander'
import { type ConnectionFlags, domainCommand, openDomain, readBody } from './connection-options.ts'

/** `chaja create-index INDEX [BODY]`. */
export function createIndexCommand(): Command {
  return domainCommand('create-index', 'create an index, with settings and mappings', [
    'chaja create-index movies',
    `chaja create-index movies '{"mappings":{"movie":{"date_detection":false}}}'`,
    'chaja create-index reviews @korean-index.json',
  ])
    .argument('<index>')
    .argument('[body]', 'JSON with settings and mappings, @file, or - for stdin')
    .action(async (index: string, body: string | undefined, flags: ConnectionFlags) => {
      const { client, output } = await openDomain(flags)
      const answer = await client.request(
        'PUT',
        `/${encodeURIComponent(index)}`,
        body === undefined ? undefined : await readBody(body),
      )
      output.value(answer.body)
      client.close()
    })
}
