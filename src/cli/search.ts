import { Argument, type Command } from 'commander'
import { type SearchAnswer, totalHits } from '../client/domain-client.ts'
import { targetPath } from '../client/request-path.ts'
import { type ConnectionFlags, domainCommand, openDomain, readBody, requestText } from './connection-options.ts'
import { EXIT } from './exit-code.ts'
import { memberText } from './member-text.ts'

/** What an answer has beside hits, where it is asked for. */
const FURTHER = ['aggregations', 'suggest', 'profile'] as const

/** `chaja search BODY`. */
export function searchCommand(): Command {
  return domainCommand('search', 'search documents', [
    `chaja search --index movies '{"query":{"match":{"title":"name"}}}'`,
    `chaja search '{"query":{"wildcard":{"title":"*name*"}}}' --raw`,
  ])
    .addArgument(
      new Argument('[body]', 'JSON, @file, or - for stdin').default('{"query":{"match_all":{}}}', 'all documents'),
    )
    .option('--index <index>', 'index, comma list or pattern')
    .option('--type <type>', 'documents of a type alone')
    .option('--raw', "print the server's whole answer")
    .action(async (body: string, flags: ConnectionFlags & { index?: string; type?: string; raw?: boolean }) => {
      const { client, output } = await openDomain(flags)
      const target = {
        ...(flags.index === undefined ? {} : { index: flags.index }),
        ...(flags.type === undefined ? {} : { type: flags.type }),
      }
      const otherwise = /^[\w.*,-]+$/.test(body) && body !== '-' ? `to search an index, say --index ${body}` : undefined
      const sent = await readBody(body, otherwise)
      const text = await requestText(client, 'POST', `${targetPath(target)}/_search`, sent, true)
      const answer = JSON.parse(text) as SearchAnswer<unknown>
      const further = FURTHER.filter((name) => name in answer)
      if (flags.raw) output.jsonText(text)
      else if (output.json) {
        output.jsonText(memberText(text, 'hits'))
        if (further.length > 0) output.note(`these are the hits alone: --raw shows ${further.join(', ')}, too`)
      } else {
        output.rows(
          answer.hits.hits.map((h) => ({
            index: h._index,
            type: h._type,
            id: h._id,
            score: h._score,
            source: h._source,
          })),
        )
        const { total } = answer.hits
        const more = typeof total === 'object' && total?.relation === 'gte' ? ' or more' : ''
        for (const name of further) {
          output.note(`${name}:`)
          output.jsonText(memberText(text, name))
        }
        output.note(`${answer.hits.hits.length} of ${totalHits(answer)}${more} hits in ${answer.took} ms`)
      }
      const lacking = lackOf(answer)
      if (lacking !== undefined) {
        output.error(`not everything was searched: ${lacking}`)
        process.exitCode = EXIT.failed
      }
      client.close()
    })
}

/** Why an answer has not all that there is; undefined where it has. */
function lackOf({ _shards: shards, timed_out: isLate }: SearchAnswer<unknown>): string | undefined {
  if (shards !== undefined && shards.failed > 0) {
    const reason = shards.failures?.[0]?.reason?.reason
    return `${shards.failed} of ${shards.total} shards failed${reason === undefined ? '' : `: ${reason}`}`
  }
  return isLate ? 'its time was up' : undefined
}
