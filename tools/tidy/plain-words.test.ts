// The plain words rule: each sample must be caught once, and each look-alike accepted.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkPlainWords } from './plain-words.ts';
import { sourceFile } from './source-file.ts';

const caught: [path: string, text: string][] = [
  ['docs/a.md', 'A closed order can not be amended.'],
  ['core/a.ts', '// A closed order can not be amended.'],
  ['core/a.ts', "throw new Error('it can not be read');"],
  ['core/a.ts', '// The caller, whoever it is, waits.'],
  ['core/a.ts', '// The gateway is told of every change.'],
  ['docs/a.md', 'The same is said of coins.'],
  ['docs/a.md', 'Requests without a key are refused at the door.'],
  ['docs/a.md', 'Slow clients are hung up on.'],
  ['docs/a.md', 'A user can do this himself.'],
  ['docs/a.md', 'Stop. What waits is dropped.'],
  ['docs/a.md', '| fee | What a side pays. |'],
  ['core/a.ts', '// What is open is closed.'],
  ['core/a.ts', '/** Who may trade. */'],
  ['core/a.ts', '/**\n * Whatever comes is kept.\n */'],
  ['core/a.ts', "test('what was written reads back', () => {});"],
  ['core/a.ts', "log.info('who asks is refused');"],
];

const accepted: [path: string, text: string][] = [
  ['docs/a.md', 'It can not only be read but also written.'],
  ['docs/a.md', 'It cannot be read.'],
  ['docs/a.md', 'Two keys are told apart by their names.'],
  ['docs/a.md', 'What happens to open orders? They are canceled.'],
  ['docs/a.md', '## What it costs\n\nNothing.'],
  ['docs/a.md', '| What happened | Code |'],
  ['docs/a.md', 'What to do:\n\n- Retry.'],
  ['core/a.ts', "const title = 'what happened';"],
  ['docs/a.md', 'A user who trades sees what was traded.'],
  ['docs/a.md', 'Rename `what is told` to something else.'],
  ['core/a.ts', '// The engine decides\n// what is open and who may see it.'],
  ['core/a.ts', 'const whoever = he.at(hand);'],
  ['core/a.ts', "const column = 'what';"],
  ['core/a.generated.ts', '// It can not be changed.'],
  ['data/a.json', '"it can not"'],
  ['core/a.ts', "const text = 'POST ONLY order can not be of type market';"],
];

for (const [path, text] of caught) {
  test(`plain words: catches ${JSON.stringify(text)}`, () => {
    const places = checkPlainWords([sourceFile(path, text)]).map(({ message }) => message);
    assert.equal(places.length, 1, places.join('; '));
  });
}

for (const [path, text] of accepted) {
  test(`plain words: accepts ${JSON.stringify(text)}`, () => {
    assert.deepEqual(checkPlainWords([sourceFile(path, text)]), []);
  });
}

test('plain words: reports the line', () => {
  const [{ line }] = checkPlainWords([sourceFile('docs/a.md', 'One.\nTwo can not.\n')]);
  assert.equal(line, 2);
});
