// How cases watch: until what must be seen is seen, and until the client says that it is cut off.
// A watch gives what came since the last one, so it is taken again and again.

import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { NetworkError } from 'ccxt';
import { assertRefused } from '../client-case.ts';
import type { ClientStage } from '../client-stage.ts';

export type Watching<Seen> = () => Promise<Seen>;

const SEEN_WITHIN_MS = 20_000;
const LATE = Symbol('late');

/** Watches until what came passes; when time is over, the last reason why it did not. */
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

/** Watching starts before the action. The checked condition must not hold before. */
export async function seesOf<Seen>(
  doing: () => Promise<unknown>,
  watching: Watching<Seen>,
  check: (seen: Seen) => void,
): Promise<void> {
  await Promise.all([watchUntil(watching, check), doing()]);
}

/** Rejects with what ends the watching, whatever is seen until then. */
export async function watchToTheEnd(watching: Watching<unknown>): Promise<never> {
  for (;;) await watching();
}

/** The gateway dies while it is watched, is away for as long as this takes, and comes back. */
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
