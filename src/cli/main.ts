#!/usr/bin/env node
import { Command, CommanderError, type Option } from 'commander'
import { fileProblem } from '../file-problem.ts'
import { packageVersion } from '../package-version.ts'
import { EXIT, EXIT_CODES, exitCodeOf } from './exit-code.ts'
import { helpAsked } from './help-asked.ts'
import { hintFor } from './hint.ts'
import { UsageError } from './usage-error.ts'

/** Every command, loaded when it is asked for: one file a command. */
const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  serve: async () => (await import('./serve.ts')).serveCommand(),
  env: async () => (await import('./env.ts')).envCommand(),
  ca: async () => (await import('./ca.ts')).caCommand(),
  policy: async () => (await import('./policy.ts')).policyCommand(),
  user: async () => (await import('./user.ts')).userCommand(),
  role: async () => (await import('./role.ts')).roleCommand(),
  key: async () => (await import('./key.ts')).keyCommand(),
  pool: async () => (await import('./pool.ts')).poolCommand(),
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
  dictionary: async () => (await import('./dictionary.ts')).dictionaryCommand(),
  completion: async () => (await import('./completion.ts')).completionCommand(loadAll),
}

const typed = process.argv.slice(2)
const behind = typed[0]?.startsWith('-') ? typed.find((word) => Object.hasOwn(COMMANDS, word)) : undefined

const program = new Command('chaja')
  .description('a search domain you run yourself')
  .version(packageVersion(), '-v, --version', 'print the version')
  .showHelpAfterError(
    behind === undefined
      ? '(chaja --help says more)'
      : `(options of a command stand behind it: chaja ${behind} ${typed[0]})`,
  )
  .addHelpText('after', `\n${EXIT_CODES}`)
  .exitOverride()
  .hook('preAction', (_, command) => {
    // A shell that lacks a variable has no wish: what stands in its place would be another host, folder or index.
    const empty = command.options.find((o) => command.getOptionValue(o.attributeName()) === '' && isTyped(command, o))
    if (empty !== undefined) throw new UsageError(`${empty.long} has no value`)
  })

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // Whoever reads the other end of a pipe has seen enough.
  if (error.code === 'EPIPE') process.exit()
  process.stderr.write(`chaja: cannot write the result: ${fileProblem(error)}\n`)
  process.exit(EXIT.failed)
})

// What is said to nobody any more changes nothing of how it ends.
process.stderr.on('error', () => {})

const name = typed[0] ?? ''
const asked = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
const loads = asked !== undefined ? [asked] : name === '--version' || name === '-v' ? [] : Object.values(COMMANDS)
try {
  for (const load of loads) program.addCommand(inherit(await load()))
} catch (error) {
  const { code } = error as NodeJS.ErrnoException
  if (code !== 'EMFILE' && code !== 'ENFILE') throw error
  process.stderr.write(`chaja: cannot be loaded: ${fileProblem(error)}\n`)
  process.exit(EXIT.failed)
}

try {
  await program.parseAsync(helpAsked(program, typed), { from: 'user' })
} catch (error) {
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? EXIT.done : EXIT.usage
  else {
    const hint = hintFor(error)
    process.stderr.write(
      `chaja: ${inWords(error as NodeJS.ErrnoException)}\n${hint === undefined ? '' : `(${hint})\n`}`,
    )
    process.exitCode = exitCodeOf(error)
  }
}

/** An error of the system says little of the file that it is about. */
function inWords(error: NodeJS.ErrnoException): string {
  const { path, syscall, message } = error
  return path === undefined || syscall === undefined ? message : `cannot use ${path}: ${fileProblem(error)}`
}

/** Whether an option stands on the command line, rather than in the environment. */
function isTyped(command: Command, option: Option): boolean {
  return command.getOptionValueSource(option.attributeName()) === 'cli'
}

/** Every command, for what speaks of all of them. */
function loadAll(): Promise<readonly Command[]> {
  return Promise.all(Object.values(COMMANDS).map((load) => load()))
}

/** Gives a command and those under it the program's way of ending: usage errors exit 2. */
function inherit(command: Command, parent = 'chaja'): Command {
  const name = `${parent} ${command.name()}`
  command.exitOverride().showHelpAfterError(`(${name} --help says more)`)
  for (const child of command.commands) inherit(child, name)
  return command
}
