import type { HttpServer } from '../http/http-server.ts'
import type { ThreadBoard } from './thread-board.ts'

/** How often a thread compares its connections with the others'. */
const INTERVAL_MS = 250

/**
 * Keeps a thread from having many more active connections than another: whoever is idle when clients connect takes them
 * all, and they stay. Half of the surplus is asked to come again; to whom, chance decides, with better odds than before.
 *
 * @param place  of this thread on the board
 * @returns what stops it
 */
export function balanceConnections(http: HttpServer, board: ThreadBoard, place: number): () => void {
  board.setActive(place, 0)
  const timer = setInterval(() => {
    const active = http.takeActive()
    board.setActive(place, active)
    const fewest = board.fewestActive(place)
    http.shed(fewest === undefined ? 0 : Math.floor((active - fewest) / 2))
  }, INTERVAL_MS)
  timer.unref()
  return () => {
    clearInterval(timer)
    board.setActive(place, -1)
  }
}
