// One thing that a client does with the exchange and what must come of it, value by value; and the
// small assertions that cases have in common.

import assert from 'node:assert/strict';
import { waitUntil } from '../../tools/services/wait-until.ts';
import type { ClientStage } from './client-stage.ts';

export interface ClientCase {
  /** A sentence. */
  readonly title: string;
  /** Methods and raw endpoints that are proved by it; see coverage.ts for their names. */
  readonly covers: readonly string[];
  run(stage: ClientStage): Promise<void>;
}

const EVENTUALLY_WITHIN_MS = 20_000;

/** The named fields are exactly these; others may be there. */
export function assertFields(actual: object, expected: Readonly<Record<string, unknown>>): void {
  const all = actual as Readonly<Record<string, unknown>>;
  const chosen = Object.fromEntries(Object.keys(expected).map((name) => [name, all[name]]));
  assert.deepEqual(chosen, expected);
}

/** Public data follow the log at a short distance: asked again until it is so, or time is over. */
export async function eventually(check: () => Promise<void>): Promise<void> {
  let latest: unknown;
  try {
    await waitUntil({
      what: 'the public data are there',
      timeoutMs: EVENTUALLY_WITHIN_MS,
      question: async () => {
        try {
          await check();
          return true;
        } catch (fault) {
          if (!(fault instanceof assert.AssertionError)) throw fault;
          latest = fault;
          return false;
        }
      },
    });
  } catch (fault) {
    throw latest ?? fault;
  }
}

/** Rejects with exactly this class of fault, not one above or below it, and says this. */
export async function assertRefused(
  call: Promise<unknown>,
  fault: new (message: string) => Error,
  text: string,
): Promise<void> {
  await assert.rejects(call, (found: Error) => {
    assert.equal(found.constructor.name, fault.name, found.message);
    assert.ok(found.message.includes(text), `'${found.message}' does not say '${text}'`);
    return true;
  });
}
