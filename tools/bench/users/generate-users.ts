// Fills a registry with generated users, each with a password and one in ten with an API key, as
// rows of the same size as those from sign-up. Their tags are random, so a login with them is
// impossible.

import { createHash } from 'node:crypto';
import type { Connection } from '../../../infra/postgres/index.ts';

const PER_STATEMENT = 250_000;
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';

export function emailOf(number: number): string {
  return `user-${number}@bench.example`;
}

/** Every tenth user has a key. */
export function publicKeyOf(number: number): string {
  return createHash('sha256').update(`keyuser-${number}`).digest('hex').slice(0, 40);
}

// Letters of base 36, in an order that spreads over the index like random codes.
const CODE = Array.from(
  { length: 6 },
  (_, digit) =>
    `substr('${LETTERS}', 1 +
      ((i::bigint * 1295417 % 2176782336) / (36 ^ ${digit})::bigint % 36)::int, 1)`,
).join(' || ');

/** Adds the users with these numbers. Returns the seconds that it took. */
export async function generateUsers(
  connection: Connection,
  numbers: { readonly from: number; readonly to: number },
  print: (line: string) => void,
): Promise<number> {
  const startedMs = performance.now();
  for (let { from } = numbers; from <= numbers.to; from += PER_STATEMENT) {
    const to = Math.min(numbers.to, from + PER_STATEMENT - 1);
    await connection.query(
      `with people as (
         insert into users (email, username, affiliation_code)
         select 'user-' || i || '@bench.example', 'user-' || i, ${CODE}
         from generate_series($1::bigint, $2::bigint) i
         returning id, username
       ), tags as (
         insert into passwords (user_id, salt, memory, passes, lanes, kek_id, sealed_tag)
         select id, substr(sha256(username::bytea), 1, 16), 19456, 2, 1, 1,
           sha256(('a' || id)::bytea) || sha256(('b' || id)::bytea) ||
           sha256(('c' || id)::bytea) || substr(sha256(('d' || id)::bytea), 1, 26)
         from people
       )
       insert into api_keys (user_id, name, public_key, kind, kek_id, sealed, expires_at)
       select id, 'bot', substr(encode(sha256(('key' || username)::bytea), 'hex'), 1, 40),
         'hmac', 1, sha256(('e' || id)::bytea) || sha256(('f' || id)::bytea) ||
         sha256(('g' || id)::bytea) || sha256(('h' || id)::bytea) ||
         substr(sha256(('i' || id)::bytea), 1, 12), now() + interval '1800 days'
       from people where substr(username, 6)::bigint % 10 = 0`,
      [from, to],
    );
    if (to % 1_000_000 === 0) print(`${to.toLocaleString('en')} users`);
  }
  await connection.query('vacuum analyze users');
  await connection.query('vacuum analyze passwords');
  await connection.query('vacuum analyze api_keys');
  return (performance.now() - startedMs) / 1_000;
}

/** Bytes of rows and indexes, per row. */
export async function bytesPerRow(connection: Connection, table: string): Promise<number> {
  const { rows } = await connection.query(
    `select pg_total_relation_size('${table}') / greatest(1, count(*)) as n from ${table}`,
  );
  return Number(rows[0].n);
}
