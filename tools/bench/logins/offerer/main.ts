// Offers logins in a separate process at the lowest priority, because real users do not use the
// exchange's processor. Reads its plan from its first argument and prints one JSON object.

import { setPriority } from 'node:os';
import { startedBy } from '../../../command-line.ts';
import { percentile } from '../../../percentile.ts';
import { RestClient } from '../../../sandbox/rest-client.ts';
import { atRate } from '../at-rate.ts';

export interface LoginPlan {
  readonly url: string;
  readonly password: string;
  readonly perSecond: number;
  readonly forMs: number;
  /** Interval between logins from a known device, in logins. */
  readonly knownEvery: number;
  /** Every `knownEvery`-th user has a known device. */
  readonly people: readonly { readonly email: string; readonly knownAddress: string }[];
}

export interface LoginFigures {
  readonly offered: number;
  readonly completed: number;
  readonly refused: number;
  readonly failed: number;
  readonly completedPerS: number;
  readonly p99Ms: number;
  readonly known: { readonly offered: number; readonly completed: number; readonly p99Ms: number };
}

const LOWEST = 19;

startedBy('npm run bench -- logins');
setPriority(LOWEST);
console.log(JSON.stringify(await offerLogins(JSON.parse(process.argv[2]) as LoginPlan)));

async function offerLogins(plan: LoginPlan): Promise<LoginFigures> {
  const { forMs, knownEvery, password, people, perSecond, url } = plan;
  const client = new RestClient({ url });
  const [times, knownTimes]: [number[], number[]] = [[], []];
  const counts = { completed: 0, refused: 0, failed: 0, known: 0 };
  const offered = await atRate(perSecond, forMs, async (index) => {
    const isKnown = index % knownEvery === 0;
    const { email, knownAddress } = people[index % people.length];
    if (isKnown) counts.known += 1;
    const startedMs = performance.now();
    const { status } = await client.send({
      method: 'POST',
      target: '/v2/login',
      body: { email, password },
      // Every unknown device has a separate address.
      headers: { 'x-forwarded-for': isKnown ? knownAddress : `10.2.${index >> 8}.${index & 255}` },
    });
    if (status === 201) {
      counts.completed += 1;
      (isKnown ? knownTimes : times).push(performance.now() - startedMs);
    } else if (status === 503) counts.refused += 1;
    else counts.failed += 1;
  });
  const { completed, failed, known, refused } = counts;
  return {
    offered,
    completed,
    refused,
    failed,
    completedPerS: Math.round((10_000 * completed) / forMs) / 10,
    p99Ms: percentile(times, 99),
    known: { offered: known, completed: knownTimes.length, p99Ms: percentile(knownTimes, 99) },
  };
}
