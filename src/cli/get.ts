import type { Command } from 'commander'
import { documentPath } from '../client/request-path.ts'
import { type ConnectionFlags, domainCommand, openDomain, requestText } from './connection-options.ts'
import { memberText } from './member-text.ts'

/** `chaja get INDEX TYPE ID`. */
export function getCommand(): Command {
  return domainCommand('get', 'read a document by id', [
    'chaja get movies movie tt5311514',
    'chaja get movies movie 1 --source',
  ])
    .argument('<index>')
    .argument('<type>')
    .argument('<id>')
    .option('--source', 'print the document alone')
    .action(async (index: string, type: string, id: string, flags: ConnectionFlags & { source?: boolean }) => {
      const { client, output } = await openDomain(flags)
      const text = await requestText(client, 'GET', documentPath(index, type, id))
      output.jsonText(flags.source ? memberText(text, '_source') : text)
      client.close()
    })
}
