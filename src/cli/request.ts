import { existsSync } from 'node:fs'
import type { Command } from 'commander'
import { type ConnectionFlags, domainCommand, openDomain, readArgument } from './connection-options.ts'

/** `chaja request METHOD PATH [BODY]`: any method, any path. */
export function requestCommand(): Command {
  return domainCommand('request', 'send any method to any path', [
    // In quotes: zsh takes the question mark for a pattern of names.
    `chaja request GET '/_cat/indices?v'`,
    `chaja request POST /movies/_search '{"size":1}'`,
    'chaja request POST /_bulk @bulk.ndjson --content-type application/x-ndjson',
  ])
    .argument('<method>')
    .argument('<path>', 'begins with /; percent-encoded, with its query')
    .argument('[body]', 'text, @file, or - for stdin')
    .option('--content-type <type>', 'of the body', 'application/json')
    .action(
      async (
        method: string,
        path: string,
        body: string | undefined,
        flags: ConnectionFlags & { contentType: string },
      ) => {
        const { client, output } = await openDomain(flags)
        const sent = body === undefined ? undefined : await readArgument(body)
        if (body !== undefined && sent === body && existsSync(body))
          output.note(`the body is the text ${body}; for what the file of that name holds say @${body}`)
        const answer = await client.request<Uint8Array>(method, path, sent, {
          contentType: flags.contentType,
          raw: true,
          // What has a table for people (`_cat`) shows it to them.
          ...(output.json ? {} : { headers: { accept: '*/*' } }),
        })
        const text = new TextDecoder().decode(answer.body)
        if (text === '') output.note(String(answer.status))
        else if (/json/.test(answer.headers['content-type'] ?? '')) output.jsonText(text)
        else output.text(text)
        client.close()
      },
    )
}
