import { closeSync, fsyncSync, ftruncateSync, openSync, writeSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import type { BulkOperation, BulkOutcome } from '../client/bulk.ts'
import type { DomainClient } from '../client/domain-client.ts'
import type { ServerInfo } from './server.ts'
import { documentLine, oneLine, type TransferDocument } from './transfer-document.ts'

/** A document that the destination would not take. */
export interface RejectedDocument {
  readonly document: TransferDocument
  readonly status: number
  readonly type: string
  readonly reason: string
}

/** What became of a batch. */
export interface BatchOutcome {
  readonly written: number
  readonly rejected: readonly RejectedDocument[]
  readonly retries: number
  readonly bytes: number
  /** Length of a destination file behind this batch. */
  readonly fileBytes: number
}

/** Where documents go. */
export interface DocumentDestination {
  /** Writes a batch; settles when the destination has it for good. */
  write(documents: readonly TransferDocument[], signal: AbortSignal): Promise<BatchOutcome>
  /** Forgets documents of an earlier run that will be written again: a file is cut, an index takes them anew. */
  restart(headerBytes: number): void
  /** Bytes written so far, for files. */
  readonly fileBytes: number
  close(): void
}

/** Writes into an index over `_bulk`. */
export class IndexDestination implements DocumentDestination {
  readonly fileBytes = 0
  readonly #client: DomainClient
  readonly #server: ServerInfo
  readonly #maxBytes: number

  constructor(client: DomainClient, server: ServerInfo, options: { readonly maxBytes: number }) {
    this.#client = client
    this.#server = server
    this.#maxBytes = options.maxBytes
  }

  async write(documents: readonly TransferDocument[], signal: AbortSignal): Promise<BatchOutcome> {
    const rejected: RejectedDocument[] = []
    const summary = await this.#client.bulk(
      documents.map((d) => this.#operation(d)),
      {
        maxBytes: this.#maxBytes,
        maxRetries: 8,
        concurrency: 2,
        signal,
        onOutcome: (outcome) => {
          if (outcome.error !== undefined)
            rejected.push(rejection(documents[outcome.position] as TransferDocument, outcome))
        },
      },
    )
    return { written: summary.succeeded, rejected, retries: summary.retries, bytes: summary.bytes, fileBytes: 0 }
  }

  /**
   * `external_gte` keeps the source's version and makes a batch sent twice harmless: an equal version is written
   * again, a newer one at the destination is not overwritten.
   */
  #operation(document: TransferDocument): BulkOperation {
    return {
      index: {
        _index: document.index,
        ...(this.#server.typed ? { _type: document.type ?? '_doc' } : {}),
        _id: document.id,
        ...(document.routing === undefined ? {} : { routing: document.routing }),
        ...(document.version === undefined ? {} : { version: document.version, version_type: 'external_gte' }),
      },
      source: oneLine(document.source),
    }
  }

  restart(): void {}

  close(): void {}
}

function rejection(document: TransferDocument, outcome: BulkOutcome): RejectedDocument {
  return {
    document,
    status: outcome.status,
    type: outcome.error?.type ?? 'unknown',
    reason: outcome.error?.reason ?? '',
  }
}

/** Writes an NDJSON file, each batch a gzip member of its own where it is compressed, so that it can be cut after any batch. */
export class FileDestination implements DocumentDestination {
  fileBytes: number
  readonly #file: number
  readonly #gzip: boolean

  /** @param keepBytes  what an earlier run finished; all behind it is cut off */
  constructor(path: string, options: { readonly gzip: boolean; readonly keepBytes: number }) {
    this.#file = openSync(path, options.keepBytes > 0 ? 'r+' : 'w')
    this.#gzip = options.gzip
    this.fileBytes = options.keepBytes
    ftruncateSync(this.#file, options.keepBytes)
  }

  /** Writes a line that is no document: the index' schema. */
  writeHeader(header: object): void {
    this.#append(`${JSON.stringify(header)}\n`)
  }

  restart(headerBytes: number): void {
    ftruncateSync(this.#file, headerBytes)
    this.fileBytes = headerBytes
  }

  async write(documents: readonly TransferDocument[]): Promise<BatchOutcome> {
    const bytes = this.#append(documents.map((d) => `${documentLine(d)}\n`).join(''))
    return { written: documents.length, rejected: [], retries: 0, bytes, fileBytes: this.fileBytes }
  }

  #append(text: string): number {
    const bytes = this.#gzip ? gzipSync(text) : Buffer.from(text)
    let at = 0
    while (at < bytes.length) at += writeSync(this.#file, bytes, at, bytes.length - at, this.fileBytes + at)
    fsyncSync(this.#file)
    this.fileBytes += bytes.length
    return bytes.length
  }

  close(): void {
    closeSync(this.#file)
  }
}
