// Tests address books on a real PostgreSQL: when an address becomes active, which changes need the
// second factor, and which emails the owner gets.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Pool } from '../../../infra/postgres/index.ts';
import { Refused } from '../../../protocol/wire/index.ts';
import { makeSession, PersonForTest } from '../../auth/person-for-test.ts';
import { openRegistryForTest, type RegistryForTest, vault } from '../../auth/registry-for-test.ts';
import {
  ADDRESS_BOOK_MAX,
  ADDRESS_DELAY_MS,
  type AddressBook,
  type BookAddress,
  readAddressBook,
  replaceAddressBook,
  setBookOnly,
} from './address-book.ts';

const COLD = entry('cold', 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq');
const WARM = entry('warm', '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa');
const THIEF = entry('thief', '3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy');

let registry: RegistryForTest;
let pool: Pool;

function entry(label: string, address: string, change: Partial<BookAddress> = {}): BookAddress {
  return { label, address, tag: '', network: 'btc', currency: 'btc', ...change };
}

type Proof = 'proven' | 'none' | 'wrong';

async function replace(
  person: PersonForTest,
  addresses: readonly BookAddress[],
  proof: Proof = 'proven',
): Promise<AddressBook | Refused> {
  const act = person.act();
  const otpCode = { proven: person.otp(act), none: '', wrong: '000000' }[proof];
  return person.do((connection) =>
    replaceAddressBook(connection, vault, act, { addresses, otpCode }),
  );
}

async function replaced(
  person: PersonForTest,
  addresses: readonly BookAddress[],
  proof: Proof = 'proven',
): Promise<AddressBook> {
  const book = await replace(person, addresses, proof);
  assert.ok(!(book instanceof Refused), JSON.stringify(book));
  return book;
}

/** Label, address, and the remaining delay in whole hours. */
function shown({ entries }: AddressBook, nowMs: number) {
  return entries.map(({ activeAt, address, label }) => {
    const waitsMs = Math.max(0, activeAt.getTime() - nowMs);
    return `${label} ${address.slice(0, 4)} ${Math.ceil(waitsMs / 3_600_000)}h`;
  });
}

async function makeActive(person: PersonForTest): Promise<void> {
  await pool.query(`update address_book set active_at = '2020-01-01' where user_id = $1`, [
    person.user,
  ]);
}

describe('address books', () => {
  before(async () => {
    registry = await openRegistryForTest();
    ({ pool } = registry);
  });
  after(() => registry.close());

  test('a new address can be used after a day, and its owner gets an email', async () => {
    const person = await PersonForTest.make(pool);
    const act = person.act();
    const asked = { addresses: [COLD], otpCode: person.otp(act) };
    const book = await person.do((connection) => replaceAddressBook(connection, vault, act, asked));
    assert.ok(!(book instanceof Refused));
    const [{ activeAt, createdAt, label }] = book.entries;
    assert.equal(label, 'cold');
    assert.equal(createdAt.getTime(), act.nowMs);
    assert.equal(activeAt.getTime(), act.nowMs + 86_400_000);
    const { values } = await person.lastMail('address_book_changed');
    assert.deepEqual(values.added, ['BTC bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq (btc)']);
    assert.deepEqual(values.removed, []);
    assert.equal(values.effectiveFrom, activeAt.toISOString());
    assert.deepEqual(await readAddressBook(pool, act), book);
  });

  // Starts from a book with cold and warm, both active.
  const swaps: [what: string, wanted: readonly BookAddress[], after: readonly string[]][] = [
    ['nothing changes', [COLD, WARM], ['cold bc1q 0h', 'warm 1A1z 0h']],
    [
      'an entry gets another address under its old label',
      [{ ...COLD, address: THIEF.address }, WARM],
      ['warm 1A1z 0h', 'cold 3J98 24h'],
    ],
    [
      'a new address takes a label, and the old one is renamed',
      [{ ...THIEF, label: 'cold' }, { ...COLD, label: 'old' }, WARM],
      ['old bc1q 0h', 'warm 1A1z 0h', 'cold 3J98 24h'],
    ],
    [
      'two entries swap their labels',
      [
        { ...COLD, label: 'warm' },
        { ...WARM, label: 'cold' },
      ],
      ['warm bc1q 0h', 'cold 1A1z 0h'],
    ],
    [
      'the same address in another network',
      [COLD, WARM, { ...COLD, label: 'other', network: 'other' }],
      ['cold bc1q 0h', 'warm 1A1z 0h', 'other bc1q 24h'],
    ],
    [
      'the same address for another currency',
      [COLD, WARM, { ...COLD, label: 'other', currency: 'usdt' }],
      ['cold bc1q 0h', 'warm 1A1z 0h', 'other bc1q 24h'],
    ],
    [
      'the same address with a tag',
      [{ ...COLD, tag: '7' }, WARM],
      ['warm 1A1z 0h', 'cold bc1q 24h'],
    ],
  ];
  for (const [what, wanted, expected] of swaps) {
    test(`abuse 30: age belongs to the address: ${what}`, async () => {
      const person = await PersonForTest.make(pool);
      await replaced(person, [COLD, WARM]);
      await makeActive(person);
      const act = person.act();
      const asked = { addresses: wanted, otpCode: person.otp(act) };
      const book = await person.do((connection) =>
        replaceAddressBook(connection, vault, act, asked),
      );
      assert.ok(!(book instanceof Refused), JSON.stringify(book));
      assert.deepEqual(shown(book, act.nowMs), expected);
    });
  }

  test('abuse 30: an address that is removed and added again is delayed again', async () => {
    const person = await PersonForTest.make(pool);
    await replaced(person, [COLD]);
    await makeActive(person);
    assert.deepEqual((await replaced(person, [], 'none')).entries, []);
    const book = await replaced(person, [COLD]);
    assert.ok(book.entries[0].activeAt.getTime() > Date.now() + ADDRESS_DELAY_MS / 2);
    const { rows } = await pool.query(
      'select removed_at is null as live from address_book where user_id = $1 order by id',
      [person.user],
    );
    assert.deepEqual(rows, [{ live: false }, { live: true }]);
  });

  // Starts from a book with cold.
  const factors: [what: string, wanted: readonly BookAddress[], proof: Proof, outcome: string][] = [
    ['a new address', [COLD, WARM], 'proven', '2 entries'],
    ['a new address', [COLD, WARM], 'none', 'factor_wrong'],
    ['a new address', [COLD, WARM], 'wrong', 'factor_wrong'],
    ['a new address for an old one', [WARM], 'none', 'factor_wrong'],
    ['a removal', [], 'none', '0 entries'],
    ['a new label', [{ ...COLD, label: 'new' }], 'none', '1 entries'],
    ['the same book', [COLD], 'none', '1 entries'],
  ];
  for (const [what, wanted, proof, expected] of factors) {
    test(`${what}, factor ${proof}: ${expected}`, async () => {
      const person = await PersonForTest.make(pool);
      await replaced(person, [COLD]);
      assert.equal(outcome(await replace(person, wanted, proof)), expected);
      if (!expected.endsWith('entries')) {
        const { entries } = await readAddressBook(pool, person.act());
        assert.deepEqual(
          entries.map(({ label }) => label),
          ['cold'],
        );
      }
    });
  }

  test('a user without a factor has none to prove', async () => {
    const person = await PersonForTest.make(pool, { hasOtp: false });
    assert.equal(outcome(await replace(person, [COLD], 'none')), '1 entries');
  });

  test("only the owner's login session can change the book", async () => {
    const person = await PersonForTest.make(pool);
    const session = await makeSession(pool, person.user, ['user']);
    await pool.query(`update sessions set kind = 'shared' where id = $1`, [session]);
    const guest = person.in(session);
    assert.equal(outcome(await replace(guest, [COLD])), 'session_of_person_needed');
    const act = guest.act();
    const change = await guest.do((connection) =>
      setBookOnly(connection, vault, act, { isBookOnly: true, otpCode: '' }),
    );
    assert.equal(outcome(change), 'session_of_person_needed');
  });

  test('the same book again changes nothing and sends no email', async () => {
    const person = await PersonForTest.make(pool);
    await replaced(person, [COLD]);
    const before = (await person.mails()).length;
    await replaced(person, [COLD], 'none');
    assert.equal((await person.mails()).length, before);
  });

  const lists: [what: string, addresses: readonly BookAddress[], outcome: string][] = [
    ['a duplicate label', [COLD, { ...WARM, label: 'cold' }], 'address_book_label_repeated'],
    ['a duplicate address', [COLD, { ...COLD, label: 'x' }], 'address_book_address_repeated'],
    ['as many as allowed', many(ADDRESS_BOOK_MAX), '100 entries'],
    ['one too many', many(ADDRESS_BOOK_MAX + 1), 'address_book_too_long'],
  ];
  for (const [what, addresses, expected] of lists) {
    test(`a list with ${what}: ${expected}`, async () => {
      const person = await PersonForTest.make(pool);
      assert.equal(outcome(await replace(person, addresses)), expected);
    });
  }

  test('of two concurrent replacements, one complete book remains', async () => {
    const person = await PersonForTest.make(pool, { hasOtp: false });
    for (let round = 0; round < 4; round++) {
      await Promise.all([
        replace(person, [{ ...COLD, label: `cold ${round}` }], 'none'),
        replace(person, [{ ...WARM, label: `warm ${round}` }], 'none'),
      ]);
      const { entries } = await readAddressBook(pool, person.act());
      assert.equal(entries.length, 1);
    }
  });

  test('"only the book" begins immediately and ends after a day, with the factor', async () => {
    const person = await PersonForTest.make(pool);
    assert.deepEqual(await bookOnly(person, true, 'none'), { isBookOnly: true, ends: undefined });
    assert.equal(await bookOnly(person, false, 'none'), 'factor_wrong');
    const end = await bookOnly(person, false, 'proven');
    assert.ok(typeof end === 'object' && end.ends !== undefined && end.isBookOnly);
    const { values } = await person.lastMail('book_only_changed');
    assert.deepEqual(
      [values.isBookOnly, values.effectiveFrom],
      [false, new Date(end.ends).toISOString()],
    );
    // Switching it off again does not move the end time.
    assert.deepEqual(await bookOnly(person, false, 'proven'), end);
    const { user } = person;
    const at = async (nowMs: number) => (await readAddressBook(pool, { user, nowMs })).isBookOnly;
    assert.deepEqual([await at(end.ends - 1), await at(end.ends)], [true, false]);
    // Until then, the rule can be kept without any proof.
    assert.deepEqual(await bookOnly(person, true, 'none'), { isBookOnly: true, ends: undefined });
    assert.equal(await at(end.ends), true);
  });
});

async function bookOnly(person: PersonForTest, isBookOnly: boolean, proof: Proof) {
  const act = person.act();
  const otpCode = proof === 'proven' ? person.otp(act) : '';
  const book = await person.do((connection) =>
    setBookOnly(connection, vault, act, { isBookOnly, otpCode }),
  );
  if (book instanceof Refused) return book.key;
  return { isBookOnly: book.isBookOnly, ends: book.bookOnlyUntil?.getTime() };
}

function outcome(book: AddressBook | Refused): string {
  return book instanceof Refused ? book.key : `${book.entries.length} entries`;
}

function many(count: number): BookAddress[] {
  return Array.from({ length: count }, (_, at) => entry(`label ${at}`, `address${at}`));
}
