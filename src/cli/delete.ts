import type { Command } from 'commander'
import { type ConnectionFlags, domainCommand, openDomain } from './connection-options.ts'
import { EXIT } from './exit-code.ts'

/** `chaja delete INDEX TYPE ID`. */
export function deleteCommand(): Command {
  return domainCommand('delete', 'delete a document by id', ['chaja delete movies movie 1'])
    .argument('<index>')
    .argument('<type>')
    .argument('<id>')
    .action(async (index: string, type: string, id: string, flags: ConnectionFlags) => {
      const { client, output } = await openDomain(flags)
      const answer = await client.delete(index, type, id)
      output.value(answer)
      if (answer.result === 'not_found') process.exitCode = EXIT.failed
      client.close()
    })
}
