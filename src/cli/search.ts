import { Argument, type Command } from 'commander'
import { type SearchAnswer, totalHits } from '../client/domain-client.ts'
import { targetPath } from '../client/request-path.ts'
import { type ConnectionFlags, domainCommand, openDomain, readBody, requestText } from './connection-options.ts'
import { memberText } from './member-text.ts'

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
      if (flags.raw) output.jsonText(text)
      else if (output.json) output.jsonText(memberText(text, 'hits'))
      else {
        const answer = JSON.parse(text) as SearchAnswer<unknown>
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
        output.note(`${answer.hits.hits.length} of ${totalHits(answer)}${more} hits in ${answer.took} ms`)
      }
      client.close()
    })
}
