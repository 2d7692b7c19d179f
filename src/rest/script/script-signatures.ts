/*
 * What scripts find in each of their places, by the real servers' own list (`GET /_script_context`): first what runs them, then
 * what gives them something. `server` stands for the package of the server's classes.
 */

const PARAMS = 'Map getParams()'
const DOC = 'Map getDoc()'
const SCORE = 'double get_score()'

/** Signatures of the methods of each place, in order. */
export const SCRIPT_SIGNATURES: Readonly<Record<string, readonly string[]>> = {
  aggregation_selector: ['boolean execute()', PARAMS],
  aggs: ['Object execute()', DOC, PARAMS, 'Number get_score()', 'Object get_value()'],
  aggs_combine: ['Object execute()', PARAMS, 'Map getState()'],
  aggs_init: ['void execute()', PARAMS, 'Object getState()'],
  aggs_map: ['void execute()', DOC, PARAMS, 'Map getState()', SCORE],
  aggs_reduce: ['Object execute()', PARAMS, 'List getStates()'],
  analysis: ['boolean execute(server.analysis.common.AnalysisPredicateScript$Token token)'],
  bucket_aggregation: ['Number execute()', PARAMS],
  derived_field: ['void execute()', DOC, 'List getEmittedValues()', PARAMS],
  field: ['Object execute()', DOC, PARAMS],
  filter: ['boolean execute()', DOC, PARAMS],
  ingest: ['void execute(Map ctx)', PARAMS],
  interval: ['boolean execute(server.index.query.IntervalFilterScript$Interval interval)'],
  'moving-function': ['double execute(Map params, double[] values)'],
  number_sort: ['double execute()', DOC, PARAMS, SCORE],
  painless_test: ['Object execute()', PARAMS],
  processor_conditional: ['boolean execute(Map ctx)', PARAMS],
  score: ['double execute(server.script.ScoreScript$ExplanationHolder explanation)', DOC, PARAMS, SCORE],
  script_heuristic: ['double execute(Map params)'],
  search: ['void execute(Map ctx)', PARAMS],
  similarity: [
    'double execute(double weight, server.index.similarity.ScriptedSimilarity$Query query, server.index.similarity.ScriptedSimilarity$Field field, server.index.similarity.ScriptedSimilarity$Term term, server.index.similarity.ScriptedSimilarity$Doc doc)',
  ],
  similarity_weight: [
    'double execute(server.index.similarity.ScriptedSimilarity$Query query, server.index.similarity.ScriptedSimilarity$Field field, server.index.similarity.ScriptedSimilarity$Term term)',
  ],
  string_sort: ['String execute()', DOC, PARAMS, SCORE],
  template: ['String execute()', PARAMS],
  terms_set: ['Number execute()', DOC, PARAMS],
  update: ['void execute()', 'Map getCtx()', PARAMS],
}

/** Places that OpenSearch alone has. */
export const LATEST_CONTEXTS: ReadonlySet<string> = new Set(['derived_field', 'search'])
