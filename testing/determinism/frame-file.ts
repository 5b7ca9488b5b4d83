// Command frames as a file: encoded frames one after another, as in a journal.

import { readFileSync, writeFileSync } from 'node:fs';
import {
  type CommandFrame,
  decodeCommandFrame,
  encodeCommandFrame,
  FrameWriter,
  outlineFrame,
} from '../../core/messages/index.ts';

export function writeFrames(path: string, frames: readonly CommandFrame[]): void {
  const writer = new FrameWriter();
  const parts = frames.map((frame) => encodeCommandFrame(writer, frame).slice());
  writeFileSync(path, Buffer.concat(parts));
}

export function readFrames(path: string): CommandFrame[] {
  const bytes = readFileSync(path);
  const frames: CommandFrame[] = [];
  for (let at = 0; at < bytes.length; ) {
    const { frameBytes } = outlineFrame(bytes.subarray(at));
    frames.push(decodeCommandFrame(bytes.subarray(at, at + frameBytes)));
    at += frameBytes;
  }
  return frames;
}
