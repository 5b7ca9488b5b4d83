// The projector's progress message.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeProgress, encodeProgress, progressSubject } from './progress.ts';

test('progress survives encoding', () => {
  const progress = { frame: 7, eventsSequence: 3, timeMs: 1_700_000_000_123 };
  assert.deepEqual(decodeProgress(encodeProgress(progress)), progress);
  assert.equal(progressSubject('rialto'), 'rialto.projector.progress');
});

for (const text of ['', 'null', '{}', '{"frame":1.5,"eventsSequence":3,"timeMs":4}', '[1,2,3]']) {
  test(`'${text}' is refused as progress`, () => {
    assert.equal(decodeProgress(Buffer.from(text)), undefined);
  });
}
