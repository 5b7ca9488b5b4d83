// The signer's journal: one append-only file, one JSON line per entry. Each line contains the hash
// of the line before, and a MAC that only the seed's owner can compute. An entry is on the disk
// before `append` returns; after a failed write, the process must end. Never rewrites a line.

import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import {
  closeSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
  readSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import type { Head, JournalEntry } from '../../infra/signer-link/index.ts';
import type { Entry, Recorded } from './entries.ts';

export const EMPTY_HEAD: Head = { entry: 0, hash: '' };

const LINE = /^(?<body>\{.*),"mac":"(?<mac>[0-9a-f]{64})"\}$/;
const LINE_BREAK = 0x0a;

/** The journal was edited, or belongs to other words. */
export class JournalFault extends Error {
  override readonly name = 'JournalFault';
  readonly isConfiguration = true;
}

export interface JournalOptions {
  readonly path: string;
  readonly macKey: Uint8Array;
  /** Called for each entry, in order. */
  replay(entry: Recorded): void;
}

export class Journal {
  readonly #file: number;
  readonly #macKey: Uint8Array;
  /** Position of each line, and of the end. */
  readonly #offsets: number[] = [0];
  #head: Head = EMPTY_HEAD;
  #hasFailed = false;
  /** Bytes of a last line that was cut off, because the process ended while writing it. */
  readonly tornBytes: number;

  /** Verifies all lines. Throws a JournalFault if one was changed, inserted or removed. */
  constructor({ macKey, path, replay }: JournalOptions) {
    this.#macKey = macKey;
    const bytes = readFileSync(path);
    const end = bytes.lastIndexOf(LINE_BREAK) + 1;
    for (let start = 0; start < end; ) {
      const after = bytes.indexOf(LINE_BREAK, start) + 1;
      const line = bytes.toString('utf8', start, after - 1);
      replay(openLine(line, { head: this.#head, macKey }));
      this.#take(line, after);
      start = after;
    }
    this.#file = openSync(path, 'a+');
    this.tornBytes = bytes.length - end;
    if (this.tornBytes === 0) return;
    ftruncateSync(this.#file, end);
    fsyncSync(this.#file);
  }

  get head(): Head {
    return this.#head;
  }

  /** Throws if the entry might not be on the disk, or if another process wrote to the file. */
  append(entry: Entry, timeMs: number): Recorded {
    if (this.#hasFailed) throw new Error('journal: an earlier write failed');
    this.#hasFailed = true;
    const recorded = this.#append(entry, timeMs);
    this.#hasFailed = false;
    return recorded;
  }

  /** Returns the hash of an entry's line, or undefined if there is no such entry. */
  hashAt(entry: number): string | undefined {
    if (entry === 0) return EMPTY_HEAD.hash;
    return entry > this.#head.entry ? undefined : hashOf(this.#line(entry));
  }

  /** Returns entries after this one, up to a total of `bytesMax` as JSON. */
  after(entry: number, bytesMax: number): JournalEntry[] {
    const entries: JournalEntry[] = [];
    let bytes = 0;
    for (let next = entry + 1; next <= this.#head.entry; next++) {
      const line = this.#line(next);
      const found = { entry: next, hash: hashOf(line), line };
      bytes += JSON.stringify(found).length + 1;
      if (bytes > bytesMax) break;
      entries.push(found);
    }
    return entries;
  }

  close(): void {
    closeSync(this.#file);
  }

  #append(entry: Entry, timeMs: number): Recorded {
    const { entry: last, hash: previous } = this.#head;
    const recorded = { entry: last + 1, previous, timeMs, ...entry };
    const line = sealLine(recorded, this.#macKey);
    const bytes = Buffer.from(`${line}\n`);
    const start = this.#end;
    this.#requireSize(start);
    if (writeSync(this.#file, bytes) !== bytes.length) throw new Error('journal: short write');
    fsyncSync(this.#file);
    this.#requireSize(start + bytes.length);
    this.#take(line, start + bytes.length);
    return recorded;
  }

  get #end(): number {
    return this.#offsets[this.#offsets.length - 1];
  }

  #take(line: string, end: number): void {
    this.#head = { entry: this.#head.entry + 1, hash: hashOf(line) };
    this.#offsets.push(end);
  }

  #line(entry: number): string {
    const start = this.#offsets[entry - 1];
    const bytes = Buffer.alloc(this.#offsets[entry] - 1 - start);
    readSync(this.#file, bytes, 0, bytes.length, start);
    return bytes.toString('utf8');
  }

  #requireSize(expected: number): void {
    const { size } = fstatSync(this.#file);
    if (size === expected) return;
    throw new Error(
      `journal: expected ${expected} bytes, found ${size}: is another signer running?`,
    );
  }
}

/** Creates the file with its first entries. Throws if it exists. */
export function createJournal(path: string, lines: readonly string[]): void {
  const file = openSync(path, 'wx', 0o600);
  writeSync(file, lines.map((line) => `${line}\n`).join(''));
  fsyncSync(file);
  closeSync(file);
  const folder = openSync(dirname(path), 'r');
  fsyncSync(folder);
  closeSync(folder);
}

export function sealLine(recorded: Recorded, macKey: Uint8Array): string {
  const body = JSON.stringify(recorded).slice(0, -1);
  return `${body},"mac":"${macOf(body, macKey)}"}`;
}

/** Throws a JournalFault unless the line follows this head. */
export function openLine(
  line: string,
  { head, macKey }: { readonly head: Head; readonly macKey: Uint8Array },
): Recorded {
  const number = head.entry + 1;
  const { body, mac } = LINE.exec(line)?.groups ?? {};
  if (body === undefined) throw new JournalFault(`journal: entry ${number} is malformed`);
  if (!timingSafeEqual(Buffer.from(mac), Buffer.from(macOf(body, macKey)))) {
    throw new JournalFault(`journal: entry ${number} was changed, or has the MAC of other words`);
  }
  const recorded = JSON.parse(`${body}}`) as Recorded;
  if (recorded.entry === number && recorded.previous === head.hash) return recorded;
  throw new JournalFault(`journal: entry ${recorded.entry} does not follow entry ${head.entry}`);
}

export function hashOf(line: string): string {
  return createHash('sha256').update(line).digest('hex');
}

function macOf(body: string, macKey: Uint8Array): string {
  return createHmac('sha256', macKey).update(body).digest('hex');
}
