import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Backend } from '../src/backend.ts'
import { openEngine } from '../src/engine/embedded-engine.ts'
import type { EngineOptions } from '../src/engine/engine.ts'
import type { EngineVersion } from '../src/engine/engine-version.ts'
import { createRestBackend } from '../src/rest/rest-backend.ts'
import { askBackend } from './ask-backend.ts'

/** A domain without a listener, in a folder of its own. */
export interface Rest {
  readonly backend: Backend
  /** Asks for JSON. */
  ask(
    method: string,
    path: string,
    body?: object | string,
  ): Promise<{ status: number; json: never; headers: Readonly<Record<string, string | string[]>> }>
  /** Lets go of it, and of its folder. */
  close(): Promise<void>
}

/** Opens one. */
export async function openRest(
  engineVersion: EngineVersion,
  options: Partial<Pick<EngineOptions, 'repositoryPaths' | 'log'>> = {},
): Promise<Rest> {
  const dataDir = mkdtempSync(join(tmpdir(), 'chaja-rest-'))
  const { repositoryPaths = [], log = () => {} } = options
  const engine = await openEngine({ dataDir, engineVersion, log, repositoryPaths })
  const publishAddress = (): string => '127.0.0.1:9200'
  const backend = createRestBackend(engine, { log, publishAddress, clusterName: 'test', dataDir })
  return {
    backend,
    async ask(method, path, body = '') {
      const answer = await askBackend(backend, method, path, body)
      return { status: answer.status, json: JSON.parse(String(answer.body)) as never, headers: answer.headers }
    },
    async close() {
      await backend.close()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
