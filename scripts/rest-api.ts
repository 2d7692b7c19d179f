/**
 * Writes src/rest/rest-api.ts: paths, methods and parameters of every endpoint, from the API specifications of the
 * conformance suite (Elasticsearch 7.10.2 rest-api-spec, Apache-2.0).
 *
 *   npx tsx scripts/rest-api.ts
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sharedDir } from './shared-tool.ts'

interface Specification {
  readonly [name: string]: {
    readonly url: { readonly paths: readonly { readonly path: string; readonly methods: readonly string[] }[] }
    readonly params?: Readonly<Record<string, unknown>>
    readonly body?: unknown
  }
}

const folder = join(sharedDir, 'conformance', 'api')
const lines: string[] = []
for (const file of readdirSync(folder).sort()) {
  if (file.startsWith('_')) continue
  const [name, spec] = Object.entries(JSON.parse(readFileSync(join(folder, file), 'utf8')) as Specification)[0] as [
    string,
    Specification[string],
  ]
  const paths = spec.url.paths.map((p) => `[${[p.path, ...p.methods].map((t) => `'${t}'`).join(', ')}]`)
  const parameters = Object.keys(spec.params ?? {})
  lines.push(`  '${name}': {\n    paths: [${paths.join(', ')}],\n    parameters: '${parameters.join(' ')}',\n  },`)
}
writeFileSync(
  join(import.meta.dirname, '..', 'src', 'rest', 'rest-api.ts'),
  `// Written by scripts/rest-api.ts from the Elasticsearch 7.10.2 rest-api-spec (Apache-2.0); do not edit.
/** An endpoint of the specification: its paths, each with its methods, and its query parameters. */
export interface EndpointSpecification {
  readonly paths: readonly (readonly [path: string, ...methods: string[]])[]
  /** Names joined by blanks. */
  readonly parameters: string
}

/** Every endpoint by the specification's name. */
export const REST_API: Readonly<Record<string, EndpointSpecification>> = {
${lines.join('\n')}
}
`,
)
