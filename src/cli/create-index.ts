import type { Command } from 'commander'
import { segment } from '../client/request-path.ts'
import { type ConnectionFlags, domainCommand, openDomain, readBody } from './connection-options.ts'
import { UsageError } from './usage-error.ts'

const MEMBERS = ['settings', 'mappings', 'aliases']

/** `chaja create-index INDEX [BODY]`. */
export function createIndexCommand(): Command {
  return domainCommand('create-index', 'create an index, with settings and mappings', [
    'chaja create-index movies',
    `chaja create-index movies '{"mappings":{"movie":{"date_detection":false}}}'`,
    'chaja create-index reviews @korean-index.json',
  ])
    .argument('<index>')
    .argument('[body]', 'JSON with settings and mappings, @file, or - for stdin')
    .action(async (index: string, body: string | undefined, flags: ConnectionFlags) => {
      const { client, output } = await openDomain(flags)
      const sent = body === undefined ? undefined : await readBody(body)
      if (sent !== undefined) expectKnown(sent)
      output.value((await client.request('PUT', `/${segment(index)}`, sent)).body)
      client.close()
    })
}

/** A misspelt member makes an index without what it says, since 6.8 passes it over. */
function expectKnown(body: string): void {
  const value: unknown = JSON.parse(body)
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new UsageError(`an index is made from an object of ${MEMBERS.join(', ')}`)
  const unknown = Object.keys(value).filter((name) => !MEMBERS.includes(name))
  if (unknown.length > 0)
    throw new UsageError(
      `an index is made from ${MEMBERS.join(', ')}, not from ${unknown.map((n) => `[${n}]`).join(', ')}`,
    )
}
