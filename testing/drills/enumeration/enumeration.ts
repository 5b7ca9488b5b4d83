// Checks that responses do not reveal which addresses have an account: sign-up, login, reset and
// verification answer known and unknown addresses with the same bytes in the same time. Each
// endpoint is called 1,000 times for both kinds. Fails if answers differ or the rank test finds a
// timing difference.

import { startSandbox } from '../../../tools/sandbox/sandbox.ts';
import { compare } from './rank-test.ts';
import {
  makeKnownAddresses,
  PUBLIC_CALLS,
  SETTINGS_FOR_MANY_CALLS,
  timeCalls,
} from './timed-calls.ts';

const TRIES = { full: 1_000, quick: 100 };
/** Five calls are compared: together they raise a false alarm in one of a hundred runs. */
const P_MIN = 0.01 / Object.keys(PUBLIC_CALLS).length;

export async function run({ quick }: { quick: boolean }): Promise<Record<string, unknown>> {
  const tries = quick ? TRIES.quick : TRIES.full;
  const gatewaySettings = SETTINGS_FOR_MANY_CALLS;
  const sandbox = await startSandbox({ gatewaySettings, checkAnswers: false });
  try {
    const known = await makeKnownAddresses(sandbox, tries);
    const results: Record<string, unknown> = {};
    let differing = 0;
    for (const [name, ask] of Object.entries(PUBLIC_CALLS)) {
      const { answers, knownMs, unknownMs } = await timeCalls(sandbox.url, ask, known);
      const compared = compare(knownMs, unknownMs);
      results[name] = { ...compared, differentAnswers: answers.length };
      console.log(`${name.padEnd(8)}${JSON.stringify(results[name])}`);
      for (const answer of answers.slice(0, 3)) console.error(`${name}: ${answer}`);
      if (answers.length !== 1 || compared.p < P_MIN) differing += 1;
    }
    if (differing > 0) process.exitCode = 1;
    return { tries, differing, ...results };
  } finally {
    await sandbox.stop();
  }
}
