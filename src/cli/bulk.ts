import type { Command } from 'commander'
import type { BulkItem } from '../client/bulk.ts'
import { ClientError } from '../client/client-error.ts'
import { fileLines } from '../transfer/file-lines.ts'
import { readDocumentLine } from '../transfer/transfer-document.ts'
import { type ConnectionFlags, domainCommand, openDomain } from './connection-options.ts'
import { EXIT } from './exit-code.ts'

/** `chaja bulk FILE`: items `{_index, _type, _id, _source}`, one a line. */
export function bulkCommand(): Command {
  return domainCommand('bulk', 'store many documents: one {"_index","_type","_id","_source"} a line', [
    'chaja bulk documents.ndjson',
    'chaja bulk documents.ndjson.gz --index movies --type movie',
    'cat documents.ndjson | chaja bulk -',
  ])
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
      const summary = await client.bulk(operations(lines, flags), flags.refresh ? { refresh: true } : {})
      for (const failure of summary.failures) {
        output.error(`line ${failure.position + 1}: ${failure.status} ${failure.error?.type}: ${failure.error?.reason}`)
      }
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

async function* operations(lines: AsyncIterable<string>, defaults: { index?: string; type?: string }) {
  let number = 0
  for await (const line of lines) {
    number++
    if (line.trim() === '') continue
    yield operation(line, number, defaults)
  }
}

function operation(line: string, number: number, defaults: { index?: string; type?: string }) {
  const item = parse(line, number)
  const wrapped = typeof item === 'object' && item !== null && '_source' in item
  const head = (wrapped ? item : {}) as Partial<BulkItem>
  const index = head._index ?? defaults.index
  if (index === undefined)
    throw new ClientError('configuration', `line ${number} names no _index: name it with --index`)
  const type = head._type ?? defaults.type
  return {
    index: {
      _index: index,
      ...(type === undefined ? {} : { _type: type }),
      ...(head._id === undefined ? {} : { _id: String(head._id) }),
      ...(head.routing === undefined ? {} : { routing: head.routing }),
    },
    // The very characters of the line, so that big integers arrive unchanged.
    source: wrapped
      ? head._id === undefined
        ? JSON.stringify(head._source)
        : readDocumentLine(Buffer.from(line)).source.toString()
      : line,
  }
}

function parse(line: string, number: number): unknown {
  try {
    return JSON.parse(line)
  } catch (cause) {
    throw new ClientError('configuration', `line ${number} is not JSON: ${(cause as Error).message}`, { cause })
  }
}
