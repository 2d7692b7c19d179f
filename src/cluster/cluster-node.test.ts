import { expect, it } from 'vitest'
import { parseClusterNode } from './cluster-node.ts'

const authorization = (user: string) => `Basic ${Buffer.from(user).toString('base64')}`

it.each([
  ['https://chaja:secret@10.0.0.5:9200', authorization('chaja:secret')],
  ['https://chaja:p%40ss@10.0.0.5:9200', authorization('chaja:p@ss')],
  // A `%` that encodes nothing, as in passwords that were typed as they are.
  ['https://chaja:pa%ss@10.0.0.5:9200', authorization('chaja:pa%ss')],
  ['https://10.0.0.5:9200', undefined],
])('%s has its credentials read', (url, expected) => {
  expect(parseClusterNode(url)).toMatchObject({ origin: 'https://10.0.0.5:9200', authorization: expected })
})
