// Golden files for each schema version: the encoded frames, the same frames as JSON lines, and that
// version's layouts and words, to which later versions can only append.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { COMMAND_LAYOUTS } from '../../core/messages/command-layout.ts';
import { EVENT_LAYOUTS } from '../../core/messages/event-layout.ts';
import { encodeCommandFrame, encodeEventFrame, FrameWriter } from '../../core/messages/index.ts';
import type { Layouts } from '../../core/messages/layout.ts';
import * as vocabulary from '../../core/messages/vocabulary.ts';
import { goldenCommandFrame, goldenEventFrame } from './golden-frames.ts';
import { messageToJson } from './message-json.ts';

export const goldenFolder = join(import.meta.dirname, '../../core/messages/golden');

/** Returns content by file name, for the current schema version. */
export function goldenFiles(): ReadonlyMap<string, Uint8Array | string> {
  const writer = new FrameWriter();
  const { commands, ...commandHeader } = goldenCommandFrame();
  const { events, ...eventHeader } = goldenEventFrame();
  const previousHash = Buffer.from(commandHeader.previousHash).toString('hex');
  return new Map<string, Uint8Array | string>([
    ['commands.bin', encodeCommandFrame(writer, goldenCommandFrame()).slice()],
    ['commands.jsonl', lines([{ ...commandHeader, previousHash }, ...commands])],
    ['events.bin', encodeEventFrame(writer, goldenEventFrame()).slice()],
    ['events.jsonl', lines([eventHeader, ...events])],
    ['layout.jsonl', lines(layoutSummary())],
  ]);
}

export function readGolden(version: number, name: string): Buffer {
  return readFileSync(join(goldenFolder, `v${version}`, name));
}

/** A kind with its code, fields and wire types, or a list of words, in order. */
export interface LayoutLine {
  readonly part: 'commands' | 'events' | 'words';
  readonly name: string;
  readonly entries: readonly (string | number)[];
}

export function layoutSummary(): LayoutLine[] {
  return [
    ...summaryOf('commands', COMMAND_LAYOUTS),
    ...summaryOf('events', EVENT_LAYOUTS),
    ...Object.entries(vocabulary).map(
      ([name, entries]): LayoutLine => ({ part: 'words', name, entries }),
    ),
  ];
}

function summaryOf(part: LayoutLine['part'], layouts: Layouts): LayoutLine[] {
  return Object.entries(layouts).map(([name, { code, fields }]) => {
    const described = Object.entries(fields).map(([field, layout]) => {
      const wire = typeof layout === 'object' && 'since' in layout ? layout.wire : layout;
      return `${field} ${typeof wire === 'object' ? wire.listName : wire}`;
    });
    return { part, name, entries: [code, ...described] };
  });
}

function lines(rows: readonly object[]): string {
  return rows.map((row) => `${JSON.stringify(messageToJson(row))}\n`).join('');
}

export function parseLines<Row>(text: string): Row[] {
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Row);
}
