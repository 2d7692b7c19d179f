import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { withOptionsTable } from '../scripts/readme-tables.ts'

it('README lists the options that chaja serve has (npx tsx scripts/readme-tables.ts rewrites the table)', () => {
  const readme = readFileSync(join(import.meta.dirname, '..', 'README.md'), 'utf8')
  expect(readme).toBe(withOptionsTable(readme))
})
