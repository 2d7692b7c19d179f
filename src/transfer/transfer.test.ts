import { expect, it } from 'vitest'
import type { DomainClient } from '../client/domain-client.ts'
import { type TransferOptions, transfer } from './transfer.ts'

it('refuses an index whose documents no search finds, as it is frozen, instead of moving none of them', async () => {
  const settings = { 'index.number_of_shards': '1', 'index.frozen': 'true', 'index.search.throttled': 'true' }
  const answers: Readonly<Record<string, object>> = {
    '/': { version: { number: '7.10.2' } },
    '/_cluster/health': { status: 'green' },
    '/old': { old: { settings, mappings: {}, aliases: {} } },
  }
  const client = {
    request: async (_method: string, path: string) => ({ status: 200, body: answers[path.replace(/\?.*/, '')] }),
    close: () => {},
  } as unknown as DomainClient
  const options: Partial<TransferOptions> = {
    from: 'http://127.0.0.1:9200/old',
    to: 'old.ndjson',
    connect: async () => client,
    onNote: () => {},
    signal: new AbortController().signal,
    dryRun: true,
  }
  await expect(transfer(options as TransferOptions)).rejects.toThrow('/old is frozen: POST /old/_unfreeze')
})
