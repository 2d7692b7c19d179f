import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { Command } from 'commander'
import { IdentityError } from '../access/identity/identity-names.ts'
import { IdentityPool, PERSON_NAME, PERSON_NAME_RULE } from '../access/identity/identity-pool.ts'
import { type DataDirectory, dataOption, jsonOption, withDataDirectory } from './data-directory.ts'
import { withExamples } from './examples.ts'
import { EXIT } from './exit-code.ts'
import { identityRows } from './identity-rows.ts'
import { Output } from './output.ts'
import { textOf } from './read-text-file.ts'
import { UsageError } from './usage-error.ts'

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
          identityRows(store, 'person', 'name', ({ name, identityId, confirmed, enabled, createdAt }) => ({
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
    .description('add a person; the password is asked for, or read from stdin')
    .addOption(dataOption())
    .action((name: string, flags: { data: string }) =>
      withDataDirectory(flags.data, async (data) => {
        // Rather than behind the password.
        if (!PERSON_NAME.test(name)) throw new UsageError(`[${name}] cannot name a person: ${PERSON_NAME_RULE}`)
        if (data.store.has('person', name)) throw new IdentityError(`[${name}] is in the pool already`)
        const person = await poolOf(data).addPerson(name, await readPassword(), true)
        process.stdout.write(`${person.identityId}\n`)
      }),
    )
  command
    .command('password <name>')
    .description('set a new password, asked for or read from stdin, and end the sessions')
    .addOption(dataOption())
    .action((name: string, flags: { data: string }) =>
      withDataDirectory(flags.data, async (data) => {
        if (!data.store.has('person', name)) throw new IdentityError(`nobody called [${name}] in the pool`)
        await poolOf(data).setPassword(name, await readPassword())
      }),
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
  return withExamples(command, [
    'chaja pool add anna',
    'chaja pool password anna < new-password.txt',
    'chaja pool list --json',
    'chaja pool confirm anna   # who signed up where --pool-sign-up is confirm',
    'chaja pool disable anna',
    'chaja pool enable anna',
    'chaja pool remove anna',
  ])
}

function poolOf({ store, identities, domain }: DataDirectory): IdentityPool {
  const options = { region: domain.region, signUp: 'open', roleName: '', sessionSeconds: 0, now: Date.now } as const
  return new IdentityPool(store, identities, options)
}

/** What stdin holds, or on a terminal a line that is not shown. */
async function readPassword(): Promise<string> {
  if (!process.stdin.isTTY) return textOf(await buffer(process.stdin), 'the password').replace(/\r?\n$/, '')
  const unseen = new Writable({ write: (_chunk, _encoding, done) => done() })
  const terminal = createInterface({ input: process.stdin, output: unseen, terminal: true })
  process.stderr.write('password (not shown): ')
  try {
    return await new Promise<string>((resolve, reject) => {
      terminal.once('line', resolve)
      terminal.once('close', () => reject(new UsageError('no password was typed')))
      terminal.once('SIGINT', () => process.exit(EXIT.interrupted))
    })
  } finally {
    terminal.close()
    process.stderr.write('\n')
  }
}
