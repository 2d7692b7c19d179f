import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { Command, InvalidArgumentError, Option } from 'commander'
import { Client } from '../client/client.ts'
import { readAuthority } from '../client/client-environment.ts'
import type { DomainClient } from '../client/domain-client.ts'
import type { TypeRule } from '../transfer/schema.ts'
import { type TransferReport, transfer } from '../transfer/transfer.ts'
import { WAIT_SECONDS } from '../transfer/transfer-side.ts'
import { EXIT, exitCodeOf } from './exit-code.ts'
import { Output } from './output.ts'
import { ProgressLine } from './progress-line.ts'

/** A server that restarts is waited for, about a minute. */
const MAX_RETRIES = 12

interface TransferFlags {
  readonly documentsOnly?: boolean
  readonly mappingsOnly?: boolean
  readonly dryRun?: boolean
  readonly overwrite?: boolean
  readonly verify: boolean
  readonly types: TypeRule
  readonly nori?: boolean
  readonly maxBytes: number
  readonly batch: number
  readonly rate?: number
  readonly checkpoint?: string
  readonly rejects?: string
  readonly fromProfile?: string
  readonly toProfile?: string
  readonly fromRegion?: string
  readonly toRegion?: string
  readonly ca?: string
  readonly unsignedFrom?: boolean
  readonly unsignedTo?: boolean
  readonly json?: boolean
  readonly quiet?: boolean
}

/** `chaja transfer SOURCE DESTINATION`. */
export function transferCommand(): Command {
  return new Command('transfer')
    .description('move an index from one host (or file) to another, and prove that both hold the same')
    .argument('<source>', 'https://<host>/<index>, or an NDJSON file (.gz: compressed)')
    .argument('<destination>', 'the same')
    .option('--documents-only', 'leave settings, mappings and aliases alone')
    .addOption(new Option('--mappings-only', 'copy settings, mappings and aliases only').conflicts('documentsOnly'))
    .option('--dry-run', 'show what would be made and changed, and change nothing')
    .option('--overwrite', 'write over a destination file that is there already (once the new one is whole)')
    .option('--no-verify', 'do not compare both sides at the end')
    .addOption(
      new Option('--types <rule>', 'several types to a server without them: an index each, or a field [type]')
        .choices(['split', 'field'])
        .default('split'),
    )
    .option('--nori', 'turn seunjeon analyzers into nori ones')
    .option('--max-bytes <bytes>', 'largest bulk request', count, 8 * 1024 * 1024)
    .option('--batch <documents>', 'documents a read', count, 2_000)
    .option('--rate <documents>', 'most documents a second', count)
    .option(
      '--checkpoint <file>',
      'where the state of an interrupted run is kept (default: chaja-transfer-….checkpoint.json)',
    )
    .option(
      '--rejects <file>',
      'where refused documents go, with the reason (default: chaja-transfer-….rejected.ndjson)',
    )
    .option('--from-profile <name>', 'profile for the source')
    .option('--to-profile <name>', 'profile for the destination')
    .option('--from-region <region>', 'region of the source')
    .option('--to-region <region>', 'region of the destination')
    .addOption(
      new Option('--unsigned-from', 'the source takes unsigned requests (http:// always goes unsigned)').conflicts(
        'fromProfile',
      ),
    )
    .addOption(new Option('--unsigned-to', 'the destination takes unsigned requests').conflicts('toProfile'))
    .option('--ca <file>', 'further certificate authority to trust, PEM')
    .option('--json', 'print a JSON summary')
    .option('--quiet', 'no progress')
    .addHelpText(
      'after',
      `
Examples:
  $ chaja transfer https://old.example:9443/movies https://new.example:9443/movies
  $ chaja transfer https://search-x.eu-west-1.es.amazonaws.com/movies movies.ndjson.gz
  $ chaja transfer http://127.0.0.1:9200/library https://localhost:9443/library --dry-run

A server that does not answer is waited for: ${WAIT_SECONDS} s at most before anything is moved, about a minute on the way; a cluster that says that
it is starting, for as long as it does. Then, as after any failure, the same command goes on from its checkpoint.

Exit codes: 0 done and equal, 1 failed, 2 usage, 3 documents were refused, 4 the sides differ, 5 not permitted, 130 interrupted (run it again to go on)`,
    )
    .action(run)
}

