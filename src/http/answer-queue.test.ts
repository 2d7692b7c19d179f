import { describe, expect, it } from 'vitest'
import { AnswerQueue } from './answer-queue.ts'

const turn = () => new Promise((resolve) => setImmediate(resolve))

describe('AnswerQueue', () => {
  it('sends an answer at the end of the turn, those of one turn in their order', async () => {
    const queue = new AnswerQueue()
    const sent: number[] = []
    queue.push(() => sent.push(1))
    queue.push(() => sent.push(2))
    expect(sent).toEqual([])
    await turn()
    expect(sent).toEqual([1, 2])
  })

  it('sends at once when enough wait', () => {
    const queue = new AnswerQueue()
    const sent: number[] = []
    for (let i = 0; i < 4; i++) queue.push(() => sent.push(i))
    expect(sent).toEqual([0, 1, 2, 3])
  })

  it('does not let an answer wait for long work', () => {
    const queue = new AnswerQueue()
    const sent: number[] = []
    queue.push(() => sent.push(1))
    const end = performance.now() + 1
    while (performance.now() < end);
    queue.flushIfLate()
    expect(sent).toEqual([1])
  })
})
