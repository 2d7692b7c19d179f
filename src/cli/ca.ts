import { Command } from 'commander'
import { IdentityError } from '../access/identity/identity-names.ts'
import { dataOption, withDataDirectory } from './data-directory.ts'

/** `chaja ca`: where the certificate authority is that clients have to trust. */
export function caCommand(): Command {
  return new Command('ca')
    .description('print the path of the certificate authority clients have to trust')
    .addOption(dataOption())
    .addHelpText('after', '\nExample:\n  $ curl --cacert "$(chaja ca)" https://localhost:9443/')
    .action(({ data }: { data: string }) =>
      withDataDirectory(data, ({ domain }) => {
        if (domain.caFile === undefined) {
          throw new IdentityError(
            'the domain serves plain HTTP or a certificate of its own: there is no local authority',
          )
        }
        process.stdout.write(`${domain.caFile}\n`)
      }),
    )
}
