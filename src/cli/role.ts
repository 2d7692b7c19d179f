import type { Command } from 'commander'
import { dataOption, withDataDirectory } from './data-directory.ts'
import { bearerCommand } from './user.ts'

/** `chaja role add|list|remove|attach|detach|assume`. */
export function roleCommand(): Command {
  const command = bearerCommand('role')
  command
    .command('assume <name>')
    .description('print temporary credentials of a role')
    .option('--session <name>', 'name of the session, part of its ARN', 'cli')
    .option('--seconds <n>', 'how long they hold', '3600')
    .addOption(dataOption())
    .action((name: string, flags: { data: string; session: string; seconds: string }) =>
      withDataDirectory(flags.data, ({ identities }) => {
        const session = identities.openSession({
          roleName: name,
          sessionName: flags.session,
          durationSeconds: Math.min(Math.max(Number.parseInt(flags.seconds, 10) || 3600, 1), 43_200),
          nowMs: Date.now(),
        })
        process.stdout.write(
          `${JSON.stringify({
            AccessKeyId: session.accessKeyId,
            SecretAccessKey: session.secretAccessKey,
            SessionToken: session.sessionToken,
            Expiration: new Date(session.expiresAtMs).toISOString(),
          })}\n`,
        )
      }),
    )
  return command
}
