/**
 * Gives a real server the modules that its smallest distribution lacks (analysis, processors, Painless, joins …), so that it
 * is what people run:
 *
 *   npx tsx scripts/peer-modules.ts opensearch-2.19.3|elasticsearch-7.10.2
 *
 * makes `.peers/NAME-modules` of `.peers/NAME`. OpenSearch publishes its modules on Maven Central under `org.opensearch.plugin`,
 * Elasticsearch 7.10's are there under `org.codelibs.elasticsearch.module`. Their jars lack what the server asks for beside them:
 * a descriptor, and the permissions, which are taken from Elasticsearch 6.8.23's modules of the same names.
 */
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fetchPeer, peersDir } from './peers.ts'

interface Distribution {
  readonly product: 'elasticsearch' | 'opensearch'
  readonly version: string
  readonly group: string
  /** The module's name, and the artifact that holds it: `artifact[:version]`, where it is not the name and the server's version. */
  readonly modules: Readonly<Record<string, string>>
}

const OPENSEARCH: Distribution = {
  product: 'opensearch',
  version: '2.19.3',
  group: 'org.opensearch.plugin',
  modules: {
    'aggs-matrix-stats': 'aggs-matrix-stats-client',
    'analysis-common': 'analysis-common',
    geo: 'geo:2.19.2',
    'ingest-common': 'ingest-common',
    'ingest-user-agent': 'ingest-user-agent:2.19.2',
    'lang-expression': 'lang-expression:2.19.2',
    'lang-mustache': 'lang-mustache-client',
    'lang-painless': 'lang-painless',
    'mapper-extras': 'mapper-extras-client',
    'parent-join': 'parent-join-client',
    percolator: 'percolator-client',
    'rank-eval': 'rank-eval-client',
    reindex: 'reindex-client',
    'repository-url': 'repository-url:2.19.2',
    'search-pipeline-common': 'search-pipeline-common:2.19.2',
  },
}

const ELASTICSEARCH: Distribution = {
  product: 'elasticsearch',
  version: '7.10.2',
  group: 'org.codelibs.elasticsearch.module',
  modules: Object.fromEntries(
    [
      'aggs-matrix-stats',
      'analysis-common',
      'ingest-common',
      'ingest-user-agent',
      'lang-expression',
      'lang-mustache',
      'lang-painless',
      'mapper-extras',
      'parent-join',
      'percolator',
      'rank-eval',
      'reindex',
    ].map((name) => [name, name]),
  ),
}

/** Modules that add to Painless by its interface for that. */
const EXTEND_PAINLESS = new Set(['analysis-common', 'ingest-common', 'parent-join'])

const name = process.argv[2]
const distribution = [OPENSEARCH, ELASTICSEARCH].find((d) => `${d.product}-${d.version}` === name)
if (distribution === undefined) throw new Error('which one: opensearch-2.19.3 or elasticsearch-7.10.2')
const bare = join(peersDir, `${distribution.product}-${distribution.version}`)
if (!existsSync(bare)) throw new Error(`${bare} is not there: fetch it with scripts/peers.ts or scripts/other-peers.ts`)
const home = `${bare}-modules`
const permissions = join(fetchPeer('elasticsearch'), 'modules')
rmSync(home, { recursive: true, force: true })
cpSync(bare, home, { recursive: true, filter: (path) => !/\/(data|config)-\d+$/.test(path) })
for (const [module, artifact] of Object.entries(distribution.modules)) addModule(distribution, module, artifact)
console.log(home)

function addModule({ product, version, group }: Distribution, module: string, source: string): void {
  const folder = join(home, 'modules', module)
  const [artifact, artifactVersion = version] = source.split(':')
  copyJars(folder, group, artifact as string, artifactVersion)
  const jar = join(folder, `${artifact}-${artifactVersion}.jar`)
  const plugin = /^(?:.*\s)?(org\/[\w/]+Plugin)\.class$/m.exec(execFileSync('unzip', ['-l', jar], { encoding: 'utf8' }))
  if (plugin === null) throw new Error(`${jar} has no plugin`)
  const descriptor = {
    name: module,
    description: module,
    version,
    [`${product}.version`]: version,
    'java.version': '1.8',
    classname: (plugin[1] as string).replaceAll('/', '.'),
    'extended.plugins': EXTEND_PAINLESS.has(module) ? 'lang-painless' : '',
    'has.native.controller': 'false',
  }
  writeFileSync(
    join(folder, 'plugin-descriptor.properties'),
    Object.entries(descriptor)
      .map(([key, value]) => `${key}=${value}\n`)
      .join(''),
  )
  const policy = join(permissions, module, 'plugin-security.policy')
  if (existsSync(policy))
    writeFileSync(
      join(folder, 'plugin-security.policy'),
      readFileSync(policy, 'utf8').replaceAll('elasticsearch', product),
    )
}

/** The module's jar and what it needs beyond what the server has in `lib/`. */
function copyJars(folder: string, group: string, artifact: string, version: string): void {
  mkdirSync(folder, { recursive: true })
  const pom = join(folder, 'pom.xml')
  writeFileSync(
    pom,
    `<project><modelVersion>4.0.0</modelVersion><groupId>peer</groupId><artifactId>modules</artifactId><version>1</version>
<dependencies><dependency><groupId>${group}</groupId><artifactId>${artifact}</artifactId><version>${version}</version></dependency></dependencies></project>`,
  )
  execFileSync('mvn', ['-q', '-f', pom, 'dependency:copy-dependencies', `-DoutputDirectory=${folder}`], {
    stdio: 'inherit',
  })
  rmSync(pom)
  const nameOf = (jar: string): string => jar.replace(/-\d.*$/, '')
  const there = new Set(readdirSync(join(home, 'lib')).map(nameOf))
  for (const jar of readdirSync(folder)) if (there.has(nameOf(jar))) rmSync(join(folder, jar))
}
