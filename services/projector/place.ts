// Where an event stands in the log: what every row says of its origin.

export interface Place {
  readonly frame: number;
  /** Among all events of the frame, from 0. */
  readonly eventIndex: number;
  /** Of the frame. */
  readonly timeMs: number;
}
