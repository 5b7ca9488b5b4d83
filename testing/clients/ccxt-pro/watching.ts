// Helpers that watch until an expected update arrives, or until the client reports a lost
// connection. A watch returns the updates since the last one, so it is repeated.

import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { NetworkError } from 'ccxt';
import { assertRefused } from '../client-case.ts';
import type { ClientStage } from '../client-stage.ts';

export type Watching<Seen> = () => Promise<Seen>;

const SEEN_WITHIN_MS = 20_000;
const LATE = Symbol('late');

/** Watches until an update passes the check. On timeout, throws the last failure. */
export async function watchUntil<Seen>(
  watching: Watching<Seen>,
  check: (seen: Seen) => void,
): Promise<void> {
  const ending = new AbortController();
  const { signal } = ending;
  const late = delay(SEEN_WITHIN_MS, LATE, { signal }).catch(() => LATE);
  let latest: unknown = new Error('nothing was seen');
  try {
    for (;;) {
      const seen = await Promise.race([watching(), late]);
      if (seen === LATE) throw latest;
      try {
        check(seen as Seen);
        return;
      } catch (fault) {
        if (!(fault instanceof assert.AssertionError)) throw fault;
        latest = fault;
      }
    }
  } finally {
    ending.abort();
  }
}

/** Starts to watch before the action. The checked condition must not be true before. */
export async function seesOf<Seen>(
  doing: () => Promise<unknown>,
  watching: Watching<Seen>,
  check: (seen: Seen) => void,
): Promise<void> {
  await Promise.all([watchUntil(watching, check), doing()]);
}

/** Watches until an error ends the watch, and rejects with that error. */
export async function watchToTheEnd(watching: Watching<unknown>): Promise<never> {
  for (;;) await watching();
}

/** Kills the gateway while it is watched, runs the action, and restarts the gateway. */
export async function withoutGateway(
  { sandbox }: ClientStage,
  watching: Watching<unknown>,
  meanwhile: () => Promise<unknown>,
): Promise<void> {
  const gateway = sandbox.service('gateway-websocket-1');
  const end = assertRefused(watchToTheEnd(watching), NetworkError, 'closing code 1006');
  try {
    await Promise.all([end, gateway.kill()]);
    await meanwhile();
  } finally {
    await gateway.start();
  }
}
