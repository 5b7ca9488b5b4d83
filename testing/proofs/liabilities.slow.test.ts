// Proofs of liabilities end to end: real services, a publication of the archivist's snapshot, a
// user's download, the verifier page in Chromium without a network, and an auditor's run.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';
import { type LiabilityProofFile, verifyLiabilityProof } from '../../client/index.ts';
import {
  buildLiabilityTree,
  openLiabilitySeed,
  openPublicationSigner,
  publicationFile,
  readLeafBlocks,
  readRecordBlocks,
  recordsOf,
} from '../../features/proofs/index.ts';
import { chromiumPath } from '../../tools/client/test-runtimes.ts';
import { RestClient } from '../../tools/sandbox/rest-client.ts';
import { type Sandbox, startSandbox } from '../../tools/sandbox/sandbox.ts';
import { accessKeyFile, REGISTRY_SCHEMA } from '../../tools/sandbox/sandbox-settings.ts';
import { waitUntil } from '../../tools/services/wait-until.ts';
import { VERIFIER_FILE } from '../../tools/verifier/verifier-page.ts';

const ROOT = join(import.meta.dirname, '../..');
const CLI = join(ROOT, 'tools/cli/main.ts');
const TIMEOUT_MS = 60_000;

let sandbox: Sandbox;
let user: RestClient;
let userId: number;
let email: string;
const folder = mkdtempSync(join(tmpdir(), 'rialto-proofs-'));
const inFolder = (name: string) => join(folder, name);

before(async () => {
  sandbox = await startSandbox({
    withArchivist: true,
    archivistSettings: { RIALTO_SNAPSHOT_EVERY_MS: '500', RIALTO_SEGMENT_EVERY_MS: '500' },
  });
  const [trader] = await sandbox.createTraders({ count: 3 });
  const { key, secret } = trader;
  userId = trader.user;
  user = new RestClient({ url: sandbox.url, key, secret });
  ({ email } = (await user.get('/user')).body);
});
after(async () => {
  await sandbox?.stop();
  rmSync(folder, { recursive: true });
});

interface Run {
  readonly code: number;
  readonly out: string;
}

/** The auditor's commands get no settings: their machine has no server. */
function rialto(words: readonly string[], withServers = true): Promise<Run> {
  const { nats, postgres } = sandbox;
  const servers = {
    RIALTO_POSTGRES_URL: postgres.url,
    RIALTO_REGISTRY_SCHEMA: REGISTRY_SCHEMA,
    RIALTO_ACCESS_KEY_FILE: accessKeyFile(sandbox.folder),
    RIALTO_NATS_URLS: nats.urls.join(','),
  };
  const env = { PATH: process.env.PATH, ...(withServers ? servers : {}) };
  return new Promise((done) => {
    execFile(process.execPath, [CLI, ...words], { cwd: ROOT, env }, (fault, stdout, stderr) => {
      done({ code: fault === null ? 0 : Number(fault.code), out: stdout + stderr });
    });
  });
}

const archive = () => join(sandbox.folder, 'archive');
const proofOf = async (): Promise<LiabilityProofFile> => {
  const { body, status, text } = await user.get('/user/liability-proof');
  assert.equal(status, 200, text);
  return body;
};

