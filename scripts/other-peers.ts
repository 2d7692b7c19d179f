/**
 * Real servers of other versions, for `test/transfer/versions.test.ts`: fetched from Maven Central in their smallest
 * distribution (the server and its HTTP transport), run on loopback until this script is told to stop.
 *
 *   npx tsx scripts/other-peers.ts [NAME …]     prints CHAJA_TRANSFER_SERVERS=… once all answer; Ctrl-C stops them
 *
 * Names: elasticsearch-7.10, elasticsearch-7.17, elasticsearch-8.17, opensearch-1.3, opensearch-3.3 (which needs a JDK of 21
 * or later). Each takes 0.5 GiB of heap.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { chownSync, cpSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { peersDir } from './peers.ts'

interface OtherPeer {
  readonly product: 'elasticsearch' | 'opensearch'
  readonly version: string
  readonly java: 17 | 21
  readonly settings: readonly string[]
  /** Flags in place of the distribution's, where those are for older JVMs. */
  readonly flags?: readonly string[]
}

const NO_SECCOMP = 'bootstrap.system_call_filter: false'
const NO_SECURITY = 'xpack.security.enabled: false'

const OTHER_PEERS: Readonly<Record<string, OtherPeer>> = {
  'elasticsearch-7.10': {
    product: 'elasticsearch',
    version: '7.10.2',
    java: 17,
    settings: [NO_SECCOMP],
    flags: [
      '-XX:+UseG1GC',
      '-Djava.security.manager=allow',
      ...['java.lang', 'java.util', 'java.nio'].map((p) => `--add-opens=java.base/${p}=ALL-UNNAMED`),
      '-Dfile.encoding=UTF-8',
      '-Dlog4j2.disable.jmx=true',
    ],
  },
  'elasticsearch-7.17': {
    product: 'elasticsearch',
    version: '7.17.28',
    java: 17,
    settings: [NO_SECCOMP, NO_SECURITY],
  },
  'elasticsearch-8.17': {
    product: 'elasticsearch',
    version: '8.17.4',
    java: 17,
    settings: [NO_SECURITY, 'xpack.security.enrollment.enabled: false'],
  },
  'opensearch-1.3': { product: 'opensearch', version: '1.3.20', java: 17, settings: [] },
  'opensearch-3.3': { product: 'opensearch', version: '3.3.0', java: 21, settings: [] },
}

/** Downloads and unpacks a server unless that was done before; answers its folder. */
function fetchOther({ product, version }: OtherPeer): string {
  const home = join(peersDir, `${product}-${version}`)
  if (existsSync(join(home, 'bin'))) return home
  mkdirSync(peersDir, { recursive: true })
  const artifact = `org.${product}.distribution.integ-test-zip:${product}:${version}:zip`
  execFileSync('mvn', ['-q', 'dependency:copy', `-Dartifact=${artifact}`, `-DoutputDirectory=${peersDir}`], {
    stdio: 'inherit',
  })
  const zip = join(peersDir, `${product}-${version}.zip`)
  execFileSync('unzip', ['-q', zip, '-d', peersDir])
  rmSync(zip)
  return home
}

/** Starts a server. */
async function startOther(peer: OtherPeer): Promise<{ readonly url: string; readonly child: ChildProcess }> {
  const home = fetchOther(peer)
  const [port, transport] = [await freePort(), await freePort()]
  const [conf, data] = [join(home, `config-${port}`), join(home, `data-${port}`)]
  cpSync(join(home, 'config'), conf, { recursive: true })
  mkdirSync(join(data, 'logs'), { recursive: true })
  const heap = ['-Xms512m', '-Xmx512m']
  if (peer.flags !== undefined) writeFileSync(join(conf, 'jvm.options'), [...heap, ...peer.flags, ''].join('\n'))
  else {
    mkdirSync(join(conf, 'jvm.options.d'), { recursive: true })
    writeFileSync(join(conf, 'jvm.options.d', 'heap.options'), [...heap, ''].join('\n'))
  }
  const settings = [
    `http.port: ${port}`,
    `transport.port: ${transport}`,
    'network.host: 127.0.0.1',
    'discovery.type: single-node',
    `path.data: ${data}`,
    `path.logs: ${join(data, 'logs')}`,
    'cluster.routing.allocation.disk.threshold_enabled: false',
    ...peer.settings,
  ]
  writeFileSync(join(conf, `${peer.product}.yml`), `${settings.join('\n')}\n`)
  const javaHome = findJava(peer.java)
  const prefix = peer.product === 'elasticsearch' ? 'ES' : 'OPENSEARCH'
  const child = spawn(join(home, 'bin', peer.product), [], {
    cwd: home,
    stdio: 'ignore',
    detached: true,
    env: { ...process.env, JAVA_HOME: javaHome, [`${prefix}_JAVA_HOME`]: javaHome, [`${prefix}_PATH_CONF`]: conf },
    ...unprivileged(home),
  })
  child.once('exit', () => {
    for (const folder of [conf, data]) rmSync(folder, { recursive: true, force: true })
  })
  return { url: `http://127.0.0.1:${port}`, child }
}

/** A JDK of at least a version, among those that are installed. */
function findJava(version: number): string {
  const folder = '/usr/lib/jvm'
  const named = process.env[`JAVA_${version}_HOME`]
  if (named !== undefined) return named
  const found = readdirSync(folder)
    .map((name) => ({ path: join(folder, name), version: Number(/(\d+)/.exec(name)?.[1]) }))
    .filter((jdk) => jdk.version >= version && existsSync(join(jdk.path, 'bin', 'java')))
    .sort((a, b) => a.version - b.version)
  if (found[0] === undefined)
    throw new Error(`no JDK ${version} or later in ${folder}: name one by JAVA_${version}_HOME`)
  return found[0].path
}

/** The servers refuse to run as root: `nobody` runs them there. */
function unprivileged(home: string): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {}
  const nobody = 65534
  chownSync(home, nobody, nobody)
  for (const entry of readdirSync(home, { withFileTypes: true, recursive: true }))
    chownSync(join(entry.parentPath, entry.name), nobody, nobody)
  return { uid: nobody, gid: nobody }
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0))
    })
  })
}

async function answers({ url, child }: { readonly url: string; readonly child: ChildProcess }): Promise<void> {
  for (const deadline = Date.now() + 300_000; Date.now() < deadline; ) {
    if (child.exitCode !== null) throw new Error(`the server for ${url} exited with ${child.exitCode}`)
    // Elasticsearch 8 leaves `GET /` to a module that this distribution does not have.
    const ok = await fetch(`${url}/_cluster/health`).then(
      (response) => response.ok,
      () => false,
    )
    if (ok) return
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
  throw new Error(`no answer at ${url} within five minutes`)
}

const names = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(OTHER_PEERS)
const started: { readonly url: string; readonly child: ChildProcess }[] = []
const stop = () => {
  for (const { child } of started) if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid)
}
process.once('SIGINT', stop).once('SIGTERM', stop)
try {
  for (const name of names) {
    const peer = OTHER_PEERS[name]
    if (peer === undefined) throw new Error(`[${name}] is none of ${Object.keys(OTHER_PEERS).join(', ')}`)
    started.push(await startOther(peer))
  }
  await Promise.all(started.map(answers))
  console.log(`CHAJA_TRANSFER_SERVERS=${started.map(({ url }) => url).join(',')}`)
} catch (error) {
  stop()
  throw error
}
