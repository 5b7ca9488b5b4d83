// Private news as the publisher writes them, taken apart without touching a byte of what is in
// them: each message goes on to clients as the text that stood there, with all its digits.

import { type Frame, textFrame } from '../frame.ts';
import type { Position } from './position.ts';

export type NewsTopic = 'order' | 'usertrade' | 'wallet';

export interface NewsMessage {
  readonly topic: string;
  readonly text: string;
  /** Made when somebody wants it, and once for all sockets. */
  readonly frame: Frame;
}

/** What one event tells a user. */
export interface NewsEntry {
  readonly position: Position;
  readonly messages: readonly NewsMessage[];
  /** The messages as they stood in the news: a JSON array. */
  readonly text: string;
}

/** One part of a frame, as far as it is a user's. */
export interface News {
  readonly user: number;
  /** The user's entry before these. */
  readonly after: Position;
  /** At least one, in order. */
  readonly entries: readonly NewsEntry[];
  readonly last: Position;
  readonly bytes: number;
}

const HEAD = /^\{"user":(\d+),"frame":(\d+),"after":\{"frame":(\d+),"index":(\d+)\},"entries":\[/;
const ENTRY = /\{"index":(\d+),"messages":\[/y;
const TOPIC = /\{"topic":"([a-z_0-9]+)"/y;

/** The frame alone, for whoever looks for a place; undefined when it is something else. */
export function frameOfNews(payload: Uint8Array): number | undefined {
  const [, , frame] = HEAD.exec(Buffer.from(payload.subarray(0, 200)).toString('latin1')) ?? [];
  return frame === undefined ? undefined : Number(frame);
}

/** Undefined when it is not what a publisher says. */
export function readNews(payload: Uint8Array): News | undefined {
  const text = Buffer.from(payload.buffer, payload.byteOffset, payload.length).toString();
  const head = HEAD.exec(text);
  if (head === null) return undefined;
  const [user, frame, afterFrame, afterIndex] = head.slice(1).map(Number);
  const entries: NewsEntry[] = [];
  let at = head[0].length;
  for (;;) {
    const entry = readEntry(text, at, frame);
    if (entry === undefined) return undefined;
    entries.push(entry.entry);
    at = entry.end;
    if (text[at] !== ',') break;
    at += 1;
  }
  if (text.slice(at) !== ']}') return undefined;
  const after = { frame: afterFrame, index: afterIndex };
  const last = entries[entries.length - 1].position;
  return { user, after, entries, last, bytes: payload.length };
}

function readEntry(
  text: string,
  start: number,
  frame: number,
): { readonly entry: NewsEntry; readonly end: number } | undefined {
  ENTRY.lastIndex = start;
  const head = ENTRY.exec(text);
  if (head === null) return undefined;
  const messages: NewsMessage[] = [];
  const messagesStart = start + head[0].length;
  let at = messagesStart;
  for (;;) {
    TOPIC.lastIndex = at;
    const topic = TOPIC.exec(text)?.[1];
    const end = topic === undefined ? -1 : endOfObject(text, at);
    if (topic === undefined || end < 0) return undefined;
    messages.push(newsMessage(topic, text.slice(at, end)));
    at = end;
    if (text[at] !== ',') break;
    at += 1;
  }
  if (!text.startsWith(']}', at)) return undefined;
  const position = { frame, index: Number(head[1]) };
  const entry = { position, messages, text: text.slice(messagesStart - 1, at + 1) };
  return { entry, end: at + 2 };
}

const QUOTE = 34;
const BACKSLASH = 92;
const OPEN = 123;
const CLOSE = 125;

/** Behind the brace that closes the one at `start`; -1 when there is none. */
function endOfObject(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      at = endOfText(text, at);
      if (at < 0) return -1;
    } else if (code === OPEN) {
      depth += 1;
    } else if (code === CLOSE) {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return -1;
}

/** Of the quote that closes the one at `start`; -1 when there is none. */
function endOfText(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at >= 0; at = text.indexOf('"', at + 1)) {
    let backslashes = 0;
    while (text.charCodeAt(at - 1 - backslashes) === BACKSLASH) backslashes += 1;
    if (backslashes % 2 === 0) return at;
  }
  return -1;
}

export function newsMessage(topic: string, text: string): NewsMessage {
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
