// One client case: an interaction with the exchange and its expected result, value by value. Also
// the small assertions that cases share.

import assert from 'node:assert/strict';
import { waitUntil } from '../../tools/services/wait-until.ts';
import type { ClientStage } from './client-stage.ts';

export interface ClientCase {
  /** A sentence. */
  readonly title: string;
  /** Methods and raw endpoints that the case proves; see coverage.ts for their names. */
  readonly covers: readonly string[];
  run(stage: ClientStage): Promise<void>;
}

const EVENTUALLY_WITHIN_MS = 20_000;

/** Checks the named fields exactly. Other fields are allowed. */
export function assertFields(actual: object, expected: Readonly<Record<string, unknown>>): void {
  const all = actual as Readonly<Record<string, unknown>>;
  const chosen = Object.fromEntries(Object.keys(expected).map((name) => [name, all[name]]));
  assert.deepEqual(chosen, expected);
}

/** Repeats the check until it passes or times out, because public data lags behind the log. */
export async function eventually(check: () => Promise<void>): Promise<void> {
  let latest: unknown;
  try {
    await waitUntil({
      what: 'the public data is there',
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

/** Checks for a rejection with exactly this error class (not a subclass) and this text. */
export async function assertRefused(
  call: Promise<unknown>,
  fault: new (message: string) => Error,
  text: string,
): Promise<void> {
  await assert.rejects(call, (found: Error) => {
    assert.equal(found.constructor.name, fault.name, found.message);
    assert.ok(found.message.includes(text), `'${found.message}' does not contain '${text}'`);
    return true;
  });
}
