import { type Command, InvalidArgumentError } from 'commander'
import { checkIdentityName } from '../access/identity/identity-names.ts'
import { dataOption, jsonOption, withDataDirectory } from './data-directory.ts'
import { withExamples } from './examples.ts'
import { Output } from './output.ts'
import { bearerCommand, bearerExamples } from './user.ts'

/** Twelve hours, as in the cloud. */
const MAX_SECONDS = 43_200

/** `chaja role add|list|remove|attach|detach|assume`. */
export function roleCommand(): Command {
  const command = bearerCommand('role')
  command
    .command('assume <name>')
    .description('print temporary credentials of a role')
    .option('--session <name>', 'name of the session, part of its ARN', 'cli')
    .option('--seconds <n>', `how long they hold, at most ${MAX_SECONDS}`, seconds, 3600)
    .addOption(dataOption())
    .addOption(jsonOption())
    .action((name: string, flags: { data: string; json?: boolean; session: string; seconds: number }) => {
      checkIdentityName('session', flags.session)
      return withDataDirectory(flags.data, ({ identities }) => {
        const session = identities.openSession({
          roleName: name,
          sessionName: flags.session,
          durationSeconds: flags.seconds,
          nowMs: Date.now(),
        })
        new Output(flags).value({
          AccessKeyId: session.accessKeyId,
          SecretAccessKey: session.secretAccessKey,
          SessionToken: session.sessionToken,
          Expiration: new Date(session.expiresAtMs).toISOString(),
        })
      })
    })
  return withExamples(command, [...bearerExamples('role'), 'chaja role assume reader --session nightly --seconds 900'])
}

function seconds(text: string): number {
  const value = Number(text)
  if (!Number.isInteger(value) || value < 1 || value > MAX_SECONDS)
    throw new InvalidArgumentError(`expected a whole number from 1 to ${MAX_SECONDS}`)
  return value
}
