import type { Explanation } from '../../engine/search/lucene/explanation.ts'
import { JavaDouble, JavaFloat, type Json } from '../json/json-writer.ts'

/** An explanation as answers show it. */
export function renderExplanation(explanation: Explanation): Json {
  const { value, integer, double, description, details } = explanation
  const shown = integer ? value : double ? new JavaDouble(value) : new JavaFloat(value)
  return { value: shown, description, details: details.map(renderExplanation) }
}
