import { expect, it } from 'vitest'
import { type Question, RemoteJudge } from './remote-judge.ts'

it('asks once for what the path does not name, and goes no further when it is refused', () => {
  const asked: Question[] = []
  const judge = new RemoteJudge({ method: 'POST', segments: ['a', '_search'] }, (question) => {
    asked.push(question)
    return !question.indices.includes('secret')
  })
  judge.authorize(['a'], '_search')
  judge.authorize(['a', 'b', 'c'], '_search')
  judge.authorize(['c', 'b'], '_search')
  judge.authorize(['b'], '_doc')
  judge.authorize(['a'], '_search', 'GET')
  expect(asked).toEqual([
    { indices: ['b', 'c'], api: '_search', method: 'POST' },
    { indices: ['b'], api: '_doc', method: 'POST' },
    { indices: ['a'], api: '_search', method: 'GET' },
  ])
  expect(() => judge.authorize(['b', 'secret'], '_search')).toThrow('refused')
})
