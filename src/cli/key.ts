import { Command } from 'commander'
import { IdentityError } from '../access/identity/identity-names.ts'
import { ADMIN_NAME, readAdminKey, writeAdminKey } from '../access/open-access.ts'
import { dataOption, jsonOption, withDataDirectory } from './data-directory.ts'
import { withExamples } from './examples.ts'
import { identityRows } from './identity-rows.ts'
import { Output } from './output.ts'
import { UsageError } from './usage-error.ts'

interface KeyFlags {
  readonly data: string
  readonly json?: boolean
}

/** `chaja key add|list|remove|rotate|enable|disable`. */
export function keyCommand(): Command {
  const command = new Command('key').description('access keys of users')
  command
    .command('add [user]')
    .description('make a key pair and print it; its secret is not shown again')
    .option('--save', "keep it as the administrator's key, where chaja env finds it")
    .addOption(dataOption())
    .addOption(jsonOption())
    .action((user: string | undefined, flags: KeyFlags & { save?: boolean }) => {
      const owner = user ?? ADMIN_NAME
      if (flags.save === true && owner !== ADMIN_NAME)
        throw new UsageError(`--save keeps the administrator's key: it goes with the user ${ADMIN_NAME}`)
      return withDataDirectory(flags.data, ({ identities }) => {
        const key = identities.addKey(owner)
        if (flags.save === true) writeAdminKey(flags.data, key)
        new Output(flags).value(key)
      })
    })
  command
    .command('list [user]')
    .description('list access keys, without their secrets')
    .addOption(dataOption())
    .addOption(jsonOption())
    .action((user: string | undefined, flags: KeyFlags) =>
      withDataDirectory(flags.data, ({ store }) => {
        if (user !== undefined && !store.has('user', user)) throw new IdentityError(`no user [${user}]`)
        new Output(flags).rows(
          identityRows(store, 'key', 'accessKeyId', ({ accessKeyId, userName, active, createdAt }) =>
            user === undefined || userName === user ? { accessKeyId, user: userName, active, createdAt } : undefined,
          ),
        )
      }),
    )
  command
    .command('remove <accessKeyId>')
    .description('remove a key: requests signed with it are refused at once')
    .addOption(dataOption())
    .action((id: string, flags: { data: string }) =>
      withDataDirectory(flags.data, ({ identities }) => identities.removeKey(id)),
    )
  command
    .command('rotate <accessKeyId>')
    .description(
      "replace a key by a new one of the same user, and print that; the administrator's is kept for chaja env",
    )
    .addOption(dataOption())
    .addOption(jsonOption())
    .action((id: string, flags: KeyFlags) =>
      withDataDirectory(flags.data, ({ identities }) => {
        const isSaved = readAdminKey(flags.data)?.accessKeyId === id
        const key = identities.rotateKey(id)
        new Output(flags).value(key)
        if (isSaved) writeAdminKey(flags.data, key)
      }),
    )
  for (const [name, active] of [
    ['enable', true],
    ['disable', false],
  ] as const) {
    command
      .command(`${name} <accessKeyId>`)
      .description(active ? 'switch a key on again' : 'switch a key off')
      .addOption(dataOption())
      .action((id: string, flags: { data: string }) =>
        withDataDirectory(flags.data, ({ identities }) => identities.setKeyActive(id, active)),
      )
  }
  return withExamples(command, [
    'chaja key add reader',
    'chaja key add --save   # a new one for the administrator, whose key is lost',
    'chaja key list reader',
    'chaja key rotate AKIAEXAMPLE',
    'chaja key disable AKIAEXAMPLE',
    'chaja key enable AKIAEXAMPLE',
    'chaja key remove AKIAEXAMPLE',
  ])
}
