// Places in a user's stream: the frame of an event and its index in that frame, counted from 0. As
// clients know them: `12.3`.

import type { Position } from '../../../infra/live-feed/index.ts';

const TEXT = /^(0|[1-9]\d{0,15})\.(0|[1-9]\d{0,15})$/;

export function isAfter(one: Position, other: Position): boolean {
  return one.frame > other.frame || (one.frame === other.frame && one.index > other.index);
}

export function positionText({ frame, index }: Position): string {
  return `${frame}.${index}`;
}

/** Undefined for anything else. */
export function readPosition(text: unknown): Position | undefined {
  const [, frame, index] = (typeof text === 'string' && TEXT.exec(text)) || [];
  const position = { frame: Number(frame), index: Number(index) };
  return Number.isSafeInteger(position.frame) && Number.isSafeInteger(position.index)
    ? position
    : undefined;
}
