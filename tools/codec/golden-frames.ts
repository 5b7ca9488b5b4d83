// Frames whose bytes are stored in core/messages/golden. Each message kind appears three times:
// with the minimum of every field, the maximum, and distinct values per field.

import { COMMAND_LAYOUTS } from '../../core/messages/command-layout.ts';
import { EVENT_LAYOUTS } from '../../core/messages/event-layout.ts';
import type { Command, CommandFrame, Event, EventFrame } from '../../core/messages/index.ts';
import type { Layouts, Wire } from '../../core/messages/layout.ts';
import type { CommandNumber, TimeMs } from '../../core/money/index.ts';

type Value = string | number | bigint | boolean;
type Choose = (wire: Wire, name: string, index: number) => Value;

export function goldenCommandFrame(): CommandFrame {
  return {
    sequence: Number.MAX_SAFE_INTEGER,
    epoch: 3,
    writer: Number.MAX_SAFE_INTEGER,
    timeMs: 1_700_000_000_123 as TimeMs,
    poisoned: [7, -8_193],
    pausedMs: Number.MAX_SAFE_INTEGER,
    previousHash: Uint8Array.from({ length: 32 }, (_, index) => 7 * index),
    commands: messages<Command>(COMMAND_LAYOUTS),
  };
}

export function goldenEventFrame(): EventFrame {
  return {
    sequence: 1,
    timeMs: 1_700_000_000_123 as TimeMs,
    firstCommand: 5_000_000_000 as CommandNumber,
    events: messages<Event>(EVENT_LAYOUTS),
  };
}

function messages<Message>(layouts: Layouts): Message[] {
  return [smallest, largest, distinct].flatMap((choose) =>
    Object.entries(layouts).map(([kind, { fields }]) => {
      const values = Object.entries(fields).map(([name, field], index) => {
        const wire = typeof field === 'object' && 'since' in field ? field.wire : field;
        return [name, choose(wire, name, index)];
      });
      return { kind, ...Object.fromEntries(values) } as Message;
    }),
  );
}

const smallest: Choose = (wire) => {
  if (typeof wire === 'object') return wire.list[0];
  return { safe: 0, u32: 0, atoms: -(2n ** 63n), bool: false, text: '' }[wire];
};

const largest: Choose = (wire) => {
  if (typeof wire === 'object') return wire.list[wire.list.length - 1];
  const text = 'ü€😀'.repeat(113).concat('1234567');
  const safe = Number.MAX_SAFE_INTEGER;
  return { safe, u32: 2 ** 32 - 1, atoms: 2n ** 63n - 1n, bool: true, text }[wire];
};

const distinct: Choose = (wire, name, index) => {
  if (typeof wire === 'object') return wire.list[index % wire.list.length];
  const number = 1_000 * (index + 1) + 7;
  const atoms = BigInt(number) * 10n ** 12n;
  return { safe: number, u32: number, atoms, bool: index % 2 === 0, text: `${name}-${index}` }[
    wire
  ];
};
