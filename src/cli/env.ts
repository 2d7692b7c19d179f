import { Command } from 'commander'
import { IdentityError } from '../access/identity/identity-names.ts'
import { ADMIN_NAME, readAdminKey } from '../access/open-access.ts'
import { dataOption, withDataDirectory } from './data-directory.ts'

/** `chaja env`: shell lines that point clients at the domain as its administrator. */
export function envCommand(): Command {
  return new Command('env')
    .description('print what a shell needs to talk to the domain as its administrator')
    .addOption(dataOption())
    .addHelpText('after', '\nExample:\n  $ eval "$(chaja env)"')
    .action(({ data }: { data: string }) =>
      withDataDirectory(data, ({ domain, store }) => {
        const key = readAdminKey(data)
        if (key === undefined)
          throw new IdentityError(`the key file is gone or damaged: chaja key add admin --save --data ${data}`)
        if (!store.has('key', key.accessKeyId))
          throw new IdentityError(
            `the administrator's key was removed: ${store.has('user', ADMIN_NAME) ? '' : `chaja user add ${ADMIN_NAME} --data ${data}, then `}chaja key add admin --save --data ${data}`,
          )
        const { protocol, host } = new URL(domain.url)
        const lines: Record<string, string> = {
          AWS_ES_HOST: protocol === 'https:' ? withPort(host) : domain.url,
          AWS_ACCESS_KEY: key.accessKeyId,
          AWS_SECRET_KEY: key.secretAccessKey,
          AWS_ACCESS_KEY_ID: key.accessKeyId,
          AWS_SECRET_ACCESS_KEY: key.secretAccessKey,
          AWS_REGION: domain.region,
          // Both: where AWS_CA_BUNDLE is set already, AWS clients look nowhere else.
          ...(domain.caFile === undefined ? {} : { NODE_EXTRA_CA_CERTS: domain.caFile, AWS_CA_BUNDLE: domain.caFile }),
        }
        for (const [name, value] of Object.entries(lines)) process.stdout.write(`export ${name}=${quote(value)}\n`)
        // A token left over from other credentials would spoil these.
        process.stdout.write('unset AWS_SESSION_TOKEN\n')
      }),
    )
}

/** 443 is left out by URL; clients that default to another port are told. */
function withPort(host: string): string {
  return /:\d+$/.test(host) ? host : `${host}:443`
}

function quote(value: string): string {
  return /^[\w@%+=:,./-]+$/.test(value) ? value : `'${value.replaceAll("'", `'\\''`)}'`
}
