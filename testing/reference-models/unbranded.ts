// Messages without their unit brands. The reference and the flows compute in plain numbers and
// bigints, and convert once. Brands guard the core's interfaces, not its tests.

import type { Command, Event } from '../../core/messages/index.ts';

type Plain<Value> = Value extends number ? number : Value extends bigint ? bigint : Value;
type PlainFields<Message> = { -readonly [Field in keyof Message]: Plain<Message[Field]> };
type EachPlain<Message> = Message extends unknown ? PlainFields<Message> : never;

export type PlainEvent = EachPlain<Event>;
export type PlainCommand = EachPlain<Command>;

type EachWithout<Message, Field extends PropertyKey> = Message extends unknown
  ? Omit<Message, Field>
  : never;

export type EventWithoutCause = EachWithout<PlainEvent, 'command'>;
export type CommandWithoutId = EachWithout<PlainCommand, 'source' | 'number'>;

/** Returns a plain command with its ID, as the exchange receives it. */
export function commandOf(
  body: CommandWithoutId,
  id: { readonly source: number; readonly number: number },
): Command {
  return Object.assign(body, id) as PlainCommand as Command;
}
