// Messages on the resumable topic: each has its position, the previous position, and a checksum of
// all data since the snapshot or the resumption. docs/api/stream.md defines the checksum. `data`
// comes last, so clients can extract it.

import { crc32 } from 'node:zlib';
import type { Position } from '../../../infra/live-feed/index.ts';
import { positionText } from './position.ts';

export type PrivateAction = 'snapshot' | 'resumed' | 'event';

/** Per subscription; restarts with each snapshot and each resumption. */
export class PrivateEnvelope {
  readonly #user: number;
  #checksum = 0;

  constructor(user: number) {
    this.#user = user;
  }

  /** `data` is a JSON array of messages. */
  write(
    action: PrivateAction,
    message: {
      readonly sequence: Position;
      /** Undefined for a snapshot. */
      readonly previous: Position | undefined;
      readonly data: string;
      readonly timeMs: number;
    },
  ): string {
    const { data, previous, sequence, timeMs } = message;
    this.#checksum = crc32(data, action === 'event' ? this.#checksum : 0);
    return (
      `{"topic":"private","action":"${action}","user_id":${this.#user}` +
      `,"sequence":"${positionText(sequence)}"` +
      `,"previous":${previous === undefined ? 'null' : `"${positionText(previous)}"`}` +
      `,"time":${Math.floor(timeMs / 1_000)},"checksum":${this.#checksum},"data":${data}}`
    );
  }
}
