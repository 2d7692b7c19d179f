import type { BackendRequest } from '../backend.ts'
import { isAllowed } from '../rest/is-allowed.ts'
import { judgeStored, judgeStoredNames, judgeTried, mayReadOne, mayReadStored } from '../rest/judge-stored.ts'
import type { PathParameters } from '../rest/router.ts'
import type { ClusterState } from './cluster-state.ts'
import { isBeyondNames, resolveNames, streamOfBacking } from './resolve-names.ts'

/** Where a cluster keeps what came of tasks: of everybody's, with the names of their indices and ids of documents. */
const TASK_RESULTS = '.tasks'

/** What the caller of one request may do, asked of the access layer. */
export class CallerRights {
  readonly #request: BackendRequest
  readonly #wholeDomain = new Map<string, boolean>()

  constructor(request: BackendRequest) {
    this.#request = request
  }

  /** Who calls. */
  get caller(): string {
    return this.#request.caller ?? ''
  }

  /** Whether everything is the caller's to do this with; then nothing more is asked. */
  hasDomain(method: string): boolean {
    const known = this.#wholeDomain.get(method)
    if (known !== undefined) return known
    const has = isAllowed(() => this.#request.authorizeDomain(method))
    this.#wholeDomain.set(method, has)
    return has
  }

  /**
   * @param prefix  only what is called so at its beginning
   * @throws {Error} the denial of what only those may do who may do everything
   */
  requireDomain(method?: string, prefix?: string): void {
    this.#request.authorizeDomain(method, prefix)
  }

  /**
   * Judges names that indices are to be reached by, and who is reached by them already: whoever writes to one that is yet to be
   * made, or to these, would write to what gets the name.
   *
   * @param names  of aliases; `{index}` in one stands for the name of the index
   * @throws {Error} a denial
   */
  requireAliases(names: readonly string[], state: ClusterState): void {
    const plain = names.filter((name) => !name.includes('{') && !name.startsWith('<'))
    // None would be all.
    if (plain.length > 0) this.requireMade(plain, state, '_alias', 'PUT')
    for (const name of names) {
      if (name.startsWith('<')) this.requireDomain('PUT')
      else if (name.includes('{')) this.requireDomain('PUT', name.slice(0, name.indexOf('{')))
    }
  }

  /** Judges what is stored by names of its own, as a path names it. @throws {Error} a denial */
  requireStored(endpoint: string, path: PathParameters): void {
    judgeStored(this.#request, endpoint, path)
  }

  /** Judges what a pipeline that is tried out runs. @throws {Error} a denial */
  requireTried(pipeline: unknown): void {
    judgeTried(this.#request, pipeline)
  }

  /** Judges reading one of what is stored in a place. @throws {Error} a denial */
  requireToRead(folder: string, name: string): void {
    judgeStoredNames(this.#request, folder, name, 'GET')
  }

  /** Whether one of what is stored in a place may be read. */
  mayReadOne(folder: string, name: string): boolean {
    return mayReadOne(this.#request, folder, name)
  }

  /** Whether everything may be read that scripts are stored in. */
  get mayReadScripts(): boolean {
    return (
      this.hasDomain('GET') ||
      ['_scripts', '_ingest/pipeline', '_search/pipeline'].every((folder) => this.mayReadStored(folder))
    )
  }

  /** Whether all that is stored in one place may be read. */
  mayReadStored(folder: string): boolean {
    return mayReadStored(this.#request, folder)
  }

  /** Judges all names that fit a pattern, as the names of indices to be made. @throws {Error} a denial */
  requirePattern(pattern: string): void {
    const wildcard = pattern.indexOf('*')
    if (wildcard >= 0) this.requireDomain('PUT', pattern.slice(0, wildcard))
    else this.#request.authorize([pattern], '', 'PUT')
  }

  /** Judges names of what is to be made, or written to: what they stand for, and as they are written. @throws {Error} a denial */
  requireMade(names: readonly string[], state: ClusterState, api: string, method?: string): void {
    this.require(names, state, api, method)
    this.requireIndices(names, api, method)
  }

  /**
   * Judges everything that names, aliases and patterns stand for, and plain names themselves, should nothing be called so yet.
   *
   * @throws {Error} a denial
   */
  require(expressions: readonly string[], state: ClusterState, api: string, method?: string): void {
    const plain = expressions.filter(isPlain)
    this.#request.authorize([...plain, ...this.#reached(expressions, state, method)], api, method)
  }

  /** The same where names lead to indices only, so that an alias need not be allowed beside what is behind it. @throws {Error} a denial */
  requireBehind(expressions: readonly string[], state: ClusterState, api: string): void {
    const plain = expressions.filter((name) => isPlain(name) && !state.groups.has(name))
    this.#request.authorize([...plain, ...this.#reached(expressions, state)], api)
  }

  /** What expressions reach, and may. */
  #reached(expressions: readonly string[], state: ClusterState, method?: string): ReadonlySet<string> {
    // What only the cluster can resolve, or what is another cluster's, cannot be judged by name.
    if (expressions.some(isBeyondNames)) this.requireDomain(method)
    // An index that would stand behind a data stream is judged with it, there or not.
    const streams = expressions.filter(isPlain).flatMap((name) => streamOfBacking(name) ?? [])
    const reached = new Set([...streams, ...resolveNames(expressions, state)])
    if (reached.has(TASK_RESULTS) || expressions.includes(TASK_RESULTS)) this.requireDomain(method)
    return reached
  }

  /** Judges indices by their own names, whatever leads to them. @throws {Error} a denial */
  requireIndices(names: readonly string[], api: string, method?: string): void {
    this.#request.authorize(names, api, method)
  }
}

function isPlain(name: string): boolean {
  return name !== '' && name !== '_all' && !/^[-+]|\*/.test(name)
}
