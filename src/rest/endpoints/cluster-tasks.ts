import type { EndpointHandler } from '../endpoint-handler.ts'

/** `GET /_cluster/pending_tasks`: changes of the state are made at once. */
export const clusterPendingTasks: EndpointHandler = () => ({ status: 200, json: { tasks: [] } })
