import type { Command } from 'commander'
import { fileLines } from '../transfer/file-lines.ts'
import { bulkOperations } from './bulk-lines.ts'
import { type ConnectionFlags, domainCommand, openDomain } from './connection-options.ts'
import { EXIT } from './exit-code.ts'

/** `chaja bulk FILE`: items `{_index, _type, _id, _source}`, one a line, or the lines of a bulk request. */
export function bulkCommand(): Command {
  return domainCommand(
    'bulk',
    'store many documents: one {"_index","_type","_id","_source"} a line, or the lines of a bulk request',
    [
      'chaja bulk documents.ndjson',
      'chaja bulk documents.ndjson.gz --index movies --type movie',
      'cat documents.ndjson | chaja bulk -',
    ],
  )
    .argument('<file>', 'NDJSON (.gz: compressed), or - for stdin')
    .option(
      '--index <index>',
      'index of lines that name none; such a line is the document itself unless it has a _source',
    )
    .option('--type <type>', 'type of lines that name none')
    .option('--refresh', 'make the documents visible to search at once')
    .action(async (file: string, flags: ConnectionFlags & { index?: string; type?: string; refresh?: boolean }) => {
      const { client, output } = await openDomain(flags)
      const lines = file === '-' ? fileLines(process.stdin, false) : fileLines(file, file.endsWith('.gz'))
      /** Of operations whose fate is not known, or is that they failed. */
      const lineOf = new Map<number, number>()
      let position = 0
      let stored = 0
      const operations = async function* () {
        for await (const { operation, line } of bulkOperations(lines, flags)) {
          lineOf.set(position++, line)
          yield operation
        }
      }
      const summary = await client
        .bulk(operations(), {
          ...(flags.refresh ? { refresh: true } : {}),
          onOutcome: ({ error, position }) => {
            if (error !== undefined) return
            stored++
            lineOf.delete(position)
          },
        })
        .catch((error: Error) => {
          if (stored > 0) output.note(`${stored} operations were carried out before this:`)
          throw error
        })
      for (const failure of summary.failures) {
        output.error(
          `line ${lineOf.get(failure.position)}: ${failure.status} ${failure.error?.type}: ${failure.error?.reason}`,
        )
      }
      const unsaid = summary.failed - summary.failures.length
      if (unsaid > 0) output.error(`and ${unsaid} more`)
      output.value({
        total: summary.total,
        succeeded: summary.succeeded,
        failed: summary.failed,
        retries: summary.retries,
      })
      if (summary.failed > 0) process.exitCode = EXIT.rejectedDocuments
      client.close()
    })
}
