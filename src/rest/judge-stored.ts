import type { BackendRequest } from '../backend.ts'
import { ServiceError } from '../errors.ts'
import { namesRun } from './ingest/redirecting-pipeline.ts'
import { isAllowed } from './is-allowed.ts'
import type { PathParameters } from './router.ts'

/*
 * Templates, pipelines, scripts, repositories and snapshots are stored by names of their own, and a policy speaks of each by the path that it
 * is read at. A pattern, or another endpoint that tells of them, must show and remove nothing more than that path would.
 */

/** What is asked whether a caller may. */
export type Rights = Pick<BackendRequest, 'authorize' | 'authorizeDomain'>

/** Endpoints that take patterns of such names: the parameter, without which they are all meant, and where each is read. */
const STORED: Readonly<Record<string, readonly [parameter: string, ...folders: string[]]>> = {
  'cat.repositories': ['repository', '_snapshot'],
  'cat.templates': ['name', '_template', '_index_template'],
  'cluster.delete_component_template': ['name', '_component_template'],
  'cluster.exists_component_template': ['name', '_component_template'],
  'cluster.get_component_template': ['name', '_component_template'],
  'indices.delete_index_template': ['name', '_index_template'],
  'indices.delete_template': ['name', '_template'],
  'indices.exists_index_template': ['name', '_index_template'],
  'indices.exists_template': ['name', '_template'],
  'indices.get_index_template': ['name', '_index_template'],
  'indices.get_template': ['name', '_template'],
  'ingest.delete_pipeline': ['id', '_ingest/pipeline'],
  'ingest.get_pipeline': ['id', '_ingest/pipeline'],
  'search_pipeline.delete': ['id', '_search/pipeline'],
  'search_pipeline.get': ['id', '_search/pipeline'],
  'snapshot.delete_repository': ['repository', '_snapshot'],
  'snapshot.get_repository': ['repository', '_snapshot'],
}

/** Those that take patterns of snapshots, or mean all of them. */
const OF_SNAPSHOTS = new Set(['cat.snapshots', 'snapshot.delete', 'snapshot.get', 'snapshot.status'])

/** Judges all that a request's path names or leaves open. @throws {Error} the access layer's denial */
export function judgeStored(rights: Rights, endpoint: string, path: PathParameters): void {
  if (OF_SNAPSHOTS.has(endpoint)) {
    for (const repository of path['repository']?.split(',') ?? ['*']) {
      const isPattern = repository.includes('*') || repository === '_all'
      if (isPattern) judgeStoredNames(rights, '_snapshot', repository)
      else judgeStoredNames(rights, `_snapshot/${repository}`, path['snapshot'])
    }
  }
  const [parameter, ...folders] = STORED[endpoint] ?? []
  if (parameter === undefined) return
  for (const folder of folders) judgeStoredNames(rights, folder, path[parameter])
}

/**
 * Judges what is stored in one place.
 *
 * @param names   with patterns, by commas; absent: all
 * @param method  the method it amounts to; the request's own when absent
 * @throws {Error} the access layer's denial
 */
export function judgeStoredNames(rights: Rights, folder: string, names: string | undefined, method?: string): void {
  for (const name of names?.split(',') ?? ['*']) {
    const wildcard = name === '_all' ? 0 : name.indexOf('*')
    if (wildcard < 0) rights.authorize([`${folder}/${name}`], '', method)
    else rights.authorizeDomain(method, `${folder}/${name.slice(0, wildcard)}`)
  }
}

/**
 * Judges what a pipeline that is tried out runs by name, as reading that would be: what comes of it tells what it does.
 *
 * @throws {Error} the access layer's denial
 */
export function judgeTried(rights: Rights, definition: unknown): void {
  for (const name of namesRun(definition, 'name')) judgePossible(rights, '_ingest/pipeline', name)
  for (const id of namesRun(definition, 'id')) judgePossible(rights, '_scripts', id)
}

/** A name, or what a template may make of it. */
function judgePossible(rights: Rights, folder: string, name: string): void {
  const template = name.indexOf('{{')
  if (template < 0) rights.authorize([`${folder}/${name}`], '', 'GET')
  else rights.authorizeDomain('GET', `${folder}/${name.slice(0, template)}`)
}

/** Whether a caller may read one of what is stored in one place. */
export function mayReadOne(rights: Rights, folder: string, name: string): boolean {
  return (
    // Asked first: a search thread, which cannot go on after a refusal, leaves this to the first one.
    isAllowed(() => rights.authorizeDomain('GET', `${folder}/${name}`)) ||
    isAllowed(() => rights.authorize([`${folder}/${name}`], '', 'GET'))
  )
}

/** What is stored by a name, and where it is read. */
export interface StoredPart {
  readonly folder: string
  readonly name: string
}

/** Faults of what is not there and of what is too much: they quote nothing that is stored. */
export const QUOTELESS: ReadonlySet<number> = new Set([404, 429, 503])

/**
 * What is wrong with a search that is made of what is stored quotes it: that is for who may read it.
 *
 * @returns the fault
 * @throws {Error} the access layer's denial
 */
export function judgeFault(rights: Rights, parts: readonly StoredPart[], fault: unknown): unknown {
  if (fault instanceof ServiceError && !QUOTELESS.has(fault.status))
    for (const { folder, name } of parts) judgeStoredNames(rights, folder, name, 'GET')
  return fault
}

/**
 * The fault of an index that others' hits are answered without, as it may be told: its kind alone to who may not read what the
 * search is made of.
 */
export function partialFault(rights: Rights, parts: readonly StoredPart[], fault: ServiceError): ServiceError {
  const hidden = parts.find(({ folder, name }) => !mayReadOne(rights, folder, name))
  if (hidden === undefined) return fault
  const { index, indexUuid } = fault.detail
  return new ServiceError(fault.type, untoldReason(hidden), {
    ...(index === undefined ? {} : { index }),
    ...(indexUuid === undefined ? {} : { indexUuid }),
  })
}

/** What is told instead of what is wrong. */
export function untoldReason({ folder, name }: StoredPart): string {
  return `what is wrong is told to who may read [${folder}/${name}]`
}

/** Whether a caller may read a pipeline, and what it runs. */
export function mayReadPipeline(rights: Rights, id: string, definition: unknown): boolean {
  return mayReadOne(rights, '_ingest/pipeline', id) && isAllowed(() => judgeTried(rights, definition))
}

/** Whether a caller may read all that is stored in one place. */
export function mayReadStored(rights: Rights, folder: string): boolean {
  return isAllowed(() => judgeStoredNames(rights, folder, undefined, 'GET'))
}
