import type { TemplateContents } from './composable-templates.ts'

/** A template's aliases as an index has them: `{index}` in their names stands for its own. */
export function aliasesOfTemplate(aliases: TemplateContents['aliases'], index: string): TemplateContents['aliases'] {
  return Object.fromEntries(
    Object.entries(aliases).map(([alias, metadata]) => [alias.replaceAll('{index}', index), metadata]),
  )
}
