import type { Command } from 'commander'

/**
 * Words of a command line with `help` in front of a command as `--help` behind it, at any depth; and without what stands behind a
 * word that is no command, which is to be complained of whatever help is asked for.
 */
export function helpAsked(program: Command, words: readonly string[]): readonly string[] {
  let command = program
  for (const [depth, word] of words.entries()) {
    if (command.commands.length === 0 || word.startsWith('-')) return words
    const before = words.slice(0, depth)
    if (word === 'help') {
      const behind = words.slice(depth + 1).filter((other) => other !== 'help')
      return helpAsked(program, [...before, ...behind, '--help'])
    }
    const found = command.commands.find((known) => known.name() === word)
    if (found === undefined) return [...before, word]
    command = found
  }
  return words
}