describe('proofs of liabilities', () => {
  test('nothing is published at first, and a user gets no proof', async () => {
    const { body } = await new RestClient({ url: sandbox.url }).get('/liabilities');
    assert.deepEqual(body, { count: 0, data: [] });
    assert.equal((await user.get('/user/liability-proof')).status, 404);
  });

  test('a snapshot with the deposits is published, once', async () => {
    await waitUntil({
      what: 'a publication with the deposits',
      timeoutMs: TIMEOUT_MS,
      question: async () => {
        const { code, out } = await rialto(['proof', 'publish', '--archive', archive()]);
        if (code !== 0) return false;
        assert.match(out, /published.* frame \d+/);
        return (await proofOf()).assets.length > 0;
      },
    });
    const { body } = await new RestClient({ url: sandbox.url }).get('/liabilities');
    const [{ document, frame, hash }] = body.data;
    const again = await rialto(['proof', 'publish', '--archive', archive(), '--frame', `${frame}`]);
    assert.deepEqual([again.code, again.out.includes(hash)], [0, true], again.out);
    for (const { fees, house, issued, total } of JSON.parse(document).assets) {
      const parts = [total, fees, ...house.map(({ atoms }: { atoms: string }) => atoms)];
      assert.equal(
        parts.reduce((sum: bigint, part: string) => sum + BigInt(part), 0n),
        BigInt(issued),
      );
    }
  });

  test("a user's proof shows exactly the balance", async () => {
    const { amounts, findings } = await verifyLiabilityProof(await proofOf(), { word: email });
    assert.deepEqual(findings, []);
    const { body } = await user.get('/user/balance');
    for (const { amount, asset } of amounts) {
      assert.equal(Number(amount), body[`${asset}_balance`], asset);
    }
    assert.ok(amounts.length > 0);
  });

  test('the command line accepts the file, but no changed amount and no other word', async () => {
    const proof = await proofOf();
    writeFileSync(inFolder('proof.json'), JSON.stringify(proof));
    const verify = (file: string, word: string) =>
      rialto(['proof', 'verify', inFolder(file), '--word', word], false);
    const good = await verify('proof.json', email);
    assert.equal(good.code, 0, good.out);
    assert.match(good.out, new RegExp(`valid: user ${userId} is included`));
    const changed = JSON.parse(JSON.stringify(proof));
    const [chunk] = changed.assets[0].chunks;
    chunk.atoms = `${BigInt(chunk.atoms) + 1n}`;
    writeFileSync(inFolder('changed.json'), JSON.stringify(changed));
    const bad = await verify('changed.json', email);
    assert.deepEqual([bad.code, /INVALID root mismatch/.test(bad.out)], [1, true], bad.out);
    const other = await verify('proof.json', 'eve@example.com');
    assert.deepEqual([other.code, /INVALID root mismatch/.test(other.out)], [1, true], other.out);
  });

  test('the verifier page works in Chromium without a network', async (context) => {
    const browser = await chromium.launch({
      executablePath: await chromiumPath(),
      args: ['--no-sandbox', '--disable-dev-shm-usage'],
      timeout: TIMEOUT_MS,
    });
    try {
      const page = await browser.newPage();
      page.setDefaultTimeout(TIMEOUT_MS);
      const requests: string[] = [];
      page.on('request', (request) => requests.push(request.url()));
      await page.goto(pathToFileURL(VERIFIER_FILE).href);
      await page.context().setOffline(true);
      const result = async (file: string, word: string) => {
        await page.setInputFiles('#file', inFolder(file));
        await page.fill('#word', word);
        await page.click('button');
        await page.waitForSelector('.good, .bad');
        return page.innerText('#result');
      };
      const included = await result('proof.json', email);
      assert.match(included, /Your balance is included/);
      assert.match(included, new RegExp(`user ID ${userId}\\.`));
      context.diagnostic(included.match(/[\d.]+ ms/)?.[0] ?? 'no time');
      const picture = process.env.RIALTO_PROOF_PICTURES;
      if (picture !== undefined)
        await page.screenshot({ path: `${picture}/good.png`, fullPage: true });
      assert.match(await result('changed.json', email), /Not verified[\s\S]*not in the published/);
      if (picture !== undefined)
        await page.screenshot({ path: `${picture}/bad.png`, fullPage: true });
      assert.deepEqual(requests, [pathToFileURL(VERIFIER_FILE).href]);
    } finally {
      await browser.close();
    }
  });

  test('an auditor reproduces the publication from the archive, or names the account', async () => {
    for (const words of [
      ['--to', inFolder('mirror')],
      ['--to', inFolder('audit'), '--for-auditor'],
    ]) {
      const { code, out } = await rialto(['proof', 'export', ...words]);
      assert.equal(code, 0, out);
    }
    const { frame } = await proofOf();
    const file = (name: string) => join(inFolder('audit'), `liabilities-${frame}.${name}`);
    const words = (options: Readonly<Record<string, string>>) => [
      'audit',
      'liabilities',
      `--seed=${file('seed')}`,
      `--words=${file('words')}`,
      ...Object.entries(options).map(([name, value]) => `--${name}=${value}`),
    ];
    const audit = (publication: string, leaves: string) =>
      rialto(words({ archive: archive(), frame: `${frame}`, publication, leaves }), false);
    const good = await audit(file('jsonl'), inFolder('mirror'));
    assert.equal(good.code, 0, good.out);
    assert.match(good.out, /reproduced/);
    await cheat(frame);
    const bad = await audit(file('cheat'), inFolder('cheat'));
    assert.equal(bad.code, 1, bad.out);
    assert.match(bad.out, new RegExp(`DIFFERS \\w+ user ${userId}: \\d+ atoms are missing`));
  });
});

/** Publishes as a dishonest exchange does: correct signature, one account left out. */
async function cheat(frame: number): Promise<void> {
  const { registry, vault } = sandbox.admin;
  const seed = (await openLiabilitySeed(registry, vault, frame))!;
  const honest = readFileSync(join(inFolder('audit'), `liabilities-${frame}.jsonl`), 'utf8');
  const document = JSON.parse(honest.split('\n')[0]);
  mkdirSync(inFolder('cheat'));
  for (const [index, published] of document.assets.entries()) {
    const { asset } = published;
    const name = join(inFolder('cheat'), `liabilities-${frame}-${asset}.leaves`);
    writeFileSync(name, await readLeafBlocks(registry, frame, asset));
    if (index > 0) continue;
    const kept = [];
    for await (const block of readRecordBlocks(registry, frame, asset)) {
      kept.push(...recordsOf(block).filter((record) => record.user !== userId));
    }
    const users = Uint32Array.from(kept, (record) => record.user);
    const atoms = BigUint64Array.from(kept, (record) => record.atoms);
    const digests = Buffer.concat(kept.map(({ word }) => word));
    const parts = buildLiabilityTree(asset, { users, atoms }, { users, digests }, seed);
    const leaves: Buffer[] = [];
    let step = parts.next();
    for (; step.done !== true; step = parts.next()) {
      if ('nodes' in step.value && step.value.tier === 0)
        leaves.push(Buffer.from(step.value.nodes));
    }
    const { depth, root, totalAtoms } = step.value;
    const missing = BigInt(published.total) - totalAtoms;
    Object.assign(published, {
      root: root.toString('hex'),
      depth,
      leaves: step.value.leaves,
      total: `${totalAtoms}`,
      issued: `${BigInt(published.issued) - missing}`,
    });
    writeFileSync(name, Buffer.concat(leaves));
  }
  const signer = await openPublicationSigner(registry, vault);
  const file = publicationFile(signer.sign(document));
  writeFileSync(join(inFolder('audit'), `liabilities-${frame}.cheat`), file);
}
