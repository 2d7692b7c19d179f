import type { Command } from 'commander'
import { documentPath } from '../client/request-path.ts'
import { type ConnectionFlags, domainCommand, openDomain, readBody, requestText } from './connection-options.ts'
import { UsageError } from './usage-error.ts'

type WriteFlags = ConnectionFlags & { readonly refresh?: boolean }

/** `chaja put INDEX TYPE ID DOCUMENT`. */
export function putCommand(): Command {
  return domainCommand('put', 'store a document under its id', [
    `chaja put movies movie 1 '{"title":"너의 이름은"}'`,
    'chaja put movies movie 1 @movie.json',
    'cat movie.json | chaja put movies movie 1 -',
  ])
    .argument('<index>')
    .argument('<type>')
    .argument('<id>')
    .argument('<document>', 'JSON, @file, or - for stdin')
    .option('--refresh', 'make it visible to search at once')
    .action(async (...[index, type, id, document, flags]: [string, string, string, string, WriteFlags]) => {
      const { client, output } = await openDomain(flags)
      const path = `${documentPath(index, type, id)}${flags.refresh ? '?refresh=true' : ''}`
      const body = await readBody(document)
      // What servers say of anything else tells nobody what is wrong with it.
      if (!/^\s*\{/.test(body)) throw new UsageError('a document is a JSON object: {"field": value, …}')
      // Sent as typed, so that big integers and number forms arrive unchanged.
      output.jsonText(await requestText(client, 'PUT', path, body))
      client.close()
    })
}
