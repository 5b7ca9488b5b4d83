// Order and text form of positions in a user's stream: `12.3` is event 3 in frame 12.

import type { Position } from '../../../infra/live-feed/index.ts';

const TEXT = /^(0|[1-9]\d{0,15})\.(0|[1-9]\d{0,15})$/;

export function isAfter(one: Position, other: Position): boolean {
  return one.frame > other.frame || (one.frame === other.frame && one.index > other.index);
}

export function positionText({ frame, index }: Position): string {
  return `${frame}.${index}`;
}

/** Returns undefined if the text is not a position. */
export function readPosition(text: unknown): Position | undefined {
  const [, frame, index] = (typeof text === 'string' && TEXT.exec(text)) || [];
  const position = { frame: Number(frame), index: Number(index) };
  return Number.isSafeInteger(position.frame) && Number.isSafeInteger(position.index)
    ? position
    : undefined;
}
