import type { Command } from 'commander'
import { type ConnectionFlags, domainCommand, openDomain } from './connection-options.ts'

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
      const document = await client.get(index, type, id)
      output.value(flags.source ? document._source : document)
      client.close()
    })
}
