import type { Command } from 'commander'
import { segment } from '../client/request-path.ts'
import { type ConnectionFlags, domainCommand, openDomain } from './connection-options.ts'

interface AnalyzedToken {
  readonly token: string
  readonly start_offset: number
  readonly end_offset: number
  readonly type: string
  readonly position: number
}

/** `chaja analyze TEXT`. */
export function analyzeCommand(): Command {
  return domainCommand('analyze', 'show the tokens an analyzer makes of a text', [
    `chaja analyze '아버지가방에들어가신다' --analyzer seunjeon_analyzer`,
    `chaja analyze 'Quick foxes' --index movies --field title`,
  ])
    .argument('<text>')
    .option('--analyzer <name>', 'analyzer to ask (default: that of the field or the index)')
    .option('--index <index>', 'index whose analyzers are meant')
    .option('--field <field>', 'field whose analyzer is meant')
    .action(async (text: string, flags: ConnectionFlags & { analyzer?: string; index?: string; field?: string }) => {
      const { client, output } = await openDomain(flags)
      const path = flags.index === undefined ? '/_analyze' : `/${segment(flags.index)}/_analyze`
      const body = { text, analyzer: flags.analyzer, field: flags.field }
      const answer = await client.request<{ tokens: AnalyzedToken[] }>('POST', path, body)
      output.rows(answer.body.tokens.map((t) => ({ ...t })))
      client.close()
    })
}
