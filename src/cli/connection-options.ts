import { existsSync } from 'node:fs'
import { Command, Option } from 'commander'
import { Client } from '../client/client.ts'
import { readAuthority } from '../client/client-environment.ts'
import { ClientError } from '../client/client-error.ts'
import { notJson } from '../client/domain-client.ts'
import { withExamples } from './examples.ts'
import { Output } from './output.ts'
import { readTextFile } from './read-text-file.ts'
import { UsageError } from './usage-error.ts'

/** Flags of every command that talks to a domain. */
export interface ConnectionFlags {
  readonly host?: string
  readonly region?: string
  readonly profile?: string
  readonly ca?: string
  readonly unsigned?: boolean
  readonly json?: boolean
  readonly quiet?: boolean
}

/** A command with the flags that say which domain to talk to and how to print. */
export function domainCommand(name: string, description: string, examples: readonly string[]): Command {
  const command = new Command(name)
    .description(description)
    .addOption(new Option('--host <host>', 'domain to talk to, with an optional scheme and port').env('AWS_ES_HOST'))
    .option('--region <region>', 'region to sign for (default: the host name tells, or AWS_REGION)')
    .option('--profile <name>', 'profile of the AWS files to take keys from')
    .option('--ca <file>', 'further certificate authority to trust, PEM')
    .addOption(new Option('--unsigned', 'send requests without a signature').conflicts('profile'))
    .option('--json', 'print JSON lines (the default when stdout is no terminal)')
    .option('--quiet', 'print results only')
  return withExamples(command, examples)
}

/** The client and the printer that a command's flags ask for. @throws {ClientError} kind `configuration` */
export async function openDomain(flags: ConnectionFlags): Promise<{ client: Client; output: Output }> {
  return { client: await clientFor(flags), output: new Output(flags) }
}

/** A client by flags, then by the environment. */
async function clientFor(flags: ConnectionFlags): Promise<Client> {
  const ca = flags.ca === undefined ? undefined : readAuthority(flags.ca, '--ca')
  // An empty variable says nothing: others may name the host.
  const host = flags.host || undefined
  if (flags.unsigned) {
    if (host === undefined)
      throw new ClientError('configuration', 'the environment lacks the host (AWS_ES_HOST): name it with --host')
    return Client.connect({ host, ca })
  }
  return Client.fromEnv({
    ...(host === undefined ? {} : { host }),
    ...(flags.region === undefined ? {} : { region: flags.region }),
    ...(flags.profile === undefined ? {} : { profile: flags.profile }),
    ...(ca === undefined ? {} : { ca }),
  })
}

/**
 * Sends a request and answers the JSON object of the answer as it came.
 *
 * @throws {ClientError} for every status of 300 or more, and for an answer that is none (a proxy's page)
 */
export async function requestText(
  client: Client,
  method: string,
  path: string,
  body?: string,
  repeatable?: boolean,
): Promise<string> {
  const answer = await client.request<Uint8Array>(method, path, body, { raw: true }, repeatable)
  const text = new TextDecoder().decode(answer.body)
  if (!/^\s*\{/.test(text)) throw notJson(answer.status, text)
  return text
}

/**
 * A JSON body given as an argument, as `@file`, or as `-` for stdin.
 *
 * @param otherwise  what to say where the argument was meant to be, for the error
 * @throws {UsageError} when it is no JSON
 */
export async function readBody(argument: string, otherwise?: string): Promise<string> {
  const body = await readArgument(argument)
  try {
    JSON.parse(body)
  } catch (cause) {
    const where = argument === '-' ? ' on stdin' : argument.startsWith('@') ? ` in ${argument.slice(1)}` : ''
    const what = body.trim() === '' ? 'it is empty' : (cause as Error).message
    const isFile = existsSync(argument) || /^[^{["]+\.\w+$/.test(argument)
    const meant = isFile ? `for what the file holds say @${argument}` : otherwise
    throw new UsageError(`the body${where} is not JSON: ${what}${meant === undefined ? '' : `; ${meant}`}`, { cause })
  }
  return body
}

/** An argument's text: itself, the content of `@file`, or stdin for `-`. */
export async function readArgument(argument: string): Promise<string> {
  if (argument === '-') return readTextFile('-')
  if (argument.startsWith('@')) return readTextFile(argument.slice(1))
  return argument
}
