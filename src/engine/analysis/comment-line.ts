import type { EngineVersion } from '../engine-version.ts'

/** Whether a line among rules or words is none but a comment: to OpenSearch any that begins with `#`, but rules for that sign. */
export function isCommentLine(line: string, engineVersion: EngineVersion): boolean {
  return engineVersion === 'OpenSearch_2.19' && line.startsWith('#') && !/^#\s*=>/.test(line)
}
