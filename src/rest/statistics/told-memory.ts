import type { EngineVersion } from '../../engine/engine-version.ts'

/** What is told of the bytes that segments have in memory: OpenSearch's Lucene does not count them. */
export const toldMemory = (bytes: number, version: EngineVersion): number => (version === 'OpenSearch_2.19' ? 0 : bytes)
