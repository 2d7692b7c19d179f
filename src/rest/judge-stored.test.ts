import { expect, it } from 'vitest'
import { judgeStored } from './judge-stored.ts'

/** What is asked of the policy: paths, and beginnings of them. */
function asked(endpoint: string, path: Readonly<Record<string, string>>): string[] {
  const paths: string[] = []
  judgeStored(
    {
      authorize: (names) => paths.push(...names),
      authorizeDomain: (_method, prefix) => paths.push(`${prefix}*`),
    },
    endpoint,
    path,
  )
  return paths
}

it.each([
  ['ingest.get_pipeline', {}, ['_ingest/pipeline/*']],
  ['ingest.delete_pipeline', { id: 'a,b*' }, ['_ingest/pipeline/a', '_ingest/pipeline/b*']],
  ['cat.templates', { name: 'a' }, ['_template/a', '_index_template/a']],
  ['snapshot.get_repository', { repository: '_all' }, ['_snapshot/*']],
  ['snapshot.get', { repository: 'kept', snapshot: 'one,_all' }, ['_snapshot/kept/one', '_snapshot/kept/*']],
  ['snapshot.get', { repository: 'a,b', snapshot: 'one' }, ['_snapshot/a/one', '_snapshot/b/one']],
  ['snapshot.delete', { repository: 'kept', snapshot: 'o*' }, ['_snapshot/kept/o*']],
  ['snapshot.status', {}, ['_snapshot/*']],
  ['snapshot.status', { repository: 'k*', snapshot: 'one' }, ['_snapshot/k*']],
  ['cat.snapshots', { repository: 'kept' }, ['_snapshot/kept/*']],
  ['search', { index: 'a' }, []],
] as const)('%s of %j asks for %j', (endpoint, path, paths) => {
  expect(asked(endpoint, path)).toEqual(paths)
})
