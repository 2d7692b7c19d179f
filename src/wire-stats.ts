/** What a domain's listener tells of itself (`http` and `in_flight_requests` of `_nodes/stats`, `http` of `_nodes`). */
export interface WireStats {
  /** Connections that are open, and those that ever were. */
  readonly open: number
  readonly opened: number
  /** Bytes of bodies that are received or handled, how many there may be, and how often more were refused. */
  readonly heldBytes: number
  readonly mostHeldBytes: number
  readonly refused: number
  /** The longest body that is taken. */
  readonly mostBodyBytes: number
}

/** Of a domain that listens nowhere. */
export const NO_WIRE: WireStats = {
  open: 0,
  opened: 0,
  heldBytes: 0,
  mostHeldBytes: 0,
  refused: 0,
  mostBodyBytes: 100 * 1024 * 1024,
}
