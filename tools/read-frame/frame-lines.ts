// Frames as JSON lines: for each frame its header, then a line for each command or event. Atoms are
// decimal strings, a hash is hexadecimal.

import {
  decodeCommandFrame,
  decodeEventFrame,
  type FrameOutline,
  outlineFrame,
} from '../../core/messages/index.ts';
import { messageToJson } from '../codec/message-json.ts';

/** Yields the lines of all consecutive frames in the bytes. */
export function* frameLines(bytes: Uint8Array): Generator<string> {
  let rest = bytes;
  while (rest.length > 0) {
    const outline = outlineFrame(rest);
    // A wrong length takes everything that is left, and decoding then reports the fault.
    yield* linesOf(outline, rest.subarray(0, outline.frameBytes));
    rest = rest.subarray(Math.max(1, outline.frameBytes));
  }
}

function* linesOf({ holds, schemaVersion }: FrameOutline, frame: Uint8Array): Generator<string> {
  if (holds === 'commands') {
    const { commands, previousHash, ...header } = decodeCommandFrame(frame);
    const hash = Buffer.from(previousHash).toString('hex');
    yield JSON.stringify({ frame: holds, schemaVersion, ...header, previousHash: hash });
    for (const command of commands) yield JSON.stringify(messageToJson(command));
  } else {
    const { events, ...header } = decodeEventFrame(frame);
    yield JSON.stringify({ frame: holds, schemaVersion, ...header });
    for (const event of events) yield JSON.stringify(messageToJson(event));
  }
}
