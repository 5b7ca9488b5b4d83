// The phrasebook rule: each sample must be caught once, look-alikes never.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkPhrasebook } from './phrasebook.ts';
import { sourceFile } from './source-file.ts';

const caught: [path: string, text: string][] = [
  ['core/a.ts', '/** Of the row. */'],
  ['docs/a.md', 'The status at present is full.'],
  ['docs/a.md', 'Enter the present password.'],
  ['docs/a.md', 'This text is no cursor.'],
  ['docs/a.md', 'Cancels work, also after a stop.'],
  ['docs/a.md', 'The row is kept for ever.'],
  ['docs/a.md', 'It has a lock file of its own.'],
  ['docs/a.md', 'PostgreSQL is away.'],
  ['docs/a.md', 'Personal data are sealed.'],
  ['core/a.ts', '// The colour of the chart.'],
  ['core/a.ts', "throw new Error('the order was cancelled');"],
  ['core/a.ts', 'throw new Error(`order ${id} was cancelled`);'],
  ['docs/a.md', 'A device is recognised by its cookie.'],
  ['docs/a.md', 'The disk is 20 % full.'],
  ['docs/a.md', 'Restart the whole exchange.'],
  ['docs/a.md', 'Each replica applies it in turn.'],
  ['docs/a.md', 'Orders close at once.'],
  ['docs/a.md', 'From then on, codes are fixed.'],
  ['docs/a.md', 'The lock expires by itself.'],
  ['docs/a.md', 'Nobody can cancel it.'],
  ['docs/a.md', 'The tests are beside the code.'],
  ['docs/a.md', 'Keep a copy so that you can restore it.'],
  ['docs/a.md', 'One call suffices.'],
  ['docs/a.md', 'A restore is under way.'],
  ['docs/a.md', 'Complete the set-up.'],
  ['docs/a.md', 'Retry, whether or not it failed.'],
  ['docs/a.md', 'A user may not vote twice.'],
];

const accepted: [path: string, text: string][] = [
  ['docs/a.md', 'The order is no longer open.'],
  ['docs/a.md', 'There is no rollback.'],
  ['docs/a.md', 'The column is named `cancelled`.'],
  ['docs/a.md', 'See [setup](set-up.md).'],
  ['docs/a.md', 'An order of 20 hours, at 20%.'],
  ['core/a.ts', "import { catalogue } from './catalogue.ts';"],
  ['core/a.ts', 'const cancelled = 1; // Open orders.'],
  ['core/a.generated.ts', '// The order was cancelled.'],
];

for (const [path, text] of caught) {
  test(`phrasebook: catches ${JSON.stringify(text)}`, () => {
    const found = checkPhrasebook([sourceFile(path, text)]).map(({ message }) => message);
    assert.equal(found.length, 1, found.join('; '));
  });
}

for (const [path, text] of accepted) {
  test(`phrasebook: accepts ${JSON.stringify(text)}`, () => {
    assert.deepEqual(checkPhrasebook([sourceFile(path, text)]), []);
  });
}

test('phrasebook: reports the line', () => {
  const found = checkPhrasebook([sourceFile('docs/a.md', 'One.\nThe order was cancelled.\n')]);
  assert.deepEqual(
    found.map(({ line }) => line),
    [2],
  );
});
