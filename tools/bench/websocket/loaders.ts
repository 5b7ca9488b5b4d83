// All loaders of a bench: divides sockets among them and waits for their messages.

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { LoaderOrder, LoaderSaying } from './loader/orders.ts';

type Open = Omit<Extract<LoaderOrder, { kind: 'open' }>, 'kind'>;

/** A measured server. */
export type Target = { readonly port: number; readonly pid: number; readonly path: string };

export interface Notes {
  /** For each message that a socket got: the best bid's size, and the time. By socket, in order. */
  readonly bySocket: ReadonlyMap<string, readonly (readonly [size: number, atMs: number])[]>;
  readonly closed: number;
}

export class Loaders {
  readonly #children: readonly ChildProcess[];
  readonly #counted: number[];
  #onCounted: () => void = () => {};

  constructor(count: number) {
    const program = join(import.meta.dirname, 'loader/main.ts');
    this.#children = Array.from({ length: count }, () => fork(program));
    this.#counted = this.#children.map(() => 0);
    for (const [at, child] of this.#children.entries()) {
      child.on('message', (saying: LoaderSaying) => {
        if (saying.kind !== 'counted') return;
        this.#counted[at] = saying.messages;
        this.#onCounted();
      });
    }
  }

  async open(options: Open): Promise<void> {
    const each = Math.floor(options.count / this.#children.length);
    await this.#all('opened', (at) => {
      const count = at === 0 ? options.count - each * (this.#children.length - 1) : each;
      return { kind: 'open', ...options, count };
    });
  }

  /** Resolves when all of them count; earlier messages are not counted. */
  async count(messageBytes: number): Promise<void> {
    await this.#all('counting', () => ({ kind: 'count', messageBytes }));
    this.#counted.fill(0);
  }

  /** Resolves when this many messages have reached every socket. */
  async untilCounted(messages: number): Promise<void> {
    while (Math.min(...this.#counted) < messages) {
      await new Promise<void>((resolve) => {
        this.#onCounted = resolve;
      });
    }
  }

  note(): void {
    for (const child of this.#children) child.send({ kind: 'note' });
  }

  async finish(): Promise<Notes> {
    const all = await this.#all('notes', () => ({ kind: 'finish' }));
    const bySocket = new Map<string, [number, number][]>();
    let closed = 0;
    for (const [loader, saying] of all.entries()) {
      if (saying.kind !== 'notes') continue;
      closed += saying.closed;
      for (let at = 0; at < saying.notes.length; at += 3) {
        const socket = `${loader}.${saying.notes[at]}`;
        const list = bySocket.get(socket) ?? [];
        if (list.length === 0) bySocket.set(socket, list);
        list.push([saying.notes[at + 1], saying.notes[at + 2]]);
      }
    }
    return { bySocket, closed };
  }

  async close(): Promise<void> {
    await this.#all('closed', () => ({ kind: 'close' }));
  }

  kill(): void {
    for (const child of this.#children) child.kill('SIGKILL');
  }

  #all(
    answer: LoaderSaying['kind'],
    orderFor: (at: number) => LoaderOrder,
  ): Promise<LoaderSaying[]> {
    return Promise.all(
      this.#children.map(async (child, at) => {
        child.send(orderFor(at));
        for (;;) {
          const [saying] = (await once(child, 'message')) as [LoaderSaying];
          if (saying.kind === answer) return saying;
        }
      }),
    );
  }
}
