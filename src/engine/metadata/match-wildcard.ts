export { matchWildcard } from '../mapping/wildcard.ts'
