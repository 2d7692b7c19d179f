#!/usr/bin/env node
import { readFileSync } from 'node:fs'
import { Command, CommanderError } from 'commander'
import { EXIT, exitCodeOf } from './exit-code.ts'

/** Every command, loaded when it is asked for: one file a command. */
const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  serve: async () => (await import('./serve.ts')).serveCommand(),
  get: async () => (await import('./get.ts')).getCommand(),
  search: async () => (await import('./search.ts')).searchCommand(),
  'create-index': async () => (await import('./create-index.ts')).createIndexCommand(),
  put: async () => (await import('./put.ts')).putCommand(),
  delete: async () => (await import('./delete.ts')).deleteCommand(),
  bulk: async () => (await import('./bulk.ts')).bulkCommand(),
  request: async () => (await import('./request.ts')).requestCommand(),
  analyze: async () => (await import('./analyze.ts')).analyzeCommand(),
  health: async () => (await import('./health.ts')).healthCommand(),
  transfer: async () => (await import('./transfer.ts')).transferCommand(),
}

const program = new Command('chaja')
  .description('a search domain you run yourself')
  .version(version(), '--version', 'print the version')
  .showHelpAfterError('(chaja --help says more)')
  .exitOverride()

const asked = COMMANDS[process.argv[2] ?? '']
for (const load of asked === undefined ? Object.values(COMMANDS) : [asked]) program.addCommand(inherit(await load()))

try {
  await program.parseAsync()
} catch (error) {
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? EXIT.done : EXIT.usage
  else {
    process.stderr.write(`chaja: ${(error as Error).message}\n`)
    process.exitCode = exitCodeOf(error)
  }
}

/** Gives a command and those under it the program's way of ending: usage errors exit 2. */
function inherit(command: Command): Command {
  command.exitOverride().showHelpAfterError(`(chaja ${command.name()} --help says more)`)
  for (const child of command.commands) inherit(child)
  return command
}

function version(): string {
  const file = new URL('../../package.json', import.meta.url)
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version
}
