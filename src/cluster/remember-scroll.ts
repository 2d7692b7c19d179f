import type { BackendResponse } from '../backend.ts'
import { passedHeaders } from './cluster-answer.ts'
import { type ClusterAnswer, readAnswer } from './cluster-client.ts'
import type { ScrollOwners } from './scroll-owners.ts'

/** Passes a scroll's page on, having remembered what it goes over. @param answer  not compressed */
export async function rememberScroll(
  answer: ClusterAnswer,
  expressions: readonly string[],
  scrolls: ScrollOwners,
): Promise<BackendResponse> {
  const body = await readAnswer(answer)
  const id = scrollIdOf(body)
  if (id !== undefined) scrolls.remember(id, expressions)
  return { status: answer.statusCode as number, headers: passedHeaders(answer), body }
}

/** It is the first member, so that the page itself need not be parsed. */
function scrollIdOf(body: Buffer): string | undefined {
  return /^\s*\{\s*"_scroll_id"\s*:\s*"([^"\\]+)"/.exec(body.toString('latin1', 0, 1024 * 1024))?.[1]
}
