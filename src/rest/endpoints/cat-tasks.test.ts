import { expect, it } from 'vitest'
import { openRest } from '../../../test/open-rest.ts'

it('tells of a task its number, how the id of its node begins, and a dash where its caller has no name for it', async () => {
  const rest = await openRest('OpenSearch_2.19')
  const { json } = await rest.ask('GET', '/_cat/tasks?h=id,task_id,node_id,x_opaque_id&format=json')
  const rows: { task_id: string }[] = json
  expect(rows.length).toBeGreaterThan(0)
  for (const row of rows) {
    const [node = '', id] = row.task_id.split(':')
    expect(row).toEqual({ id, task_id: row.task_id, node_id: node.slice(0, 4), x_opaque_id: '-' })
  }
  await rest.close()
})
