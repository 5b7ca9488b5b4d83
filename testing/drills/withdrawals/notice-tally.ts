// Withdrawal notices that the stream received: every change at least once and in order, and how
// long each took.

import type { Bus } from '../../../infra/bus/index.ts';
import { noticeSubject } from '../../../platform/outbox/index.ts';
import type { WithdrawalMessage } from '../../../protocol/index.ts';
import type { SandboxAdmin } from '../../../tools/sandbox/sandbox-admin.ts';
import { EXCHANGE } from '../../../tools/sandbox/sandbox-settings.ts';

export interface NoticeFaults {
  /** Changes without a notice. */
  readonly missedNotices: number;
  /** Notices that arrived before an earlier change of their request. */
  readonly disorderedNotices: number;
}

export class NoticeTally {
  readonly #changes = new Map<number, Set<number>>();
  #disordered = 0;
  #tookMs: number[] = [];

  constructor(bus: Bus) {
    bus.subscribe(noticeSubject(EXCHANGE, '*', 'withdrawal'), (message) => {
      this.#add(JSON.parse(Buffer.from(message).toString()) as WithdrawalMessage);
    });
  }

  /** Returns the times from each change to its notice, since the last call. */
  takeTimesMs(): number[] {
    const taken = this.#tookMs;
    this.#tookMs = [];
    return taken;
  }

  async judge({ registry }: SandboxAdmin): Promise<NoticeFaults> {
    const { rows } = await registry.query(
      `select id, withdrawal_request as request from transfer_changes
       where withdrawal_request is not null`,
    );
    const isMissed = (row: { id: string; request: string }) =>
      this.#changes.get(Number(row.request))?.has(Number(row.id)) !== true;
    return {
      missedNotices: rows.filter(isMissed).length,
      disorderedNotices: this.#disordered,
    };
  }

  #add({ data }: WithdrawalMessage): void {
    const { change, id, updated_at } = data;
    const seen = this.#changes.get(id) ?? new Set();
    this.#changes.set(id, seen);
    // A repeated notice is not out of order.
    if (seen.has(change)) return;
    if ([...seen].some((earlier) => earlier > change)) this.#disordered += 1;
    seen.add(change);
    this.#tookMs.push(Date.now() - Date.parse(updated_at));
  }
}
