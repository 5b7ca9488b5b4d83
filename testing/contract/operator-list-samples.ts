// Valid requests for operator lists. Files need a row, so samples add what the exchange lacks: a
// login, a deposit address, a closed day.

import { randomUUID } from 'node:crypto';
import type { Pool } from '../../infra/postgres/index.ts';

type Owner = 'admin' | 'alice' | 'bob';

interface ListWorld {
  readonly registry: Pool;
  userId(owner: Owner): number;
  /** Places two orders that match. */
  trade(): Promise<void>;
  sessionHeaders(owner: Owner): Promise<Readonly<Record<string, string>>>;
}

interface ListSample {
  readonly query?: Readonly<Record<string, string | number>>;
}

type MakeSample = (world: ListWorld) => ListSample | Promise<ListSample>;

const BITCOIN = 1;

const ofAlice: MakeSample = (world) => ({ query: { user_id: world.userId('alice') } });

async function trade(world: ListWorld): Promise<ListSample> {
  await world.trade();
  return {};
}

async function login(world: ListWorld): Promise<ListSample> {
  await world.registry.query(
    `insert into logins (user_id, email_mac, outcome, ip, country, user_agent)
     values ($1, '', 'success', '198.51.100.7', 'AT', 'a browser'), (null, '', 'password_wrong',
       '198.51.100.8', '', 'a browser')`,
    [world.userId('alice')],
  );
  return {};
}

async function session(world: ListWorld): Promise<ListSample> {
  await world.sessionHeaders('alice');
  return {};
}

async function wallet(world: ListWorld): Promise<ListSample> {
  await world.registry.query(
    `insert into wallets (user_id, currency, address, network, is_valid)
     values ($1, 'btc', $2, 'btc', false)`,
    [world.userId('alice'), randomUUID()],
  );
  return {};
}

async function closedDay(world: ListWorld): Promise<ListSample> {
  const user = world.userId('alice');
  await world.registry.query(
    `insert into closing_balances (user_id, asset_id, day, total_atoms, external_atoms)
     values ($1, ${BITCOIN}, current_date - 9, 5, 0) on conflict do nothing`,
    [user],
  );
  await world.registry.query(
    `insert into closed_days (user_id, closed_to) values ($1, current_date - 1)
     on conflict (user_id) do update set closed_to = excluded.closed_to`,
    [user],
  );
  return { query: { user_id: user } };
}

export const operatorListSamples = {
  getOrdersOfUsersFile: trade,
  getTradesOfUsersFile: trade,
  getLoginsOfUsers: login,
  getLoginsOfUsersFile: login,
  getSessionsOfUsers: session,
  getSessionsOfUsersFile: session,
  getWalletsOfUsers: wallet,
  getWalletsOfUsersFile: wallet,
  getBalanceHistoryOfUser: closedDay,
  getBalanceHistoryOfUserFile: closedDay,
  getBalanceOfUser: ofAlice,
  getTradingVolumeOfUser: ofAlice,
  getRefererOfUser: ofAlice,
  getAffiliationsOfUser: ofAlice,
  getTimeline: ofAlice,
  search: (world) => ({ query: { q: world.userId('alice') } }),
} as const satisfies Readonly<Record<string, MakeSample>>;
