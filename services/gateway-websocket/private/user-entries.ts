// The events of one user as sockets receive them: decoded, grouped by event, each message as a
// websocket frame that is built once for all sockets.

import {
  decodeUserEvents,
  type Position,
  type UserEvents,
  type UserTopic,
} from '../../../infra/live-feed/index.ts';
import { type Frame, textFrame } from '../frame.ts';

export interface FramedMessage {
  readonly topic: UserTopic;
  readonly text: string;
  /** Built on first use, and shared by all sockets. */
  readonly frame: Frame;
}

/** All messages of one event. */
export interface UserEntry {
  readonly position: Position;
  readonly messages: readonly FramedMessage[];
  /** The messages as a JSON array. */
  readonly text: string;
}

/** All entries of one part of a frame. */
export interface UserEntries {
  readonly user: number;
  /** The user's entry before these. */
  readonly after: Position;
  /** At least one, in order. */
  readonly entries: readonly UserEntry[];
  readonly last: Position;
  readonly bytes: number;
}

/** Undefined if the payload is not a message of a publisher of this version. */
export function readUserEntries(payload: Uint8Array): UserEntries | undefined {
  const events = decodeUserEvents(payload);
  if (events === undefined) return undefined;
  const entries = entriesOf(events);
  const last = entries[entries.length - 1].position;
  return { user: events.user, after: events.after, entries, last, bytes: payload.length };
}

export function framedMessage(topic: UserTopic, text: string): FramedMessage {
  let frame: Frame | undefined;
  return {
    topic,
    text,
    get frame() {
      frame ??= textFrame(text);
      return frame;
    },
  };
}

export function userEntry(position: Position, messages: readonly FramedMessage[]): UserEntry {
  let joined: string | undefined;
  return {
    position,
    messages,
    get text() {
      joined ??= `[${messages.map(({ text }) => text).join(',')}]`;
      return joined;
    },
  };
}

function entriesOf({ frame, messages }: UserEvents): UserEntry[] {
  const entries: UserEntry[] = [];
  let [start, end] = [0, 0];
  for (; start < messages.length; start = end) {
    const { index } = messages[start];
    const framed: FramedMessage[] = [];
    for (end = start; end < messages.length && messages[end].index === index; end += 1) {
      framed.push(framedMessage(messages[end].topic, messages[end].text));
    }
    entries.push(userEntry({ frame, index }, framed));
  }
  return entries;
}
