import { readdirSync, readFileSync } from 'node:fs'

const FOLDER = new URL('vectors/', import.meta.url)

/** A call, and what a real server answered to it. */
export interface RecordedCall {
  readonly method: string
  readonly path: string
  readonly body?: string
  readonly status: number
  /** In files that were recorded with them. */
  readonly warnings?: readonly string[]
  readonly answer: unknown
}

export const RECORDED_VERSIONS = ['OpenSearch_2.19', 'Elasticsearch_7.10', 'Elasticsearch_6.8'] as const
export type RecordedVersion = (typeof RECORDED_VERSIONS)[number]

/** Names of the files of recorded calls. */
export const RECORDED_FILES: readonly string[] = readdirSync(FOLDER).filter((name) => name.endsWith('.json'))

/** The calls of a file, which follow each other. */
export function recordedCalls(file: string): readonly RecordedCall[] {
  return JSON.parse(readFileSync(new URL(file, FOLDER), 'utf8'))
}

/** The version of the server that a file was recorded from: its name's end; of 6.8 where it tells none. */
export function recordedVersion(file: string): RecordedVersion {
  const suffix = (version: string): string => `-${version.replace('_', '-').toLowerCase()}.json`
  return RECORDED_VERSIONS.find((version) => file.endsWith(suffix(version))) ?? 'Elasticsearch_6.8'
}
