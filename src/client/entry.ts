/** What both of the client's entry points have, index.ts and browser.ts; each adds the `Client` of its surroundings. */
export type { BulkItem, BulkOperation, BulkOptions, BulkOutcome, BulkSummary, BulkTarget } from './bulk.ts'
export { ClientError, type ClientErrorKind } from './client-error.ts'
export { type CredentialProvider, type Credentials, cachedCredentials } from './credentials.ts'
export {
  type Answer,
  type DocumentOptions,
  DomainClient,
  type Hit,
  type RequestOptions,
  type SearchAnswer,
  type SearchBody,
  type StoredDocument,
  totalHits,
  type WriteAnswer,
  type WriteOptions,
} from './domain-client.ts'
