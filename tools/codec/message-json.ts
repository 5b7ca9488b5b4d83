// Converts messages to JSON and back. JSON has no 64-bit integers, so atoms are decimal strings.

import type { Layouts } from '../../core/messages/layout.ts';

export type JsonMessage = Readonly<Record<string, string | number | boolean>>;

export function messageToJson(message: object): JsonMessage {
  const entries = Object.entries(message).map(([name, value]) => [
    name,
    typeof value === 'bigint' ? value.toString() : value,
  ]);
  return Object.fromEntries(entries);
}

export function messageFromJson<Message extends { readonly kind: string }>(
  layouts: Layouts,
  json: JsonMessage,
): Message {
  const { fields } = layouts[String(json.kind)];
  const entries = Object.entries(json).map(([name, value]) => {
    const field = fields[name];
    const wire = typeof field === 'object' && 'since' in field ? field.wire : field;
    return [name, wire === 'atoms' ? BigInt(value) : value];
  });
  return Object.fromEntries(entries) as Message;
}
