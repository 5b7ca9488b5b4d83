// The projector has handlers for the events of every schema version that this release reads.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SCHEMA_VERSION } from '../../core/messages/index.ts';
import { handlersFor } from './handlers.ts';

test('every schema version up to the current version has handlers, and no later one', () => {
  for (let version = 1; version <= SCHEMA_VERSION; version++) {
    assert.ok(handlersFor(version).LimitsSet, `version ${version}`);
  }
  assert.throws(() => handlersFor(SCHEMA_VERSION + 1), /cannot project/);
});
