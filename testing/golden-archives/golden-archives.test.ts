// Replays the archive of each release and compares its recorded hashes. A mismatch means that this
// release decides differently under the same rules version, so the change needs a new version.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { verify } from '../../tools/replay/verify.ts';

const RECORDED = join(import.meta.dirname, 'recorded');
const releases = readdirSync(RECORDED);

const onProblem = (problem: unknown) => assert.fail(String(problem));

test('there is an archive of a release', () => {
  assert.ok(releases.length > 0);
});

for (const release of releases) {
  test(`the archive of release ${release} replays to its recorded hashes`, async () => {
    const folder = join(RECORDED, release);
    const expected = JSON.parse(readFileSync(join(folder, 'hashes.json'), 'utf8'));
    for (const flow of Object.keys(expected)) {
      const archive = join(folder, flow);
      const found = await verify({ folder: archive, usesSnapshots: false, onProblem });
      assert.equal(found.difference, null, flow);
      const { commands, frameHash, frames, outputHashesEqual, segments, stateHash } = found;
      assert.deepEqual({ commands, frames, frameHash, stateHash }, expected[flow], flow);
      assert.equal(outputHashesEqual, segments, 'the events of each segment are equal');
    }
  });
}
