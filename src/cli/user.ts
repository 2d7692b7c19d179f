import { Command } from 'commander'
import { PolicyError } from '../access/policy/parse-policy.ts'
import { dataOption, jsonOption, withDataDirectory } from './data-directory.ts'
import { withExamples } from './examples.ts'
import { identityRows } from './identity-rows.ts'
import { Output } from './output.ts'
import { readTextFile } from './read-text-file.ts'
import { UsageError } from './usage-error.ts'

/** `chaja user add|list|remove|attach|detach`. */
export function userCommand(): Command {
  return withExamples(bearerCommand('user'), [...bearerExamples('user'), 'chaja key add reader   # its access key'])
}

/** What one does with users and roles, which are alike. */
export const bearerExamples = (kind: 'user' | 'role'): readonly string[] => [
  `chaja ${kind} add reader`,
  `chaja ${kind} list --json`,
  `chaja ${kind} attach reader movies read-movies.json`,
  `chaja ${kind} detach reader movies`,
  `chaja ${kind} remove reader`,
]

/** The commands of users and roles, which are alike. */
export function bearerCommand(kind: 'user' | 'role'): Command {
  const command = new Command(kind).description(`${kind}s of the domain`)
  command
    .command('add <name>')
    .description(`add a ${kind} and print its ARN`)
    .option('--path <path>', 'path in its ARN, such as /staff/', '/')
    .addOption(dataOption())
    .action((name: string, flags: { data: string; path: string }) =>
      withDataDirectory(flags.data, ({ identities }) => {
        const arn =
          kind === 'user'
            ? identities.userArn(identities.addUser(name, flags.path))
            : identities.roleArn(identities.addRole(name, flags.path))
        process.stdout.write(`${arn}\n`)
      }),
    )
  command
    .command('list')
    .description(`list the ${kind}s`)
    .addOption(dataOption())
    .addOption(jsonOption())
    .action((flags: { data: string; json?: boolean }) =>
      withDataDirectory(flags.data, ({ identities, store }) =>
        new Output(flags).rows(
          identityRows(store, kind, 'name', (record) => ({
            name: record.name,
            arn: kind === 'user' ? identities.userArn(record) : identities.roleArn(record),
            policies: Object.keys(record.policies).join(','),
            createdAt: record.createdAt,
          })),
        ),
      ),
    )
  command
    .command('remove <name>')
    .description(kind === 'user' ? 'remove a user and its keys' : 'remove a role and end its sessions')
    .addOption(dataOption())
    .action((name: string, flags: { data: string }) =>
      withDataDirectory(flags.data, ({ identities }) =>
        kind === 'user' ? identities.removeUser(name) : identities.removeRole(name),
      ),
    )
  command
    .command('attach <name> <policy> <file>')
    .description(`attach an identity policy (JSON file) to a ${kind}, under a name`)
    .addOption(dataOption())
    .action((name: string, policy: string, file: string, flags: { data: string }) =>
      withDataDirectory(flags.data, async ({ identities }) => {
        try {
          identities.attachPolicy(kind, name, policy, await readTextFile(file))
        } catch (cause) {
          if (!(cause instanceof PolicyError)) throw cause
          throw new UsageError(`${file}: ${cause.message}`, { cause })
        }
      }),
    )
  command
    .command('detach <name> <policy>')
    .description(`take an identity policy off a ${kind}`)
    .addOption(dataOption())
    .action((name: string, policy: string, flags: { data: string }) =>
      withDataDirectory(flags.data, ({ identities }) => identities.attachPolicy(kind, name, policy, undefined)),
    )
  return command
}
