import { Argument, Command } from 'commander'
import { WordsOption } from './words-option.ts'

const SHELLS = ['bash', 'zsh', 'fish'] as const
type Shell = (typeof SHELLS)[number]

/** What a shell offers behind a command: its sub-commands and options, and the words that these and its argument take. */
interface Offer {
  readonly name: string
  readonly description: string
  readonly commands: readonly Offer[]
  /** What its first argument may be; none: a file. */
  readonly words: readonly string[]
  readonly options: readonly {
    readonly long: string
    readonly description: string
    readonly takesValue: boolean
    readonly choices: readonly string[]
  }[]
}

/**
 * `chaja completion SHELL`: prints a script that completes commands, options and file names.
 *
 * @param load  answers every command; the script is made from what they declare
 */
export function completionCommand(load: () => Promise<readonly Command[]>): Command {
  return new Command('completion')
    .description('print a completion script for a shell')
    .addArgument(new Argument('<shell>', 'yours').choices(SHELLS))
    .addHelpText(
      'after',
      `
Examples:
  $ source <(chaja completion bash)
  $ chaja completion zsh > "\${fpath[1]}/_chaja"
  $ chaja completion fish > ~/.config/fish/completions/chaja.fish`,
    )
    .action(async (shell: Shell) => {
      process.stdout.write(completionScript(shell, (await load()).map(offer)))
    })
}

function offer(command: Command): Offer {
  return {
    name: command.name(),
    description: command.description(),
    commands: command.commands.map(offer),
    words: command.registeredArguments[0]?.argChoices ?? [],
    options: [
      ...command.options
        .filter((o) => o.long && !o.hidden)
        .map((o) => ({
          long: o.long as string,
          description: o.description,
          takesValue: o.required || o.optional,
          choices: o instanceof WordsOption ? o.words : (o.argChoices ?? []),
        })),
      { long: '--help', description: 'say how to use it', takesValue: false, choices: [] },
    ],
  }
}

function completionScript(shell: Shell, commands: readonly Offer[]): string {
  switch (shell) {
    case 'bash':
      return bash(commands)
    case 'zsh':
      return zsh(commands)
    case 'fish':
      return fish(commands)
  }
}

/** Every command that has no commands below it, and those that do, with the words that lead there. */
function* paths(commands: readonly Offer[], before: readonly string[] = []): Generator<[readonly string[], Offer]> {
  for (const command of commands) {
    const path = [...before, command.name]
    yield [path, command]
    yield* paths(command.commands, path)
  }
}

const names = (offers: readonly Offer[]): string => offers.map((o) => o.name).join(' ')

/** The words typed so far choose a case; an option that takes a value is completed with its words, or with files. */
function bash(commands: readonly Offer[]): string {
  const cases: string[] = []
  for (const [path, command] of paths(commands)) {
    const key = path.join(' ')
    const first = [...command.commands.map((c) => c.name), ...command.words]
    const words = [...first, ...command.options.map((o) => o.long)].join(' ')
    const valued = command.options.filter((o) => o.takesValue && o.choices.length === 0).map((o) => o.long)
    const chosen = command.options
      .filter((o) => o.choices.length > 0)
      .map((o) => `      ${o.long}) COMPREPLY=($(compgen -W '${o.choices.join(' ')}' -- "$word")); return ;;\n`)
    cases.push(
      `    '${key}')\n      case "$before" in\n${chosen.join('')}${
        valued.length === 0 ? '' : `      ${valued.join('|')}) _chaja_files "$word"; return ;;\n`
      }      esac\n      offered='${words}'${first.length === 0 ? ' files=1' : ''} ;;\n`,
    )
  }
  const known = [...paths(commands)].map(([path]) => `'${path.join(' ')}'`).join('|')
  return `# bash completion for chaja; load it with: source <(chaja completion bash)
_chaja_files() {
  # Names of files may have blanks; @ stands before those of bodies.
  local IFS=$'\\n' at=''
  [[ "$1" == @* ]] && at='@'
  COMPREPLY=($(compgen -P "$at" -f -- "\${1#$at}"))
}
_chaja() {
  local word="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}" path='' offered='' files='' i
  COMPREPLY=()
  # --name=value is three words.
  if [[ "$word" == '=' ]]; then word=''
  elif [[ "$before" == '=' ]]; then before="\${COMP_WORDS[COMP_CWORD-2]}"
  fi
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "\${path:+$path }\${COMP_WORDS[i]}" in
      ${known}) path="\${path:+$path }\${COMP_WORDS[i]}" ;;
    esac
  done
  case "$path" in
    '') offered='${names(commands)} --help --version' ;;
${cases.join('')}  esac
  if [[ -n "$files" && "$word" != -* ]]; then _chaja_files "$word"
  else COMPREPLY=($(compgen -W "$offered" -- "$word"))
  fi
}
complete -o filenames -F _chaja chaja
`
}

