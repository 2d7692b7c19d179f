import type { Explanation } from '../../engine/search/lucene/explanation.ts'
import { JavaFloat, type Json } from '../json/json-writer.ts'

/** An explanation as answers show it. */
export function renderExplanation(explanation: Explanation): Json {
  const { value, integer, description, details } = explanation
  return { value: integer ? value : new JavaFloat(value), description, details: details.map(renderExplanation) }
}
