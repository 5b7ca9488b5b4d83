// Parses a client's message into an operation, or into the error to reply with.

import { STREAM_ARGS_MAX, STREAM_TOPIC_LENGTH_MAX, streamTexts } from '../../protocol/index.ts';
import type { StreamError } from './topic.ts';

export interface ClientMessage {
  readonly op: string;
  readonly args: readonly unknown[];
  /** All other fields of the message. */
  readonly fields: Readonly<Record<string, unknown>>;
}

const NO_ARGS: readonly unknown[] = [];

export function readClientMessage(
  text: string,
  isKnown: (op: string) => boolean,
): ClientMessage | StreamError {
  if (text.trim() === '') return { error: streamTexts.empty };
  const message = parsed(text);
  if (typeof message !== 'object' || message === null || Array.isArray(message)) {
    return { error: streamTexts.wrongInput };
  }
  const { args, op, ...fields } = message as Record<string, unknown>;
  if (op === 'ping') return { op, args: NO_ARGS, fields: {} };
  if (typeof op !== 'string' || !isKnown(op)) return { error: streamTexts.unsupportedType };
  if (!Array.isArray(args)) return { error: streamTexts.wrongInput };
  if (args.length > STREAM_ARGS_MAX) return { error: streamTexts.tooManyArguments };
  return { op, args, fields };
}

/** Reads `topic:symbol`. Symbols are lower case; upper case is accepted. */
export function readChannelName(
  argument: unknown,
): { readonly topic: string; readonly symbol: string | undefined } | StreamError {
  if (typeof argument !== 'string') return { error: streamTexts.wrongInput };
  if (argument.length > STREAM_TOPIC_LENGTH_MAX) return { error: streamTexts.argumentTooLong };
  const colon = argument.indexOf(':');
  if (colon < 0) return { topic: argument, symbol: undefined };
  const symbol = argument.slice(colon + 1).toLowerCase();
  return { topic: argument.slice(0, colon), symbol: symbol === '' ? undefined : symbol };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