async function run(from: string, to: string, flags: TransferFlags): Promise<void> {
  const output = new Output(flags)
  const progress = new ProgressLine(output)
  const name = createHash('sha256').update(`${from}\0${to}`).digest('hex').slice(0, 12)
  const interruption = new AbortController()
  const stop = () => interruption.abort(new Error('interrupted'))
  process.once('SIGINT', stop).once('SIGTERM', stop)
  const checkpointPath = flags.checkpoint ?? `chaja-transfer-${name}.checkpoint.json`
  const rejectPath = flags.rejects ?? `chaja-transfer-${name}.rejected.ndjson`
  try {
    const report = await transfer({
      from,
      to,
      connect: (origin, side) => clientOf(origin, side, flags),
      what: flags.documentsOnly ? 'documents' : flags.mappingsOnly ? 'mappings' : 'all',
      typeRule: flags.types,
      nori: flags.nori ?? false,
      dryRun: flags.dryRun ?? false,
      overwrite: flags.overwrite ?? false,
      verify: flags.verify,
      maxBytes: flags.maxBytes,
      pageSize: flags.batch,
      maxRate: flags.rate,
      checkpointPath,
      rejectPath,
      onProgress: (p) => progress.show(p),
      onNote: (line) => output.note(line),
      signal: interruption.signal,
    })
    progress.end()
    print(report, output, flags, rejectPath)
  } catch (error) {
    progress.end()
    if (!interruption.signal.aborted) {
      if (existsSync(checkpointPath)) {
        // What is wrong with the command or its files is wrong the next time, too.
        const lasting = exitCodeOf(error) === EXIT.usage
        output.note(
          lasting
            ? `the checkpoint is ${checkpointPath}`
            : `run the same command again to go on from ${checkpointPath}`,
        )
      }
      throw error
    }
    const left = existsSync(checkpointPath) ? `; run the same command again to go on from ${checkpointPath}` : ''
    output.error(`interrupted${left}`)
    process.exitCode = EXIT.interrupted
  } finally {
    process.removeListener('SIGINT', stop).removeListener('SIGTERM', stop)
  }
}

function print(report: TransferReport, output: Output, flags: TransferFlags, rejectPath: string): void {
  const { planned, verification, changes, ...counts } = report
  if (flags.dryRun) {
    output.value({ dryRun: true, changes, create: planned })
    return
  }
  for (const change of changes) output.note(`changed: ${change}`)
  if (output.json)
    output.value({ ...counts, changes, rejectFile: report.rejected > 0 ? rejectPath : undefined, verification })
  else {
    output.rows([
      {
        read: report.read,
        written: report.written,
        rejected: report.rejected,
        retries: report.retries,
        seconds: report.seconds.toFixed(1),
        'docs/s': Math.round(report.read / Math.max(report.seconds, 0.001)),
        verified: verification === undefined ? 'no' : verification.equal ? 'equal' : 'DIFFERENT',
      },
    ])
    if (verification !== undefined)
      output.note(`digest ${verification.sourceDigest.slice(0, 16)} of ${verification.sourceCount} ${verification.of}`)
  }
  if (report.rejected > 0) {
    output.error(`${report.rejected} documents were refused; they are in ${rejectPath}, each with the reason`)
    process.exitCode = EXIT.rejectedDocuments
  }
  if (verification !== undefined && !verification.equal) {
    for (const { key, difference } of verification.examples) output.error(`${difference}: ${key}`)
    // Refused documents take no part in the comparison: what differs does so for another reason.
    process.exitCode = EXIT.verificationMismatch
  }
}

async function clientOf(origin: string, side: 'source' | 'destination', flags: TransferFlags): Promise<DomainClient> {
  const ca = flags.ca === undefined ? undefined : readAuthority(flags.ca, '--ca')
  const unsigned = origin.startsWith('http://') || (side === 'source' ? flags.unsignedFrom : flags.unsignedTo)
  if (unsigned) return Client.connect({ host: origin, ca, maxRetries: MAX_RETRIES })
  const profile = side === 'source' ? flags.fromProfile : flags.toProfile
  const region = side === 'source' ? flags.fromRegion : flags.toRegion
  return Client.fromEnv({
    host: origin,
    maxRetries: MAX_RETRIES,
    ...(region === undefined ? {} : { region }),
    ...(profile === undefined ? {} : { profile }),
    ...(ca === undefined ? {} : { ca }),
  })
}

function count(text: string): number {
  const value = Number(text)
  if (!Number.isInteger(value) || value < 1) throw new InvalidArgumentError('expected a whole number from 1 on')
  return value
}
