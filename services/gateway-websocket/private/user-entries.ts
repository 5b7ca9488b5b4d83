// One user's events as sockets receive them: decoded, grouped by event, each message a websocket
// frame built once for all sockets.

import {
  decodeUserEvents,
  type Position,
  type UserEvents,
  type UserTopic,
} from '../../../infra/live-feed/index.ts';
import { type Frame, textFrame } from '../frame.ts';

// Classes, because literals with getters take several times as long to create.
export class FramedMessage {
  readonly topic: UserTopic;
  readonly text: string;
  #frame: Frame | undefined;

  constructor(topic: UserTopic, text: string) {
    this.topic = topic;
    this.text = text;
  }

  /** Built on first use, and shared by all sockets. */
  get frame(): Frame {
    this.#frame ??= textFrame(this.text);
    return this.#frame;
  }
}

/** All messages of one event. */
export class UserEntry {
  readonly position: Position;
  readonly messages: readonly FramedMessage[];
  #text: string | undefined;

  constructor(position: Position, messages: readonly FramedMessage[]) {
    this.position = position;
    this.messages = messages;
  }

  /** The messages as a JSON array. */
  get text(): string {
    this.#text ??= `[${this.messages.map(({ text }) => text).join(',')}]`;
    return this.#text;
  }
}

/** All entries of one part of a frame. */
export interface UserEntries {
  readonly user: number;
  /** The user's entry before these entries. */
  readonly after: Position;
  /** At least one, in order. */
  readonly entries: readonly UserEntry[];
  readonly last: Position;
  readonly bytes: number;
}

/** Returns undefined if the payload is not a message from a publisher of this version. */
export function readUserEntries(payload: Uint8Array): UserEntries | undefined {
  const events = decodeUserEvents(payload);
  if (events === undefined) return undefined;
  const entries = entriesOf(events);
  const last = entries[entries.length - 1].position;
  return { user: events.user, after: events.after, entries, last, bytes: payload.length };
}

function entriesOf({ frame, messages }: UserEvents): UserEntry[] {
  const entries: UserEntry[] = [];
  let [start, end] = [0, 0];
  for (; start < messages.length; start = end) {
    const { index } = messages[start];
    const framed: FramedMessage[] = [];
    for (end = start; end < messages.length && messages[end].index === index; end += 1) {
      framed.push(new FramedMessage(messages[end].topic, messages[end].text));
    }
    entries.push(new UserEntry({ frame, index }, framed));
  }
  return entries;
}
