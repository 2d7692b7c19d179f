import type { Command } from 'commander'
import { type ConnectionFlags, domainCommand, openDomain, readBody, requestText } from './connection-options.ts'

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
    .action(async (index: string, type: string, id: string, document: string, flags: ConnectionFlags) => {
      const { client, output } = await openDomain(flags)
      const path = `/${[index, type, id].map(encodeURIComponent).join('/')}`
      // Sent as typed, so that big integers and number forms arrive unchanged.
      output.jsonText(await requestText(client, 'PUT', path, await readBody(document)))
      client.close()
    })
}