function zsh(commands: readonly Offer[]): string {
  const quoted = (text: string) => text.replaceAll("'", "'\\''")
  const described = (text: string) => quoted(text).replace(/[[\]:]/g, (c) => `\\${c}`)
  // A list of words with descriptions is read by eval once more: what is special inside double quotes is escaped too.
  const word = (name: string, text: string) => `${name}\\:"${described(text.replace(/["\\$`]/g, '\\$&'))}"`
  const functions: string[] = []
  for (const [path, command] of paths(commands)) {
    const options = command.options.map((o) => {
      const value = !o.takesValue ? '' : o.choices.length > 0 ? `:value:(${o.choices.join(' ')})` : ':value:_files'
      return `    '${o.long}[${described(o.description)}]${value}'`
    })
    const rest =
      command.commands.length > 0
        ? [
            `    '1:command:((${command.commands.map((c) => word(c.name, c.description)).join(' ')}))'`,
            `    '*::argument:->below'`,
          ]
        : [command.words.length > 0 ? `    '1:argument:(${command.words.join(' ')})'` : `    '*:argument:_files'`]
    const below = command.commands
      .map((c) => `    ${c.name}) _chaja_${[...path, c.name].join('_').replaceAll('-', '_')} ;;\n`)
      .join('')
    functions.push(`_chaja_${path.join('_').replaceAll('-', '_')}() {
  local state line
  _arguments -C \\
${[...options, ...rest].join(' \\\n')}
${below === '' ? '' : `  [[ "$state" == below ]] && case "$line[1]" in\n${below}  esac\n`}}
`)
  }
  return `#compdef chaja
# zsh completion for chaja; put it into a folder of $fpath as _chaja
${functions.join('\n')}
_chaja() {
  local state line
  _arguments -C \\
    '--version[print the version]' \\
    '--help[say how to use it]' \\
    '1:command:((${commands.map((c) => word(c.name, c.description)).join(' ')}))' \\
    '*::argument:->below'
  [[ "$state" == below ]] && case "$line[1]" in
${commands.map((c) => `    ${c.name}) _chaja_${c.name.replaceAll('-', '_')} ;;\n`).join('')}  esac
}
if [ "$funcstack[1]" = '_chaja' ]; then _chaja "$@"; else compdef _chaja chaja; fi
`
}

function fish(commands: readonly Offer[]): string {
  const quoted = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
  const lines = [
    '# fish completion for chaja',
    'complete -c chaja -n __fish_use_subcommand -l version -d "print the version"',
  ]
  for (const [path, command] of paths(commands)) {
    const above = path.slice(0, -1)
    const seen = above.map((word) => `__fish_seen_subcommand_from ${word}`).join('; and ')
    const condition = above.length === 0 ? '__fish_use_subcommand' : seen
    lines.push(`complete -c chaja -n ${quoted(condition)} -f -a ${command.name} -d ${quoted(command.description)}`)
    const here = path.map((word) => `__fish_seen_subcommand_from ${word}`).join('; and ')
    if (command.words.length > 0)
      lines.push(`complete -c chaja -n ${quoted(here)} -f -a ${quoted(command.words.join(' '))}`)
    for (const option of command.options) {
      const value = !option.takesValue
        ? ''
        : option.choices.length > 0
          ? ` -x -a ${quoted(option.choices.join(' '))}`
          : ' -r'
      lines.push(
        `complete -c chaja -n ${quoted(here)} -l ${option.long.slice(2)}${value} -d ${quoted(option.description)}`,
      )
    }
  }
  return `${lines.join('\n')}\n`
}
