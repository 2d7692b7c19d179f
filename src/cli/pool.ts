import { readFileSync } from 'node:fs'
import { Command } from 'commander'
import { IdentityPool } from '../access/identity-pool.ts'
import { type DataDirectory, dataOption, jsonOption, withDataDirectory } from './data-directory.ts'
import { Output } from './output.ts'

/** `chaja pool add|list|confirm|disable|enable|password|remove`: the people of the identity pool. */
export function poolCommand(): Command {
  const command = new Command('pool').description('people of the identity pool')
  command
    .command('list')
    .description('list who signed up')
    .addOption(dataOption())
    .addOption(jsonOption())
    .action((flags: { data: string; json?: boolean }) =>
      withDataDirectory(flags.data, ({ store }) =>
        new Output(flags).rows(
          [...store.list('person')].map(({ name, identityId, confirmed, enabled, createdAt }) => ({
            name,
            identityId,
            confirmed,
            enabled,
            createdAt,
          })),
        ),
      ),
    )
  command
    .command('add <name>')
    .description('add a person; the password is read from stdin')
    .addOption(dataOption())
    .action((name: string, flags: { data: string }) =>
      withDataDirectory(flags.data, async (data) => {
        const person = await poolOf(data).addPerson(name, readPassword(), true)
        process.stdout.write(`${person.identityId}\n`)
      }),
    )
  command
    .command('password <name>')
    .description('set a new password, read from stdin, and end the sessions')
    .addOption(dataOption())
    .action((name: string, flags: { data: string }) =>
      withDataDirectory(flags.data, (data) => poolOf(data).setPassword(name, readPassword())),
    )
  const changes = {
    confirm: ['let somebody sign in who signed up', { confirmed: true }],
    enable: ['let somebody in again', { enabled: true }],
    disable: ['shut somebody out and end their sessions', { enabled: false }],
  } as const
  for (const [verb, [description, change]] of Object.entries(changes)) {
    command
      .command(`${verb} <name>`)
      .description(description)
      .addOption(dataOption())
      .action((name: string, flags: { data: string }) =>
        withDataDirectory(flags.data, (data) => poolOf(data).setPerson(name, change)),
      )
  }
  command
    .command('remove <name>')
    .description('remove somebody and end their sessions')
    .addOption(dataOption())
    .action((name: string, flags: { data: string }) =>
      withDataDirectory(flags.data, (data) => poolOf(data).removePerson(name)),
    )
  return command
}

function poolOf({ store, identities, domain }: DataDirectory): IdentityPool {
  const options = { region: domain.region, signUp: 'open', roleName: '', sessionSeconds: 0, now: Date.now } as const
  return new IdentityPool(store, identities, options)
}

function readPassword(): string {
  if (process.stdin.isTTY) process.stderr.write('password (ends with a line break): ')
  return readFileSync(0, 'utf8').replace(/\r?\n$/, '')
}
