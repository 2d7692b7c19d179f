import { Command } from 'commander'
import { pino } from 'pino'
import { PolicyError } from '../access/policy/parse-policy.ts'
import { ClientError } from '../client/client-error.ts'
import {
  type Config,
  ConfigError,
  environmentName,
  flagName,
  OPTIONS,
  type OptionName,
  readConfig,
  wordsOf,
} from '../config.ts'
import { fileProblem } from '../file-problem.ts'
import { EXIT } from './exit-code.ts'
import { inlineMore } from './inline-more.ts'
import { LogDestination } from './log-destination.ts'
import { WordsOption } from './words-option.ts'

/** `chaja serve`: runs a domain until SIGTERM or SIGINT. */
export function serveCommand(): Command {
  const command = new Command('serve')
    .description('run a domain')
    .option('--config <file>', 'options in a file: JSON, keys as in the README (CHAJA_CONFIG)')
    .addHelpText(
      'after',
      '\nEach option can also be set by its environment variable. Several values are separated by commas, or their option is given several times.\n\nExamples:\n  $ chaja serve\n  $ chaja serve --http --open --port 0   # for tests',
    )
  for (const name of Object.keys(OPTIONS) as OptionName[]) {
    const { value, description } = OPTIONS[name] as { value?: string; description: string }
    const flags = value === undefined ? flagName(name) : `${flagName(name)} <${value}>`
    const fallback = OPTIONS[name].schema.safeParse(undefined).data
    const isList = Array.isArray(fallback)
    const shown = fallback === undefined || fallback === false || isList ? '' : `, default ${fallback}`
    const help = `${description} (${environmentName(name)}${shown})`
    const option = new WordsOption(flags, help, wordsOf(name))
    command.addOption(isList ? option.argParser(joined) : option)
  }
  return command.action(async (flags: ServeFlags) => {
    process.exitCode = await serve(flags)
  })
}

/** Values of an option that is given several times. */
const joined = (text: string, before?: string): string => (before ? `${before},${text}` : text)

type ServeFlags = Parameters<typeof readConfig>[0]

async function serve(flags: ServeFlags): Promise<number> {
  let config: Config
  try {
    config = readConfig(flags)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    process.stderr.write(`chaja serve: ${error.message}\n`)
    return EXIT.usage
  }
  const destination = new LogDestination(2, config.accessLog)
  inlineMore()
  const logger = pino({ level: config.logLevel, base: null }, destination)
  try {
    const { startDomain } = await import('../domain.ts')
    const domain = await startDomain(config, logger)
    const stopped = untilSignal(
      () => domain.close(),
      (error) => logger.error({ err: error }, 'stopping failed'),
    )
    process.stdout.write(`listening on ${domain.url}\n`)
    const code = await stopped
    logger.info('stopped')
    destination.flushSync()
    // Timers and sockets of libraries must not keep a stopped domain alive.
    process.exit(code)
  } catch (error) {
    const fault = fileFault(error as NodeJS.ErrnoException, config)
    if (fault !== undefined) {
      process.stderr.write(`chaja serve: ${fault}\n`)
      return EXIT.usage
    }
    const problem = startProblem(error as NodeJS.ErrnoException, config)
    // What has its words needs no trace; a fault of the program has none.
    const isFault = [TypeError, RangeError, ReferenceError, SyntaxError].some((kind) => error instanceof kind)
    if (problem === undefined && isFault) logger.fatal({ err: error }, 'the domain could not start')
    destination.flushSync()
    process.stderr.write(`chaja serve: ${problem ?? (error as Error).message}\n`)
    return EXIT.failed
  }
}

/** What is wrong in a file that the configuration names; undefined for any other error. */
function fileFault(error: NodeJS.ErrnoException, { policy, tlsCert, tlsKey }: Config): string | undefined {
  if (error instanceof PolicyError) return `${policy ?? 'the stored policy'}: ${error.message}`
  if (error instanceof ClientError) return error.message
  if (String(error.code).startsWith('ERR_OSSL') && tlsCert !== undefined)
    return `${tlsCert} and ${tlsKey} are no PEM certificate and its key: ${error.message}`
  return undefined
}

/** Why a domain could not start and what to do, where that is known. */
function startProblem(error: NodeJS.ErrnoException, { host, port }: Config): string | undefined {
  const { code, syscall, path, message } = error
  if (message.includes('is open in another chaja process'))
    return `${message}: stop that one, or name another folder by --data`
  if (syscall === 'listen' || syscall === 'getaddrinfo') {
    if (code === 'EADDRINUSE')
      return `port ${port} of ${host} is taken: stop what listens there, or name another by --port`
    if (code === 'EACCES') return `port ${port} needs more rights: name one from 1024 on by --port`
    return `${host} is no address of this machine: name one by --host`
  }
  return path === undefined ? undefined : `cannot use ${path}: ${fileProblem(error)}`
}

/** Waits for SIGTERM or SIGINT, then stops. A second signal ends the process at once. */
function untilSignal(stop: () => Promise<void>, onError: (error: unknown) => void): Promise<number> {
  return new Promise((resolve) => {
    let stopping = false
    const onSignal = () => {
      if (stopping) process.exit(EXIT.interrupted)
      stopping = true
      stop().then(
        () => resolve(EXIT.done),
        (error: unknown) => {
          onError(error)
          resolve(EXIT.failed)
        },
      )
    }
    process.on('SIGTERM', onSignal).on('SIGINT', onSignal)
  })
}
