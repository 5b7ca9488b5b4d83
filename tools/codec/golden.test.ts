// The decoder reads the bytes of every past schema version, and the encoder writes the bytes of the
// current one. No test here may write a file.

import assert from 'node:assert/strict';
import test from 'node:test';
import { COMMAND_LAYOUTS } from '../../core/messages/command-layout.ts';
import { EVENT_LAYOUTS } from '../../core/messages/event-layout.ts';
import {
  type Command,
  type CommandFrame,
  decodeCommandFrame,
  decodeEventFrame,
  type Event,
  type EventFrame,
  encodeCommandFrame,
  encodeEventFrame,
  FrameWriter,
  SCHEMA_VERSION,
} from '../../core/messages/index.ts';
import type { Layouts } from '../../core/messages/layout.ts';
import { type LayoutLine, layoutSummary, parseLines, readGolden } from './golden-files.ts';
import { type JsonMessage, messageFromJson } from './message-json.ts';

const versions = Array.from({ length: SCHEMA_VERSION }, (_, index) => index + 1);
const writer = new FrameWriter();

function readJson<Header>(version: number, name: string): [Header, JsonMessage[]] {
  const text = readGolden(version, name).toString();
  return [parseLines<Header>(text)[0], parseLines<JsonMessage>(text).slice(1)];
}

/** JSON contains the hash as hexadecimal digits. */
type JsonCommandHeader = Omit<CommandFrame, 'commands' | 'previousHash'> & { previousHash: string };
type JsonEventHeader = Omit<EventFrame, 'events'>;

function goldenCommandFrame(version: number): CommandFrame {
  const [header, messages] = readJson<JsonCommandHeader>(version, 'commands.jsonl');
  const previousHash = Uint8Array.from(Buffer.from(header.previousHash, 'hex'));
  const commands = messages.map((json) => messageFromJson<Command>(COMMAND_LAYOUTS, json));
  return { ...header, previousHash, commands };
}

function goldenEventFrame(version: number): EventFrame {
  const [header, messages] = readJson<JsonEventHeader>(version, 'events.jsonl');
  const events = messages.map((json) => messageFromJson<Event>(EVENT_LAYOUTS, json));
  return { ...header, events };
}

/** The message without the fields appended after this schema version. */
function asOf<Message extends { kind: string }>(
  version: number,
  layouts: Layouts,
  message: Message,
): Message {
  const { fields } = layouts[message.kind];
  const known = Object.entries(message).filter(([name]) => {
    const field = fields[name];
    return !(typeof field === 'object' && 'since' in field && field.since > version);
  });
  return Object.fromEntries(known) as Message;
}

for (const version of versions) {
  test(`the bytes of schema ${version} decode to the recorded messages`, () => {
    const commands = decodeCommandFrame(readGolden(version, 'commands.bin'));
    assert.deepEqual(
      {
        ...commands,
        commands: commands.commands.map((one) => asOf(version, COMMAND_LAYOUTS, one)),
      },
      goldenCommandFrame(version),
    );
    const events = decodeEventFrame(readGolden(version, 'events.bin'));
    assert.deepEqual(
      { ...events, events: events.events.map((one) => asOf(version, EVENT_LAYOUTS, one)) },
      goldenEventFrame(version),
    );
  });

  test(`later schemas only append to the layouts and words of schema ${version}`, () => {
    const then = parseLines<LayoutLine>(readGolden(version, 'layout.jsonl').toString());
    const now = layoutSummary();
    for (const { part, name, entries } of then) {
      const today = now.find((line) => line.part === part && line.name === name);
      assert.deepEqual(today?.entries.slice(0, entries.length), entries, `${part} ${name}`);
    }
    if (version === SCHEMA_VERSION) {
      assert.deepEqual(now, then, 'an appended field, kind or word needs the next schema version');
    }
  });
}

test('the encoder writes the golden bytes of the current schema', () => {
  const commands = encodeCommandFrame(writer, goldenCommandFrame(SCHEMA_VERSION));
  assert.ok(readGolden(SCHEMA_VERSION, 'commands.bin').equals(commands));
  const events = encodeEventFrame(writer, goldenEventFrame(SCHEMA_VERSION));
  assert.ok(readGolden(SCHEMA_VERSION, 'events.bin').equals(events));
});

test('the golden frames of the current schema contain every kind three times', () => {
  const kinds = (messages: readonly { kind: string }[]) => messages.map(({ kind }) => kind).sort();
  const thrice = (layouts: Layouts) =>
    Object.keys(layouts)
      .flatMap((kind) => [kind, kind, kind])
      .sort();
  assert.deepEqual(kinds(goldenCommandFrame(SCHEMA_VERSION).commands), thrice(COMMAND_LAYOUTS));
  assert.deepEqual(kinds(goldenEventFrame(SCHEMA_VERSION).events), thrice(EVENT_LAYOUTS));
});
