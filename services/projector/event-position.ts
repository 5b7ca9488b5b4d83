// The position of an event in the log. Every projected row stores where it comes from.

export interface EventPosition {
  readonly frame: number;
  /** Among all events of the frame, from 0. */
  readonly eventIndex: number;
  /** The time of the frame. */
  readonly timeMs: number;
  /** The first command of the frame, or the next one if it has none. */
  readonly firstCommand: number;
}
