// Tests a user's affiliation code as a referral code, on a real database.

import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import type { UserId } from '../../core/money/index.ts';
import { inTransaction, type OwnConnection } from '../../infra/postgres/index.ts';
import { Refused } from '../../protocol/wire/index.ts';
import { createHouseUser } from '../accounts/index.ts';
import { applyReferral, findReferrer } from './affiliations.ts';
import { checkReferralCode, createReferralCode, listReferralCodes } from './codes.ts';
import {
  configure,
  makePerson,
  openReferralForTest,
  type ReferralForTest,
  SCHEMA,
} from './referral-for-test.ts';

let stage: ReferralForTest;
let registry: OwnConnection;
let distributor: UserId;
let codes = 0;

function keyOf(result: unknown): string | undefined {
  return result instanceof Refused ? result.key : undefined;
}

async function makeCode(owner: UserId, earningRate: number, discount = 0): Promise<string> {
  codes += 1;
  const code = `C${String(codes).padStart(5, '0')}`;
  const asked = { owner, code, discount, earningRate };
  const made = await createReferralCode(registry, asked, { earningRate: 90 });
  assert.ok(!(made instanceof Refused));
  return code;
}

function apply(user: UserId, code: string) {
  return inTransaction(registry, () => applyReferral(registry, { user, code }, SCHEMA));
}

async function affiliationCodeOf(user: UserId): Promise<string> {
  const found = await registry.query('select affiliation_code from users where id = $1', [user]);
  return found.rows[0].affiliation_code;
}

describe('affiliation codes', () => {
  before(async () => {
    stage = await openReferralForTest();
    ({ registry } = stage);
    distributor = await makePerson(registry);
  });
  after(() => stage.close());
  beforeEach(() => configure(registry, distributor));

  test('the affiliation code of a user without codes refers to that user', async () => {
    const [referrer, user] = [await makePerson(registry), await makePerson(registry)];
    const code = await affiliationCodeOf(referrer);
    await configure(registry, distributor, { earning_rate: 35 });
    assert.equal(await apply(user, code.toLowerCase()), undefined);
    assert.equal((await findReferrer(registry, user))?.id, referrer);
    const [stored, ...others] = await listReferralCodes(registry, referrer);
    assert.deepEqual(others, []);
    const { discount, earningRate, uses } = stored;
    assert.deepEqual([stored.code, discount, earningRate, uses], [code, 0, 30, 1]);
    assert.equal(await apply(await makePerson(registry), code), undefined, 'again');
  });

  test('the affiliation code of a user with codes is an alias for the first one', async () => {
    const [referrer, user] = [await makePerson(registry), await makePerson(registry)];
    const first = await makeCode(referrer, 30, 20);
    await makeCode(referrer, 50);
    const found = await checkReferralCode(registry, await affiliationCodeOf(referrer), {
      earningRate: 90,
    });
    assert.deepEqual([found?.code, found?.discount], [first, 20]);
    assert.equal(await apply(user, await affiliationCodeOf(referrer)), undefined);
    assert.equal((await listReferralCodes(registry, referrer)).length, 2);
  });

  test("a lowered earning rate disables it like its owner's codes", async () => {
    const referrer = await makePerson(registry);
    await makeCode(referrer, 50);
    const code = await affiliationCodeOf(referrer);
    assert.equal(await checkReferralCode(registry, code, { earningRate: 40 }), undefined);
  });

  test("another user's affiliation code cannot be taken", async () => {
    const [owner, thief] = [await makePerson(registry), await makePerson(registry)];
    const code = (await affiliationCodeOf(owner)).toLowerCase();
    const take = (user: UserId) =>
      createReferralCode(
        registry,
        { owner: user, code, discount: 0, earningRate: 10 },
        { earningRate: 90 },
      );
    assert.equal(keyOf(await take(thief)), 'referral_code_taken');
    assert.equal(keyOf(await take(owner)), undefined);
  });

  test('neither its owner nor a house account can refer users', async () => {
    const owner = await makePerson(registry);
    const code = await affiliationCodeOf(owner);
    assert.equal(keyOf(await apply(owner, code)), 'referral_code_own');
    const house = await createHouseUser(registry);
    const ofHouse = await affiliationCodeOf(house);
    assert.equal(keyOf(await apply(owner, ofHouse)), 'referral_code_unknown');
  });
});
