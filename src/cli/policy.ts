import { existsSync } from 'node:fs'
import { isIP } from 'node:net'
import { join } from 'node:path'
import { Argument, Command, InvalidArgumentError, Option } from 'commander'
import { AccessDenial } from '../access/access-denial.ts'
import { ANONYMOUS } from '../access/identity/caller.ts'
import { callerFromArn } from '../access/identity/caller-from-arn.ts'
import { ADMIN_NAME, domainArn } from '../access/open-access.ts'
import { parseIpRange } from '../access/policy/ip-range.ts'
import { lintPolicy } from '../access/policy/lint-policy.ts'
import { PolicyError, parsePolicy } from '../access/policy/parse-policy.ts'
import { PolicyJudge } from '../access/policy/policy-judge.ts'
import {
  POLICY_TEMPLATE_NAMES,
  type PolicyTemplateName,
  policyFromTemplate,
} from '../access/policy/policy-templates.ts'
import { type CanonicalPath, canonicalPath } from '../access/signature/canonical-path.ts'
import { dataOption, withDataDirectory } from './data-directory.ts'
import { withExamples } from './examples.ts'
import { EXIT } from './exit-code.ts'
import { Output } from './output.ts'
import { readTextFile } from './read-text-file.ts'
import { UsageError } from './usage-error.ts'

interface CheckFlags {
  readonly data: string
  readonly domain?: string
  readonly caller?: string
  readonly roleArn?: string
  readonly method?: string
  readonly path?: CanonicalPath
  readonly sourceIp?: string
  readonly compat: 'chaja' | 'aws'
}

/** `chaja policy new|check|lint|show|set`. */
export function policyCommand(): Command {
  const command = new Command('policy').description('write, explain and criticise access policies')
  command
    .command('new')
    .description('print a policy made from a template')
    .addArgument(new Argument('<template>', 'whom it lets in').choices(POLICY_TEMPLATE_NAMES))
    .option('--user <arn>', "administrator (default: the domain's own)")
    .option('--role <arn>', 'role of people signed in')
    .option('--source-ip <ranges...>', 'addresses an ip-based policy lets in')
    .addOption(domainOption())
    .addOption(dataOption())
    .action(
      async (
        template: PolicyTemplateName,
        flags: { user?: string; role?: string; sourceIp?: string[]; domain?: string; data: string },
      ) => {
        const [needed, other] =
          template === 'ip-based' ? (['sourceIp', 'role'] as const) : (['role', 'sourceIp'] as const)
        if (flags[needed] === undefined) throw new UsageError(`${template} needs ${LONG[needed]}`)
        if (flags[other] !== undefined) throw new UsageError(`${template} takes no ${LONG[other]}`)
        for (const name of ['user', 'role'] as const) {
          const arn = flags[name]
          // Not "*" either, which would be a template for everybody.
          if (arn !== undefined && callerFromArn(arn) === undefined)
            throw new UsageError(`--${name} [${arn}] is the ARN of no user, role or session`)
        }
        for (const range of flags.sourceIp ?? [])
          if (parseIpRange(range) === undefined) throw new UsageError(`--source-ip [${range}] is no address or range`)
        const own = flags.domain !== undefined && flags.user !== undefined ? undefined : await ownDomain(flags.data)
        const domain = flags.domain ?? own?.arn
        const user = flags.user ?? own?.admin
        if (domain === undefined || user === undefined)
          throw new UsageError(`no domain in ${flags.data}: say --domain and --user`)
        const policy = policyFromTemplate(template, {
          userArn: user,
          roleArn: flags.role,
          domainArn: domain,
          sourceIps: flags.sourceIp ?? [],
        })
        const text = JSON.stringify(policy, null, 2)
        // What the name does not promise, such as that POST writes, too.
        for (const { message } of lintPolicy(parsePolicy(text), domain)) process.stderr.write(`note: ${message}\n`)
        process.stdout.write(`${text}\n`)
      },
    )
  command
    .command('check <file>')
    .description('is the policy valid; and would it let a caller do something? exit code 0 yes, 5 no, 2 invalid')
    .option('--caller <arn>', 'who asks: a user, role, session, or anonymous')
    .option('--role-arn <arn>', "a session's role, where it has a path")
    .option('--method <method>', 'of the request (default: GET)')
    .option('--path <path>', 'of the request (default: /)', requestPath)
    .option('--source-ip <address>', 'of the caller (default: 127.0.0.1)')
    .addOption(domainOption())
    .addOption(new Option('--compat <kind>', 'the domain judges so').choices(['chaja', 'aws']).default('chaja'))
    .addOption(dataOption())
    .action(async (file: string, flags: CheckFlags) => {
      process.exitCode = await check(file, flags)
    })
  command
    .command('lint <file>')
    .description('find what a policy probably does not mean: exit code 0 clean, 3 findings, 2 invalid')
    .addOption(domainOption())
    .addOption(dataOption())
    .action(async (file: string, flags: { domain?: string; data: string }) => {
      const policy = validPolicy(await readTextFile(file))
      if (policy === undefined) return
      const findings = lintPolicy(policy, flags.domain ?? (await ownDomain(flags.data))?.arn)
      for (const { path, rule, message } of findings) {
        process.stdout.write(`${path === '' ? '' : `${path}: `}${message} (${rule})\n`)
      }
      if (findings.length > 0) process.exitCode = EXIT.findings
    })
  command
    .command('show')
    .description("print the domain's stored policy")
    .addOption(dataOption())
    .action((flags: { data: string }) =>
      withDataDirectory(flags.data, ({ store }) => {
        new Output({}).text(store.policy ?? '')
      }),
    )
  command
    .command('set <file>')
    .description("store a policy as the domain's; a running domain takes it over")
    .addOption(dataOption())
    .action(async (file: string, flags: { data: string }) => {
      // Once: stdin is empty the second time, and a file may be another.
      const text = await readTextFile(file)
      if (validPolicy(text) === undefined) return undefined
      return withDataDirectory(flags.data, ({ store }) => {
        store.policy = text
      })
    })
  return withExamples(command, [
    'chaja policy new read-only --role arn:aws:iam::000000000000:role/reader > policy.json',
    'chaja policy new ip-based --source-ip 10.0.0.0/8',
    'chaja policy check policy.json --caller anonymous --method GET --path /movies/_search',
    'chaja policy lint policy.json',
    'chaja policy show > policy.json',
    'chaja policy set policy.json',
  ])
}

