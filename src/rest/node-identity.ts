import type { RestContext } from './endpoint-handler.ts'
import type { Json } from './json/json-writer.ts'

/** A node's name, as the real server makes it when none is configured: the first seven characters of its id. */
export function nodeName(nodeId: string): string {
  return nodeId.slice(0, 7)
}

/** The node's attributes: none but what a fresh server of its version has. */
export function nodeAttributes({ engine }: RestContext): { readonly [name: string]: string } {
  return engine.version === 'OpenSearch_2.19' ? { shard_indexing_pressure_enabled: 'true' } : {}
}

/** As answers about nodes show them: where there are any. */
export function attributesJson(context: RestContext): { readonly [name: string]: Json } {
  const attributes = nodeAttributes(context)
  return Object.keys(attributes).length === 0 ? {} : { attributes }
}

/** The node as routing and shard answers show it. */
export function renderDiscoveryNode(context: RestContext): { readonly [name: string]: Json } {
  return {
    name: nodeName(context.engine.nodeId),
    ephemeral_id: context.ephemeralId,
    transport_address: context.publishAddress(),
    attributes: nodeAttributes(context),
  }
}

/** Host part of the address clients reach the node at. */
export function nodeHost(context: RestContext): string {
  return context.publishAddress().replace(/:\d+$/, '') || '127.0.0.1'
}
