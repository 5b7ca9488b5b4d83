// Three network namespaces on one bridge. A rule at the receiver silently drops packets from one to
// another, in one or both directions, so senders time out as on a broken network. Needs root; the
// names contain the process ID.

import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { NatsHost } from '../../../tools/services/nats.ts';

const COUNT = 3;
/** Priority of the rules that drop packets. */
const DROPS = '10';

export class Network {
  readonly #prefix = `rl${process.pid % 100_000}`;
  readonly #subnet = `10.${100 + (process.pid % 100)}.${process.pid % 250}`;

  open(): void {
    const bridge = `${this.#prefix}b`;
    ip('link', 'add', bridge, 'type', 'bridge');
    ip('addr', 'add', `${this.#subnet}.254/24`, 'dev', bridge);
    ip('link', 'set', bridge, 'up');
    for (let at = 1; at <= COUNT; at++) {
      const [outer, inner, space] = [
        `${this.#prefix}o${at}`,
        `${this.#prefix}i${at}`,
        this.#at(at),
      ];
      ip('netns', 'add', space);
      ip('link', 'add', outer, 'type', 'veth', 'peer', 'name', inner);
      ip('link', 'set', inner, 'netns', space);
      ip('link', 'set', outer, 'master', bridge, 'up');
      ip('-n', space, 'addr', 'add', this.#address(at), 'dev', inner);
      ip('-n', space, 'link', 'set', inner, 'up');
      ip('-n', space, 'link', 'set', 'lo', 'up');
      // Makes room for a rule before the one that delivers packets.
      ip('-n', space, 'rule', 'add', 'pref', '100', 'lookup', 'local');
      ip('-n', space, 'rule', 'del', 'pref', '0');
    }
  }

  get hosts(): readonly NatsHost[] {
    return Array.from({ length: COUNT }, (_, index) => ({
      address: `${this.#subnet}.${index + 1}`,
      command: ['ip', 'netns', 'exec', this.#at(index + 1)],
    }));
  }

  /** Drops packets from one host to another; both indexes start at 0. */
  drop(from: number, to: number): void {
    const source = `${this.#subnet}.${from + 1}`;
    ip('-n', this.#at(to + 1), 'rule', 'add', 'pref', DROPS, 'from', source, 'blackhole');
  }

  /** Lets every packet arrive again. */
  heal(): void {
    for (let at = 1; at <= COUNT; at++) {
      for (let from = 1; from < COUNT; from++) {
        tryIp('-n', this.#at(at), 'rule', 'del', 'pref', DROPS);
      }
    }
  }

  /** Unplugs a host's cable or plugs it in. */
  plug(at: number, state: 'up' | 'down'): void {
    ip('link', 'set', `${this.#prefix}o${at + 1}`, state);
  }

  /** Sets /etc/hosts for processes that start there afterwards. */
  writeHosts(at: number, lines: string): void {
    const folder = this.#folderOf(at + 1);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'hosts'), `127.0.0.1 localhost\n${lines}`);
  }

  close(): void {
    for (let at = 1; at <= COUNT; at++) {
      tryIp('netns', 'del', this.#at(at));
      rmSync(this.#folderOf(at), { recursive: true, force: true });
    }
    tryIp('link', 'del', `${this.#prefix}b`);
  }

  #at(at: number): string {
    return `${this.#prefix}n${at}`;
  }

  /** `ip netns exec` mounts its files over those in /etc. */
  #folderOf(at: number): string {
    return join('/etc/netns', this.#at(at));
  }

  #address(at: number): string {
    return `${this.#subnet}.${at}/24`;
  }
}

function ip(...args: string[]): void {
  execFileSync('ip', args, { stdio: ['ignore', 'ignore', 'pipe'] });
}

function tryIp(...args: string[]): void {
  try {
    ip(...args);
  } catch {
    // It does not exist.
  }
}
