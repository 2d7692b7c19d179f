import type { BackendResponse } from '../backend.ts'
import type { StoredPart } from '../rest/judge-stored.ts'
import type { Route } from '../rest/router.ts'
import type { CallerRights } from './caller-rights.ts'
import type { ClusterCall } from './cluster-call.ts'
import type { ClusterClient } from './cluster-client.ts'
import type { ClusterState } from './cluster-state.ts'
import type { ClusterTemplate } from './cluster-templates.ts'
import type { ContextOwners } from './context-owners.ts'
import type { StoredQueries } from './stored-queries.ts'

/** What judging needs besides the call. */
export interface JudgeContext {
  readonly rights: CallerRights
  /** The cluster's state, asked for only where rights are not for everything. */
  readonly state: () => Promise<ClusterState>
  /** Templates as they are now. */
  readonly templates: () => Promise<readonly ClusterTemplate[]>
  readonly contexts: ContextOwners
  readonly storedQueries: StoredQueries
  readonly client: ClusterClient
  /** Whether paths may name types. */
  readonly takesTypes: boolean
}

/** A call that was let through. */
export interface JudgedCall {
  /** What was judged: lines and sources are put anew, so that the cluster reads them as they were read here. */
  readonly call: ClusterCall
  /** The same in the words it is sent in, where a cluster of the dialect's own kind answers these otherwise. */
  readonly sent?: ClusterCall
  /** Set where the cluster has answered already. */
  readonly answer?: BackendResponse
  /** Set where the answer names a scroll or point in time to be remembered: the indices it goes over. */
  readonly contextOver?: readonly string[]
  /** Set where warnings may tell what the caller may not be told. */
  readonly hidesWarnings?: boolean
  /** What is stored that it is made of and that the caller may not read. */
  readonly madeOf?: readonly StoredPart[]
  /** Set where it became a call to another endpoint. */
  readonly route?: Route
}

/** A call to an endpoint that is known. */
export type Found = Extract<Route, { kind: 'found' }>
