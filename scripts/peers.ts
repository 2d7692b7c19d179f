import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { appendFileSync, chownSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** A real server to compare with: fetched from Maven Central, run on loopback, stopped by its own pid. */
export interface Peer {
  readonly url: string
  readonly pid: number
  readonly dataDir: string
  stop(): Promise<void>
}

export type PeerName = 'elasticsearch' | 'opensearch'

const ARTIFACTS: Record<PeerName, { readonly artifact: string; readonly zip: string; readonly folder: string }> = {
  elasticsearch: {
    artifact: 'org.elasticsearch.distribution.zip:elasticsearch:6.8.23:zip',
    zip: 'elasticsearch-6.8.23.zip',
    folder: 'elasticsearch-6.8.23',
  },
  opensearch: {
    artifact: 'org.opensearch.distribution.integ-test-zip:opensearch:2.19.3:zip',
    zip: 'opensearch-2.19.3.zip',
    folder: 'opensearch-2.19.3',
  },
}

export const root = join(dirname(fileURLToPath(import.meta.url)), '..')
/** Git-ignored folder that holds what is downloaded. */
export const peersDir = process.env['CHAJA_PEERS'] ?? join(root, '.peers')

/**
 * Fetches (once) and starts a real server; needs Maven, a JDK 17 and, when run as root, a user to drop to.
 *
 * @param heap  e.g. `2g`
 * @param home  a prepared copy to start instead of the one that is fetched
 * @returns     once the server answers
 */
export async function startPeer(
  name: PeerName,
  options: { readonly port: number; readonly heap?: string; readonly home?: string },
): Promise<Peer> {
  const home = options.home ?? fetchPeer(name)
  const heap = options.heap ?? '2g'
  const dataDir = join(home, `data-${options.port}`)
  const conf = join(home, `config-${options.port}`)
  rmSync(dataDir, { recursive: true, force: true })
  rmSync(conf, { recursive: true, force: true })
  execFileSync('cp', ['-r', join(home, 'config'), conf])
  const common = [
    `http.port: ${options.port}`,
    'network.host: 127.0.0.1',
    'discovery.type: single-node',
    'node.attr.testattr: test',
    `path.data: ${dataDir}`,
    `path.logs: ${join(dataDir, 'logs')}`,
    `path.repo: ${join(dataDir, 'repo')}`,
    'cluster.routing.allocation.disk.threshold_enabled: false',
  ]
  if (name === 'elasticsearch') {
    // 6.8.23 ships flags for older JVMs; these are what Java 17 takes.
    writeFileSync(
      join(conf, 'jvm.options'),
      [
        `-Xms${heap}`,
        `-Xmx${heap}`,
        '-XX:+UseG1GC',
        '-Djava.security.manager=allow',
        ...['java.lang', 'java.util', 'java.nio'].map((p) => `--add-opens=java.base/${p}=ALL-UNNAMED`),
        '-Dfile.encoding=UTF-8',
        '-Dlog4j2.disable.jmx=true',
        '',
      ].join('\n'),
    )
    common.push(
      `transport.tcp.port: ${options.port + 100}`,
      'xpack.security.enabled: false',
      'xpack.ml.enabled: false',
      'bootstrap.system_call_filter: false',
    )
  } else {
    mkdirSync(join(conf, 'jvm.options.d'), { recursive: true })
    writeFileSync(join(conf, 'jvm.options.d', 'heap.options'), `-Xms${heap}\n-Xmx${heap}\n`)
    common.push(`transport.port: ${options.port + 100}`)
  }
  appendFileSync(join(conf, `${name}.yml`), `\n${common.join('\n')}\n`)
  mkdirSync(dataDir, { recursive: true })

  const javaHome = dirname(
    dirname(
      execFileSync('readlink', ['-f', execFileSync('which', ['java'], { encoding: 'utf8' }).trim()], {
        encoding: 'utf8',
      }).trim(),
    ),
  )
  const prefix = name === 'elasticsearch' ? 'ES' : 'OPENSEARCH'
  const child = spawn(join(home, 'bin', name), [], {
    cwd: home,
    stdio: 'ignore',
    detached: true,
    env: { ...process.env, JAVA_HOME: javaHome, [`${prefix}_PATH_CONF`]: conf, [`${prefix}_JAVA_HOME`]: javaHome },
    ...unprivileged(home),
  })
  const url = `http://127.0.0.1:${options.port}`
  await answers(url, child)
  return { url, pid: child.pid as number, dataDir, stop: () => stop(child) }
}

/** Downloads and unpacks a peer unless that was done before; answers its folder. */
export function fetchPeer(name: PeerName): string {
  const { artifact, zip, folder } = ARTIFACTS[name]
  const home = join(peersDir, folder)
  if (existsSync(join(home, 'bin'))) return home
  mkdirSync(peersDir, { recursive: true })
  execFileSync('mvn', ['-q', 'dependency:copy', `-Dartifact=${artifact}`, `-DoutputDirectory=${peersDir}`], {
    stdio: 'inherit',
  })
  execFileSync('unzip', ['-q', join(peersDir, zip), '-d', peersDir])
  return home
}

/** The servers refuse to run as root: drop to `nobody` there. */
function unprivileged(home: string): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {}
  const nobody = 65534
  chownTree(home, nobody)
  return { uid: nobody, gid: nobody }
}

function chownTree(path: string, id: number): void {
  chownSync(path, id, id)
  for (const entry of readdirSync(path, { withFileTypes: true, recursive: true })) {
    chownSync(join(entry.parentPath, entry.name), id, id)
  }
}

async function answers(url: string, child: ChildProcess): Promise<void> {
  const deadline = Date.now() + 120_000
  while (Date.now() < deadline) {
    if (child.exitCode !== null) throw new Error(`the peer exited with ${child.exitCode} before it answered`)
    const ok = await fetch(url)
      .then((r) => r.ok)
      .catch(() => false)
    if (ok) return
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
  throw new Error(`the peer did not answer at ${url} within two minutes`)
}

function stop(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.pid === undefined) return resolve()
    child.once('exit', () => resolve())
    process.kill(-child.pid, 'SIGTERM')
  })
}
