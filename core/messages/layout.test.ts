// The compiler rejects layouts that do not fit their messages. Each @ts-expect-error below is a
// test: if the compiler accepted the line under it, the type check of the repository would fail.

import assert from 'node:assert/strict';
import test from 'node:test';
import type { AssetId, Atoms } from '../money/index.ts';
import { COMMAND_LAYOUTS } from './command-layout.ts';
import type { Command } from './commands.ts';
import { EVENT_LAYOUTS } from './event-layout.ts';
import type { Event } from './events.ts';
import type { FieldsTooMany, LayoutsFor } from './layout.ts';
import type { OrderType, Side } from './vocabulary.ts';
import { orderType, side } from './words.ts';

type Sample = {
  readonly kind: 'Sample';
  readonly count: number;
  readonly asset: AssetId;
  readonly amountAtoms: Atoms;
  readonly side: Side;
  readonly type: OrderType;
  readonly note: string;
  readonly quick: boolean;
};

const good = {
  count: 'safe',
  asset: 'u32',
  amountAtoms: 'atoms',
  side: side,
  type: orderType,
  note: 'text',
  quick: 'bool',
} as const;
const { note: _note, ...withoutNote } = good;
const buyOnly: { list: readonly 'buy'[]; listName: string; exactly?: (value: 'buy') => void } = {
  list: ['buy'],
  listName: 'SIDES',
};

export const ACCEPTED: LayoutsFor<Sample> = { Sample: { code: 1, fields: good } };
export const APPENDED: LayoutsFor<Sample> = {
  Sample: { code: 1, fields: { ...good, note: { wire: 'text', since: 2, default: '' } } },
};
// @ts-expect-error: a field is missing
export const MISSING: LayoutsFor<Sample> = { Sample: { code: 1, fields: withoutNote } };
export const WRONG_WIRES: LayoutsFor<Sample>[] = [
  // @ts-expect-error: atoms do not fit a safe integer
  { Sample: { code: 1, fields: { ...good, amountAtoms: 'safe' } } },
  // @ts-expect-error: a number may be larger than 32 bits
  { Sample: { code: 1, fields: { ...good, count: 'u32' } } },
  // @ts-expect-error: a word is not free text
  { Sample: { code: 1, fields: { ...good, side: 'text' } } },
  // @ts-expect-error: a word of another list
  { Sample: { code: 1, fields: { ...good, side: orderType } } },
  // @ts-expect-error: a list without all words
  { Sample: { code: 1, fields: { ...good, side: buyOnly } } },
  // @ts-expect-error: a default of another type
  { Sample: { code: 1, fields: { ...good, note: { wire: 'text', since: 2, default: 0 } } } },
];

type IsNever<Type> = [Type] extends [never] ? true : false;
const commandsHaveNoMore: IsNever<FieldsTooMany<typeof COMMAND_LAYOUTS, Command>> = true;
const eventsHaveNoMore: IsNever<FieldsTooMany<typeof EVENT_LAYOUTS, Event>> = true;
type Excess = { Sample: { code: 1; fields: typeof good & { more: 'safe' } } };
const excessIsSeen: IsNever<FieldsTooMany<Excess, Sample>> = false;

test('layouts have exactly the fields of their messages', () => {
  assert.ok(commandsHaveNoMore && eventsHaveNoMore && !excessIsSeen);
});

test('codes count from 1 in the order of the layouts', () => {
  for (const layouts of [COMMAND_LAYOUTS, EVENT_LAYOUTS]) {
    const codes = Object.values(layouts).map(({ code }) => code);
    assert.deepEqual(
      codes,
      codes.map((_, index) => index + 1),
    );
  }
});
