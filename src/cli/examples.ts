import type { Command } from 'commander'

/** Shows examples behind a command's help, and behind that of each command below it those that are its own. */
export function withExamples(command: Command, examples: readonly string[]): Command {
  for (const child of command.commands) {
    const own = examples.filter((e) => e.includes(`${command.name()} ${child.name()} `))
    if (own.length > 0) withExamples(child, own)
  }
  const title = examples.length === 1 ? 'Example' : 'Examples'
  return command.addHelpText('after', `\n${title}:\n${examples.map((e) => `  $ ${e}`).join('\n')}`)
}