const LONG = { role: '--role', sourceIp: '--source-ip' } as const

function domainOption(): Option {
  return new Option('--domain <arn>', 'ARN of the domain (default: that of the data directory)').argParser((arn) => {
    if (!/^arn:[^:]+:es:[^:]+:\d*:domain\/[^/]+$/.test(arn))
      throw new InvalidArgumentError('expected arn:aws:es:<region>:<account>:domain/<name>')
    return arn
  })
}

function requestPath(text: string): CanonicalPath {
  if (!text.startsWith('/')) throw new InvalidArgumentError('it begins with /')
  try {
    return canonicalPath(text.split('?')[0] as string)
  } catch (error) {
    throw new InvalidArgumentError((error as Error).message)
  }
}

async function check(file: string, flags: CheckFlags): Promise<number> {
  const policy = validPolicy(await readTextFile(file))
  if (policy === undefined) return EXIT.usage
  if (flags.caller === undefined) {
    if ([flags.method, flags.path, flags.sourceIp, flags.roleArn].some((asked) => asked !== undefined))
      throw new UsageError(
        '--method, --path, --source-ip and --role-arn ask what somebody may do: say --caller (an ARN, or anonymous)',
      )
    const { length } = policy.statements
    process.stdout.write(`valid, ${length} statement${length === 1 ? '' : 's'}\n`)
    return EXIT.done
  }
  const caller = flags.caller === 'anonymous' ? ANONYMOUS : callerFromArn(flags.caller, flags.roleArn)
  if (caller === undefined) throw new UsageError(`[${flags.caller}] is the ARN of no user, role or session`)
  const arn = flags.domain ?? (await ownDomain(flags.data))?.arn
  if (arn === undefined) throw new UsageError(`no domain in ${flags.data}: say --domain`)
  const [, , , region = ''] = arn.split(':')
  const judge = new PolicyJudge(
    {
      domainArn: arn,
      domainName: arn.slice(arn.lastIndexOf('/') + 1),
      region,
      compat: flags.compat,
      wording: '2022',
      explain: true,
      now: Date.now,
    },
    () => ({ resource: policy, identity: [] }),
  )
  const method = (flags.method ?? 'GET').toUpperCase()
  const { sourceIp = '127.0.0.1', path = canonicalPath('/') } = flags
  if (isIP(sourceIp) === 0) throw new UsageError(`--source-ip [${sourceIp}] is no address`)
  const request = { caller, method, sourceIp, secure: true, userAgent: undefined, referer: undefined }
  try {
    judge.judge(request, path.resource)
    if (path.guardedResource !== undefined) judge.judge(request, path.guardedResource)
    process.stdout.write(`allowed: ${judge.explain(request, path.resource).reason}\n`)
    return EXIT.done
  } catch (error) {
    if (!(error instanceof AccessDenial)) throw error
    const { reason, suggestion } = error.fields as { reason: string; suggestion?: string }
    process.stdout.write(`denied: ${reason}\n${suggestion === undefined ? '' : `to allow it: ${suggestion}\n`}`)
    return EXIT.notPermitted
  }
}

/** A valid policy; undefined after saying what is wrong with one that is not. */
function validPolicy(text: string): ReturnType<typeof parsePolicy> | undefined {
  try {
    return parsePolicy(text)
  } catch (error) {
    if (!(error instanceof PolicyError)) throw error
    for (const { path, message } of error.issues) process.stderr.write(`${path === '' ? '' : `${path}: `}${message}\n`)
    process.exitCode = EXIT.usage
    return undefined
  }
}

/** ARNs of the domain in a data directory and of its administrator; undefined when there is none. */
async function ownDomain(data: string): Promise<{ arn: string; admin: string } | undefined> {
  if (!existsSync(join(data, 'access', 'identities.mdb'))) return undefined
  return withDataDirectory(data, ({ domain, identities }) => ({
    arn: domainArn(domain),
    admin: identities.userArn({ name: ADMIN_NAME, path: '/' }),
  }))
}
