// The codec of user events: the publisher encodes them and gateways decode them. The messages to
// clients are carried verbatim; a gateway reads the routing fields, and parses no message except
// balances for the `wallet` topic.

/** Identifies an entry of a user: the frame of an event, and its index in the frame from 0. */
export interface Position {
  readonly frame: number;
  readonly index: number;
}

export type UserTopic = 'order' | 'usertrade' | 'wallet';

/** A message to a client, with the event that it belongs to. */
export interface UserMessage {
  readonly index: number;
  readonly topic: UserTopic;
  /** JSON, as the client receives it. */
  readonly text: string;
}

/** All messages to one user from one part of an event frame. */
export interface UserEvents {
  readonly user: number;
  readonly frame: number;
  /** The user's entry before these; frame 0 if there is none. */
  readonly after: Position;
  /** At least one, by ascending index. */
  readonly messages: readonly UserMessage[];
}

// Version 1 is UTF-8 text. Every line ends with a newline, which JSON never contains unescaped.
//   1 USER FRAME AFTER_FRAME AFTER_INDEX COUNT
//   INDEX TOPIC MESSAGE        (COUNT times, by ascending INDEX)
const VERSION = '1';
// Six numbers of at most 16 digits, with their separators.
const HEADER_BYTES_MAX = 128;
const HEADER = /^1 (\d{1,16}) (\d{1,16}) (\d{1,16}) (\d{1,16}) (\d{1,16})$/;

export function encodeUserEvents({ after, frame, messages, user }: UserEvents): string {
  let text = `${VERSION} ${user} ${frame} ${after.frame} ${after.index} ${messages.length}\n`;
  for (const message of messages) text += `${message.index} ${message.topic} ${message.text}\n`;
  return text;
}

/** Undefined if the payload is damaged, cut off or of another version. */
export function decodeUserEvents(payload: Uint8Array): UserEvents | undefined {
  const text = Buffer.from(payload.buffer, payload.byteOffset, payload.length).toString();
  const headerEnd = text.indexOf('\n');
  const header = HEADER.exec(text.slice(0, Math.max(headerEnd, 0)));
  if (header === null) return undefined;
  const [user, frame, afterFrame, afterIndex, count] = header.slice(1).map(Number);
  const messages: UserMessage[] = [];
  let [start, lastIndex] = [headerEnd + 1, 0];
  while (start < text.length) {
    const end = text.indexOf('\n', start);
    const message = end < 0 ? undefined : decodeMessage(text, start, end);
    if (message === undefined || message.index < lastIndex) return undefined;
    messages.push(message);
    lastIndex = message.index;
    start = end + 1;
  }
  if (messages.length === 0 || messages.length !== count) return undefined;
  return { user, frame, after: { frame: afterFrame, index: afterIndex }, messages };
}

/** The frame alone, from the header; undefined as in decodeUserEvents. */
export function frameOfUserEvents(payload: Uint8Array): number | undefined {
  const start = Buffer.from(payload.subarray(0, HEADER_BYTES_MAX)).toString('latin1');
  const header = HEADER.exec(start.slice(0, Math.max(start.indexOf('\n'), 0)));
  return header === null ? undefined : Number(header[2]);
}

function decodeMessage(text: string, start: number, end: number): UserMessage | undefined {
  const topicStart = text.indexOf(' ', start) + 1;
  const messageStart = text.indexOf(' ', topicStart) + 1;
  if (topicStart === 0 || messageStart === 0 || messageStart >= end) return undefined;
  const index = Number(text.slice(start, topicStart - 1));
  const topic = text.slice(topicStart, messageStart - 1);
  if (!Number.isSafeInteger(index) || !isUserTopic(topic)) return undefined;
  return { index, topic, text: text.slice(messageStart, end) };
}

function isUserTopic(topic: string): topic is UserTopic {
  return topic === 'order' || topic === 'usertrade' || topic === 'wallet';
}
