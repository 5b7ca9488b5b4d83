// A log is accepted only if it belongs to the exchange that is known, and is as long at least.

import assert from 'node:assert/strict';
import test from 'node:test';
import { type FoundLog, type KnownLog, LogRefused, refuseOther } from './exchange-id.ts';

const FOUND: FoundLog = { exchangeId: 'a1'.repeat(32), completeSinceMs: 5_000, lastFrame: 567 };

const KNOWN: Record<string, [known: Partial<KnownLog>, expected: LogRefused['why'] | 'accepted']> =
  {
    'ends where it was read': [{ frame: 567 }, 'accepted'],
    'has grown since': [{ frame: 1 }, 'accepted'],
    'ends one frame earlier': [{ frame: 568 }, 'older'],
    'belongs to another exchange': [{ frame: 1, exchangeId: 'b2' }, 'foreign'],
    'was restored since, and is shorter': [{ frame: 905, completeSinceMs: 4_999 }, 'accepted'],
    'was restored since, from another exchange': [
      { frame: 1, completeSinceMs: 4_999, exchangeId: 'b2' },
      'foreign',
    ],
    'is that from before a restore': [{ frame: 1, completeSinceMs: 5_001 }, 'older'],
    'is the same, and shorter': [{ frame: 568, completeSinceMs: 5_000 }, 'older'],
  };

for (const [how, [known, expected]] of Object.entries(KNOWN)) {
  test(`a log that ${how}: ${expected}`, () => {
    const all = { by: 'the archive', exchangeId: FOUND.exchangeId, frame: 1, ...known };
    let why: string = 'accepted';
    try {
      refuseOther(FOUND, all);
    } catch (fault) {
      assert.ok(fault instanceof LogRefused && fault.isConfiguration);
      why = fault.why;
    }
    assert.equal(why, expected);
  });
}

test("the text names both ends and the operators' runbook", () => {
  const known = { by: 'the archive', exchangeId: undefined, frame: 905 };
  assert.throws(() => refuseOther(FOUND, known), {
    message:
      'The log ends at frame 567, but the archive has frame 905: the log was lost or is an ' +
      'earlier copy. See docs/operating/log-lost.md.',
  });
});
