// Tests tokens on a real server: users are found by the last written data, with every key, and
// neither a rotation nor an erasure leaves a token behind.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { UserId } from '../../core/money/index.ts';
import { migrate, type OwnConnection } from '../../infra/postgres/index.ts';
import { readRegistryMigrations } from '../../platform/database/index.ts';
import { Vault } from '../../platform/vault/index.ts';
import { startPostgresForTest } from '../../testing/projections/postgres-for-test.ts';
import { NO_PERSONAL_DATA, renewTokens, writePersonal } from './personal-data.ts';
import { destroyPersonalKey } from './personal-keys.ts';
import {
  birthTexts,
  birthTokens,
  documentTokens,
  hasTokensOf,
  nameTokens,
  phoneTokens,
} from './personal-tokens.ts';
import { createUser } from './users.ts';

const SCHEMA = 'registry';
const OLD = Buffer.alloc(32, 3);
const NEW = Buffer.alloc(32, 4);
const vault = new Vault(new Map([[1, OLD]]));
const both = new Vault(
  new Map([
    [1, OLD],
    [2, NEW],
  ]),
  { activeId: 2 },
);

test('a range of birth dates is split into few years, months and days', () => {
  const rows: [from: string, to: string, texts: string[]][] = [
    ['1990-05-17', '1990-05-17', ['1990-05-17']],
    ['1990-05-01', '1990-06-30', ['1990-05', '1990-06']],
    ['1988-01-01', '1989-12-31', ['1988', '1989']],
    ['1987-12-31', '1989-02-01', ['1987-12-31', '1988', '1989-01', '1989-02-01']],
    ['1990-05-18', '1990-05-17', []],
  ];
  for (const [from, to, texts] of rows) assert.deepEqual(birthTexts(from, to), texts);
  const long = birthTexts('1923-02-02', '2023-11-29');
  assert.ok(long.length < 99 + 22 + 58, `${long.length}`);
});

describe('personal tokens', () => {
  let connection: OwnConnection;
  let stop: () => Promise<void> = async () => {};
  before(async () => {
    const postgres = await startPostgresForTest({ after: (end) => void (stop = end) });
    connection = await postgres.session(SCHEMA);
    await migrate(connection, SCHEMA, readRegistryMigrations());
  });
  after(() => stop());

  test('users are found by phone, document, words of the name and birth date', async () => {
    const ann = await newUser('ann');
    await writePersonal(connection, vault, ann, {
      fullName: 'Anna-María Gonzalez Li',
      phoneNumber: '+41 44 123 45 67',
      dob: '1990-02-03T00:00:00.000Z',
      idData: { ...NO_PERSONAL_DATA.idData, number: 'X-123 456', status: 1 },
    });
    const phone = (text: string) => holders('phone', phoneTokens(vault, text) ?? []);
    const number = (text: string) => holders('document', documentTokens(vault, text) ?? []);
    const born = (from: string, to: string) =>
      holders('birth', birthTokens(vault, { from: new Date(from), to: new Date(to) }));
    const rows: [string, UserId[], UserId[]][] = [
      ['the number', await phone('0041441234567'), [ann]],
      ['part of the number', await phone('441234567'), []],
      ['the document', await number('x123456'), [ann]],
      ['part of the document', await number('x12345'), []],
      ['the year', await born('1990-01-01', '1990-12-31'), [ann]],
      ['the day', await born('1990-02-03', '1990-02-03'), [ann]],
      ['the day after', await born('1990-02-04', '1990-12-31'), []],
      ['a word', await named('gonzalez'), [ann]],
      ['the beginnings of two words', await named('gon ANN'), [ann]],
      ['without the accent', await named('maria'), [ann]],
      ['a short word', await named('Li'), [ann]],
      ['the middle of a word', await named('zalez'), []],
      ['one word that does not match', await named('gon bob'), []],
      ['two letters of a longer word', await named('go'), []],
    ];
    for (const [what, found, expected] of rows) assert.deepEqual(found, expected, what);
    assert.deepEqual(await statusOf(ann), 1);
  });

  test('a write removes the tokens of the values it replaces', async () => {
    const bob = await newUser('bob');
    await writePersonal(connection, vault, bob, { fullName: 'Robert Smith' });
    await writePersonal(connection, vault, bob, { fullName: 'Robert Jones' });
    assert.deepEqual(await named('smith'), []);
    assert.deepEqual(await named('robert jones'), [bob]);
  });

  test('a rotation recreates the tokens, and both keys find users until then', async () => {
    const eve = await newUser('eve');
    await writePersonal(connection, vault, eve, { phoneNumber: '+41 79 000 11 22' });
    const find = (keys: Vault) => holders('phone', phoneTokens(keys, '41790001122') ?? []);
    assert.deepEqual(await find(both), [eve]);
    assert.ok((await renewTokens(connection, both, 1)) >= 1);
    assert.equal(await hasTokensOf(connection, 1), false);
    assert.deepEqual(await find(both), [eve]);
    assert.deepEqual(await find(vault), []);
    assert.equal(await renewTokens(connection, both, 1), 0);
  });

  test('data written before tokens existed gets them', async () => {
    const old = await newUser('old');
    await writePersonal(connection, both, old, { fullName: 'Olden Times' });
    await connection.query('delete from personal_tokens where user_id = $1', [old]);
    await connection.query('update personal_data set token_kek_id = null where user_id = $1', [
      old,
    ]);
    assert.equal(await renewTokens(connection, both), 1);
    const [macs] = nameTokens(both, 'olden');
    assert.deepEqual(await holders('name', macs), [old]);
  });

  test('an erasure deletes the tokens', async () => {
    const gone = await newUser('gone');
    await writePersonal(connection, vault, gone, { phoneNumber: '+41 79 555 55 55' });
    await destroyPersonalKey(connection, gone);
    assert.deepEqual(await holders('phone', phoneTokens(vault, '41795555555') ?? []), []);
  });

  async function named(name: string): Promise<UserId[]> {
    const groups = nameTokens(vault, name);
    const found = await Promise.all(groups.map((macs) => holders('name', macs)));
    return found.reduce((one, other) => one.filter((user) => other.includes(user)));
  }

  async function holders(field: string, macs: readonly Buffer[]): Promise<UserId[]> {
    const { rows } = await connection.query(
      `select distinct user_id from personal_tokens where field = $1 and token_mac = any($2)`,
      [field, macs],
    );
    return rows.map(({ user_id }) => Number(user_id) as UserId);
  }

  async function statusOf(user: UserId): Promise<number> {
    const { rows } = await connection.query(
      'select document_status from personal_data where user_id = $1',
      [user],
    );
    return Number(rows[0].document_status);
  }

  async function newUser(name: string): Promise<UserId> {
    const user = await createUser(connection, { email: `${name}@example.com` });
    assert.ok(typeof user === 'object');
    return user.id;
  }
});
