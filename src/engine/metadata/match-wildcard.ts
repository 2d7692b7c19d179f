export { matchWildcard } from '../mapping/match-wildcard.ts'
