// Exact replay output for a recorded story, and its messages for requests that it cannot answer.
// The golden files are documentation: change them only together with the output.

import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { ask } from './replay-for-test.ts';
import { recordStory } from './story-archive-for-test.ts';

let folder = '';

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rialto-story-'));
  await recordStory(folder);
});

after(() => rm(folder, { recursive: true, force: true }));

/** Request for each golden file. */
const ANSWERS: Record<string, string> = {
  'balance-of-buyer.txt': 'balance --user 7 --asset btc',
  'balance-at-a-time.txt': 'balance --user 7 --asset 1 --at 2026-01-01T00:00:03Z --last 3',
  'balance-of-fees.txt': 'balance --user fees --asset btc --all',
  'balance-of-external.txt': 'balance --user external --asset btc',
  'balance-last-four.txt': 'balance --user 7 --asset btc --last 4',
  'balance-last-one.txt': 'balance --user 7 --asset usdt --at 4 --last 1',
  'balance-without-postings.txt': 'balance --user 7 --asset usdt --at 4 --last 0',
  'balance-of-nobody.txt': 'balance --user 99 --asset usdt',
  'order-filled.txt': 'order --id 00000000-0000-8107-8000-000000000000',
  'order-canceled.txt': 'order --id 8 --all',
  'order-repeated.txt': 'order --id 9 --all',
  'order-open.txt': 'order --id 16',
  'order-stop.txt': 'order --id 15',
  'order-refused.txt': 'order --id 14',
  'order-of-a-listing.txt': 'order --id 1',
  'diff-of-the-day.txt': 'diff --from 3 --to end',
  'diff-limited.txt': 'diff --from 0 --to 3 --limit 2',
  'diff-of-a-trade.txt': 'diff --from 2026-01-01T00:00:02Z --to 1767225603000',
  'diff-of-nothing.txt': 'diff --from 5 --to 6',
};

for (const [file, question] of Object.entries(ANSWERS)) {
  for (const genesis of ['', ' --from-genesis']) {
    test(`${question}${genesis}`, async () => {
      const { code, printed, noted } = await ask(`${question}${genesis} --archive ${folder}`);
      assert.equal(noted, '');
      assert.equal(printed, await golden(file));
      assert.equal(code, 0);
    });
  }
}

const DOCUMENTS: Record<string, string> = {
  'balance.json': 'balance --user 7 --asset usdt --last 2',
  'order.json': 'order --id 7',
  'diff.json': 'diff --from 4 --to 7 --limit 1',
};

for (const [file, question] of Object.entries(DOCUMENTS)) {
  test(`${question} as one document`, async () => {
    const { code, printed } = await ask(`${question} --json --archive ${folder}`);
    assert.deepEqual(JSON.parse(printed), JSON.parse(await golden(file)));
    assert.equal(code, 0);
  });
}

test('verify prints its findings as text and as JSON', async () => {
  const text = await ask(`verify --archive ${folder}`);
  const varying = /^(?:archive|frame hash|state hash|took) /;
  const lines = text.printed.split('\n').filter((line) => !varying.test(line));
  assert.equal(lines.join('\n'), await golden('verify.txt'));
  assert.equal(text.code, 0);
  const document = JSON.parse((await ask(`verify --json --archive ${folder}`)).printed);
  const { elapsedMs, frameHash, stateHash, ...found } = document;
  assert.ok(elapsedMs >= 0);
  assert.match(`${frameHash} ${stateHash}`, /^[0-9a-f]{64} [0-9a-f]{32}$/);
  assert.deepEqual(found, JSON.parse(await golden('verify.json')));
});

test('verify can start from a snapshot and prints which hashes it compared', async () => {
  const { code, printed } = await ask(`verify --from-snapshot --archive ${folder}`);
  assert.match(
    printed,
    /replayed {4}from the snapshot of frame 4: 1 output hash and 2 state hashes/,
  );
  assert.match(printed, /SOUND\n$/);
  assert.equal(code, 0);
});

const WRONG_USAGE: Record<string, RegExp> = {
  '': /Unknown command ''\./,
  'frobnicate --archive F': /Unknown command 'frobnicate'\./,
  verify: /--archive is required/,
  'verify --archive F --user 7': /Unknown option '--user'/,
  'verify --archive F more': /Unexpected argument 'more'/,
  'balance --archive F --asset btc': /--user is required/,
  'balance --archive F --user 7': /--asset is required/,
  'balance --archive F --user 0 --asset btc': /Invalid --user '0': expected a user ID/,
  'balance --archive F --user bob --asset btc': /Invalid --user 'bob': expected a user ID/,
  'balance --archive F --user 7 --asset btc --at noon':
    /Invalid --at 'noon': expected a frame, milliseconds/,
  'balance --archive F --user 7 --asset btc --at 2026-01-01T00:00':
    /Invalid --at '2026-01-01T00:00': expected a frame/,
  'balance --archive F --user 7 --asset btc --last many':
    /Invalid --last 'many': expected a whole number/,
  'balance --archive F --user 7 --asset btc --last 3 --all': /--all and --last cannot be combined/,
  'order --archive F': /--id is required/,
  'order --archive F --id 0': /Invalid --id '0': expected the ID or number of an order/,
  'order --archive F --id 00000000-0000-8207-8000-000000000000':
    /Invalid --id '00000000-.*': expected the ID/,
  'diff --archive F --from 3': /--to is required/,
  'diff --archive F --from 3 --to 4 --limit x': /Invalid --limit 'x': expected a whole number/,
};

for (const [question, message] of Object.entries(WRONG_USAGE)) {
  test(`'${question}' is wrong usage`, async () => {
    const { code, printed, noted } = await ask(question);
    assert.equal(code, 2);
    assert.equal(printed, '');
    assert.match(noted, message);
    assert.match(noted, /^Usage: npm run replay/m);
  });
}

const WITHOUT_ANSWER: Record<string, RegExp> = {
  'balance --user 7 --asset doge': /frame 8: there is no asset doge at this moment/,
  'balance --user 7 --asset btc --at 0': /frame 0: there is no asset btc at this moment/,
  'balance --user 7 --asset btc --at 9': /frame 9: the archive ends with frame 8/,
  'order --id 21': /command 21 is not among the 20 of this archive/,
  'diff --from 4 --to 3': /frame 4 comes after frame 3/,
};

for (const [question, message] of Object.entries(WITHOUT_ANSWER)) {
  test(`'${question}' has no answer in this archive`, async () => {
    const { code, printed, noted } = await ask(`${question} --archive ${folder}`);
    assert.equal(code, 1);
    assert.equal(printed, '');
    assert.match(noted, message);
  });
}

test('a missing folder has no answer either', async () => {
  const { code, noted } = await ask('verify --archive nowhere/at/all');
  assert.equal(code, 1);
  assert.match(noted, /ENOENT/);
});

test('--help prints the usage', async () => {
  const { code, printed } = await ask('--help');
  assert.equal(code, 0);
  assert.match(printed, /^Usage: npm run replay -- COMMAND --archive FOLDER/);
});

function golden(file: string): Promise<string> {
  return readFile(join(import.meta.dirname, 'golden', file), 'utf8');
}
