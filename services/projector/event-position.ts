// Position of an event in the log. Every projected row stores its origin.

export interface EventPosition {
  readonly frame: number;
  /** Index among all events in the frame, starting at 0. */
  readonly eventIndex: number;
  /** Time of the frame. */
  readonly timeMs: number;
  /** The frame's first command, or the next one if the frame has none. */
  readonly firstCommand: number;
}
