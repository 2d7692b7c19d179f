import type { Command } from 'commander'
import { objectMembers } from '../digest/raw-json.ts'
import { type ConnectionFlags, domainCommand, openDomain, requestText } from './connection-options.ts'

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
      const path = `/${[index, type, id].map(encodeURIComponent).join('/')}`
      const text = await requestText(client, 'GET', path)
      const bytes = Buffer.from(text)
      const source = flags.source ? objectMembers(bytes, 0).get('_source') : undefined
      output.jsonText(source === undefined ? text : bytes.toString('utf8', source.start, source.end))
      client.close()
    })
}
