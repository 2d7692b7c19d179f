/**
 * Writes README's table of options from the table `chaja serve` reads them by.
 *
 *   npx tsx scripts/readme-tables.ts
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { environmentName, flagName, OPTIONS, type OptionName } from '../src/config.ts'

const BLOCK = /(<!-- options:[^>]*-->\n)[\s\S]*?(<!-- \/options -->)/

/** README with its table of options as it should be. */
export function withOptionsTable(readme: string): string {
  return readme.replace(BLOCK, (_, begin: string, end: string) => `${begin}${optionsTable()}${end}`)
}

function optionsTable(): string {
  const rows = (Object.keys(OPTIONS) as OptionName[]).map((name) => {
    const { value, description } = OPTIONS[name] as { value?: string; description: string }
    const fallback = OPTIONS[name].schema.safeParse(undefined).data
    const shown = fallback === undefined || fallback === false || Array.isArray(fallback) ? '' : `\`${fallback}\``
    const flag = value === undefined ? flagName(name) : `${flagName(name)} <${value}>`
    // A bar would end the cell, even between backticks.
    return `| \`${flag.replaceAll('|', '\\|')}\` | \`${environmentName(name)}\` | \`${name}\` | ${shown} | ${description} |`
  })
  return ['| flag | environment | in the file | default | what it does |', '|---|---|---|---|---|', ...rows, ''].join(
    '\n',
  )
}

if (process.argv[1] === import.meta.filename) {
  const file = join(import.meta.dirname, '..', 'README.md')
  writeFileSync(file, withOptionsTable(readFileSync(file, 'utf8')))
}
