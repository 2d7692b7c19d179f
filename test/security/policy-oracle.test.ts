import { describe, expect, it } from 'vitest'
import { PolicyGenerator } from './policy-generator.ts'
import { compareDecisions } from './policy-oracle.ts'

// The long run, 100,000 questions: npm run compare:policy
const COUNT = 1500

describe('the policy evaluation', () => {
  it(`decides ${COUNT} generated questions as an independent evaluator does, but for its known readings`, async () => {
    const generator = new PolicyGenerator(20_261_121)
    let agreed = 0
    for (let i = 0; i < COUNT; i++) {
      const question = generator.next()
      const { agree, why, text } = await compareDecisions(question)
      if (agree) agreed++
      else expect(why, `question ${i}: ${text}: ${JSON.stringify(question)}`).toBeDefined()
    }
    expect(agreed).toBeGreaterThan(COUNT * 0.98)
  })
})
