import type { Command } from 'commander'
import { type ConnectionFlags, domainCommand, openDomain } from './connection-options.ts'
import { EXIT } from './exit-code.ts'

/** `chaja delete INDEX TYPE ID`. */
export function deleteCommand(): Command {
  return domainCommand('delete', 'delete a document by id', ['chaja delete movies movie 1'])
    .argument('<index>')
    .argument('<type>')
    .argument('<id>')
    .option('--refresh', 'hide it from search at once')
    .action(async (index: string, type: string, id: string, flags: ConnectionFlags & { refresh?: boolean }) => {
      const { client, output } = await openDomain(flags)
      const answer = await client.delete(index, type, id, flags.refresh ? { refresh: true } : {})
      output.value(answer)
      if (answer.result === 'not_found') process.exitCode = EXIT.failed
      client.close()
    })
}
