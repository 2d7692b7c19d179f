import type { Command } from 'commander'
import { type ConnectionFlags, domainCommand, openDomain } from './connection-options.ts'
import { EXIT } from './exit-code.ts'

/** `chaja health`: exit 0 when the domain is green or yellow. */
export function healthCommand(): Command {
  return domainCommand('health', "show a domain's health", [
    'chaja health',
    'chaja health --json --host https://localhost:9443',
  ]).action(async (flags: ConnectionFlags) => {
    const { client, output } = await openDomain(flags)
    const { body } = await client.request<{ status: string }>('GET', '/_cluster/health')
    if (output.json) output.value(body)
    else output.rows(Object.entries(body).map(([name, value]) => ({ name, value })))
    if (body.status === 'red') process.exitCode = EXIT.failed
    client.close()
  })
}
