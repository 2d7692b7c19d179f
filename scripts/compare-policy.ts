/**
 * Does the access policy decide as an independent evaluator does? Generates policies and requests, asks both, and lists
 * every kind of difference with its number and reason. Exit code 1 when a difference has none.
 *
 *   npm run compare:policy -- --count 100000 --seed 1
 */
import { parseArgs } from 'node:util'
import { PolicyGenerator } from '../test/security/policy-generator.ts'
import { compareDecisions } from '../test/security/policy-oracle.ts'

const { values } = parseArgs({
  options: { count: { type: 'string', default: '100000' }, seed: { type: 'string', default: '1' } },
})
const count = Number(values.count)
const generator = new PolicyGenerator(Number(values.seed))
const reasons = new Map<string, number>()
let agreed = 0
let unexplained = 0
const started = performance.now()
for (let i = 1; i <= count; i++) {
  const question = generator.next()
  const { agree, why, text } = await compareDecisions(question)
  if (agree) agreed++
  else if (why === undefined) {
    unexplained++
    if (unexplained <= 10) console.log(`question ${i}: ${text}\n  ${JSON.stringify(question)}`)
  } else {
    // The last restatement is the one that settled it.
    const reason = why.at(-1) as string
    reasons.set(reason, (reasons.get(reason) ?? 0) + 1)
  }
  if (i % 10_000 === 0) console.error(`${i} asked, ${Math.round((performance.now() - started) / 1000)} s`)
}
for (const [reason, number] of [...reasons].sort((a, b) => b[1] - a[1])) console.log(`${number}\t${reason}`)
const explained = count - agreed - unexplained
console.log(`${count} asked, ${agreed} agreed, ${explained} differ with a reason, ${unexplained} without`)
if (unexplained > 0) process.exitCode = 1
