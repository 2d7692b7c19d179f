export { luceneRegexp, RegexpAutomaton, type RegexpOptions } from '../../analysis/lucene-regexp.ts'
