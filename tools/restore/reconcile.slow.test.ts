// A registry on a real PostgreSQL goes back in time, while its log does not: reconcile rebuilds the
// registry's lost part once, and leaves to operators what only they can decide.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { Command } from '../../core/messages/index.ts';
import type { AssetId, Atoms, TimeMs, UserId } from '../../core/money/index.ts';
import { createUser } from '../../features/accounts/index.ts';
import { requestDeposit, settleRequests, startTransfer } from '../../features/payments/index.ts';
import { FolderSnapshots } from '../../infra/journal/index.ts';
import { inTransaction, migrate, type OwnConnection } from '../../infra/postgres/index.ts';
import { readRegistryMigrations } from '../../platform/database/index.ts';
import {
  enqueue,
  OUTBOX_CHANNELS,
  type OutboxCommand,
  readWaiting,
  settleOutbox,
  toCommand,
} from '../../platform/outbox/index.ts';
import { Refused } from '../../protocol/wire/index.ts';
import {
  type PostgresForTest,
  startPostgresForTest,
} from '../../testing/projections/postgres-for-test.ts';
import { ArchiveRecorder } from '../replay/archive-recorder-for-test.ts';
import { recordDecision } from './lost-commands.ts';
import { isClean, readStanding, reconcile } from './reconcile.ts';

const BTC = { id: 1 as AssetId, currency: 'btc', scale: 8 };
const COIN = 100_000_000n;
const { registry: STATEMENTS, withdrawals: WITHDRAWALS } = OUTBOX_CHANNELS;
const LEFT_OUT = 100_000;

/** Exchange without processes: this test sends pending rows and records their outcomes. */
class Exchange {
  readonly postgres: PostgresForTest;
  readonly log: ArchiveRecorder;
  registry: OwnConnection;
  readonly #folder: string;
  #frame = 0;

  private constructor(
    postgres: PostgresForTest,
    log: ArchiveRecorder,
    registry: OwnConnection,
    folder: string,
  ) {
    this.postgres = postgres;
    this.log = log;
    this.registry = registry;
    this.#folder = folder;
  }

  static async open(folder: string, postgres: PostgresForTest): Promise<Exchange> {
    const registry = await postgres.session('registry');
    await migrate(registry, 'registry', readRegistryMigrations());
    const exchange = new Exchange(postgres, await ArchiveRecorder.start(folder), registry, folder);
    const listing = { kind: 'ListAsset', symbol: 'btc', scale: 8, issuanceCapAtoms: 10n ** 15n };
    await exchange.append([listing]);
    return exchange;
  }

  async append(commands: readonly object[]) {
    this.#frame++;
    const events = this.log.apply({
      sequence: this.#frame,
      epoch: 1,
      timeMs: (1_000 * this.#frame) as TimeMs,
      previousHash: new Uint8Array(32),
      commands: commands.map((one, at) => ({ source: 1, number: at + 1, ...one }) as Command),
    });
    await this.log.endSegment();
    return events;
  }

  /** Works like the dispatcher. With `isLost`, it stops before it records the outcomes. */
  async dispatch({ isLost = false } = {}): Promise<void> {
    for (const row of await readWaiting(this.registry, 1_000)) {
      const { events, firstCommand } = await this.append([
        toCommand(row, { source: 7, number: this.#frame }),
      ]);
      const refused = events.find(({ kind }) => kind === 'CommandRefused');
      const refusal = refused?.kind === 'CommandRefused' ? refused.refusal : 'none';
      const state = refusal === 'none' ? 'accepted' : 'refused';
      const { channel, sequence } = row;
      const at = { channel, sequence, frame: this.#frame, command: firstCommand };
      if (isLost) continue;
      await settleOutbox(this.registry, [{ row, outcome: { ...at, state, refusal } }], {
        requests: settleRequests,
      });
    }
  }

  /** Stops the server and copies its data, or replaces it with the copy. */
  async copyRegistry(copy: string): Promise<void> {
    await this.postgres.server.stop();
    copyFolder(this.postgres.server.dataFolder, copy);
    await this.#start();
  }

  async goBack(copy: string): Promise<void> {
    const { server } = this.postgres;
    await server.kill('SIGKILL');
    renameSync(server.dataFolder, `${copy}-lost`);
    copyFolder(copy, server.dataFolder);
    await this.#start();
  }

  async #start(): Promise<void> {
    await this.postgres.server.start();
    this.registry = await this.postgres.session('registry');
  }

  /** Also returns the number of replayed frames. */
  async reconcile() {
    const { archive } = this.log;
    const snapshots = new FolderSnapshots(join(this.#folder, 'snapshots'), (problem) => {
      throw problem;
    });
    let replayed = 0;
    const found = await reconcile({
      archive,
      snapshots,
      at: archive.end.sequence,
      onFrame: () => void replayed++,
      connection: this.registry,
    });
    return { ...found, replayed };
  }

  async user(email: string): Promise<UserId> {
    const made = await createUser(this.registry, { email });
    assert.ok(typeof made !== 'string', String(made));
    return made.id;
  }

  deposit(user: UserId, transactionId: string, change: object = {}) {
    return requestDeposit(this.registry, {
      user,
      asset: BTC,
      amountAtoms: COIN as Atoms,
      isChainCoin: true,
      network: 'btc',
      transactionId,
      ...change,
    });
  }

  async withdraw(user: UserId, amountAtoms: bigint, state = 'opening'): Promise<number> {
    return inTransaction(this.registry, async () => {
      const { rows } = await this.registry.query(
        `insert into withdrawal_requests (kind, user_id, asset_id, currency, scale, amount_atoms,
           fee_asset_id, fee_currency, fee_scale, fee_atoms, address, transaction_id, state)
         values ('withdrawal', $1, 1, 'btc', 8, $2, 1, 'btc', 8, 10, 'address',
           gen_random_uuid(), $3) returning id::int as id`,
        [user, amountAtoms, state],
      );
      const [{ id }] = rows;
      if (state === 'opening') await this.open(id, user, amountAtoms);
      return id;
    });
  }

  async open(withdrawal: number, user: UserId, amountAtoms: bigint): Promise<void> {
    const terms = { user, asset: 1, amountAtoms, feeAsset: 1, feeAtoms: 10n, destination: '' };
    await this.enqueue(WITHDRAWALS, withdrawal, { kind: 'OpenWithdrawal', withdrawal, ...terms });
  }

  /** Asks the engine to end a withdrawal. */
  async end(id: number, state: 'completing' | 'canceling' | 'rejecting', reference = '') {
    await this.registry.query('update withdrawal_requests set state = $2 where id = $1', [
      id,
      state,
    ]);
    await this.enqueue(
      WITHDRAWALS,
      id,
      state === 'completing'
        ? { kind: 'CompleteWithdrawal', withdrawal: id, reference }
        : { kind: 'CancelWithdrawal', withdrawal: id },
    );
  }

  /** Creates an approval request without votes. */
  async pendingApproval(requester: UserId): Promise<number> {
    const { rows } = await this.registry.query(
      `insert into approval_requests (act, payload, payload_hash, shown, object, object_version,
         requester_id, requester_role, requester_call, requester_credential, requester_address,
         beneficiaries, needed, created_at, expires_at, vote_power)
       values ('deposit.credit', '{}', sha256(''), '[]', 'user 1', '', $1, 'admin', '*', 'key 1',
         '', '{}', 1, now(), now() + interval '1 day', 'approve.money') returning id::int as id`,
      [requester],
    );
    return rows[0].id;
  }

  enqueue(channel: number, withdrawalRequest: number | undefined, command: object) {
    return enqueue(this.registry, command as OutboxCommand, { channel, withdrawalRequest });
  }

  /** A claim as the log records an operator's claim. */
  async claim(id: number): Promise<void> {
    const reference = `claim ${id}`;
    const { sequence } = await this.enqueue(STATEMENTS, undefined, {
      kind: 'CompleteWithdrawal',
      withdrawal: 0,
      reference,
    });
    assert.ok(sequence > 0);
    await this.registry.query(
      `update withdrawal_requests set state = 'claimed', claimed_by = user_id where id = $1`,
      [id],
    );
  }

  async rows(text: string, values: unknown[] = []) {
    return (await this.registry.query(text, values)).rows;
  }

  async stateOf(id: number): Promise<string> {
    const [row] = await this.rows('select state from withdrawal_requests where id = $1', [id]);
    return row?.state;
  }

  /** Returns the positions of the registry and the engine, and the outbox rows without gaps. */
  async assertPositionsAgree(): Promise<void> {
    for (const row of await this.rows(
      `select c.channel::int as channel, c.last_assigned::int as last,
         (select count(*)::int from outbox o where o.channel = c.channel) as rows,
         (select count(*)::int from outbox o
          where o.channel = c.channel and o.state <> 'waiting') as settled
       from channels c`,
    )) {
      assert.equal(row.rows, row.last, `channel ${row.channel} has no gap`);
      const seen = this.log.replica.exchange.channelSequences[row.channel];
      assert.equal(row.settled, seen, `channel ${row.channel} has every outcome of the log`);
    }
  }
}

/** Keeps the files' owner, because PostgreSQL does not run as root. */
function copyFolder(from: string, to: string): void {
  execFileSync('cp', ['-a', from, to]);
}

describe('a registry that went back in time', () => {
  const cleanups: (() => void | Promise<void>)[] = [];
  let folder: string;
  let exchange: Exchange;
  let copies = 0;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'rialto-reconcile-'));
    cleanups.push(() => rmSync(folder, { recursive: true, force: true }));
    const postgres = await startPostgresForTest({ after: (end) => void cleanups.push(end) });
    exchange = await Exchange.open(join(folder, 'archive'), postgres);
  });
  after(async () => {
    for (const cleanup of cleanups.reverse()) await cleanup();
  });

  /** The registry loses everything that `lost` does, and the log keeps it. */
  async function forget<Result>(lost: () => Promise<Result>): Promise<Result> {
    const copy = join(folder, `copy-${++copies}`);
    await exchange.copyRegistry(copy);
    const result = await lost();
    await exchange.goBack(copy);
    return result;
  }

  test('money commands get their rows and requests, and operators decide the rest', async () => {
    const [alice, bob] = [
      await exchange.user('alice@example.com'),
      await exchange.user('bob@x.org'),
    ];
    await exchange.deposit(alice, 'aa01', { amountAtoms: 20n * COIN });
    await exchange.dispatch();
    const [paid, claimed, released, waiting, open] = [
      await exchange.withdraw(alice, COIN),
      await exchange.withdraw(alice, COIN),
      await exchange.withdraw(alice, COIN),
      await exchange.withdraw(alice, COIN),
      await exchange.withdraw(alice, COIN),
    ];
    await exchange.dispatch();
    await exchange.deposit(bob, 'aa02', { isPending: true });
    const unconfirmed = await exchange.withdraw(alice, COIN, 'unconfirmed');
    // Sent before the copy, settled after it, then completed.
    await exchange.end(waiting, 'completing', 'paid-4');
    await exchange.registry.query(
      `insert into registry_term (term, state, timeline, server_started)
       values (3, 'confirmed', substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8), now())`,
    );
    const approval = await exchange.pendingApproval(alice);
    const lost = await forget(async () => {
      await exchange.registry.query(
        'update registry_term set server_started = pg_postmaster_start_time()',
      );
      await exchange.dispatch();
      await exchange.claim(claimed);
      await exchange.end(paid, 'completing', 'paid-1');
      await exchange.end(released, 'canceling');
      await exchange.registry.query(
        `update withdrawal_requests set state = 'opening' where id = $1`,
        [unconfirmed],
      );
      await exchange.open(unconfirmed, alice, COIN);
      const fourth = await exchange.withdraw(alice, 2n * COIN);
      const carol = await exchange.user('carol@example.com');
      await exchange.deposit(carol, 'aa03');
      await exchange.deposit(bob, 'aa04', { output: '3' });
      await exchange.registry.query(`update deposit_requests set state = 'crediting'
        where transaction_id = 'aa02'`);
      await enqueue(
        exchange.registry,
        {
          kind: 'CreditDeposit',
          user: bob,
          asset: BTC.id,
          amountAtoms: COIN as Atoms,
          reference: 'aa02',
        },
        { channel: OUTBOX_CHANNELS.deposits, depositRequest: 2 },
      );
      await inTransaction(exchange.registry, () =>
        startTransfer(exchange.registry, {
          sender: alice,
          receiver: bob,
          asset: BTC,
          amountAtoms: COIN as Atoms,
          description: 'lost',
        }),
      );
      await exchange.dispatch();
      await exchange.end(unconfirmed, 'completing', 'paid-5');
      await exchange.dispatch();
      return { fourth, carol };
    });

    const found = await exchange.reconcile();
    assert.equal(await readStanding(exchange.registry), 'unknown');
    assert.deepEqual(
      found.open.map(({ object }) => object).sort(),
      [`user ${lost.carol}`, `withdrawal ${claimed}`, `withdrawal ${lost.fourth}`].sort(),
    );
    assert.equal(found.settled, 1);
    // It might have been executed in the lost part, where sessions might have been revoked too.
    const [ended] = await exchange.rows(
      `select state, (select everyone_at <= now() from session_ends) as are_sessions_over
       from approval_requests where id = $1`,
      [approval],
    );
    assert.deepEqual(ended, { state: 'expired', are_sessions_over: true });
    const states: string[] = [];
    // The code of a confirmed and paid withdrawal does not confirm it again.
    for (const id of [paid, claimed, released, waiting, open, unconfirmed])
      states.push(await exchange.stateOf(id));
    assert.deepEqual(states, [
      'completed',
      'claimed',
      'canceled',
      'completed',
      'approved',
      'completed',
    ]);
    const [row] = await exchange.rows(
      `select state, address, amount_atoms::int as atoms from withdrawal_requests where id = $1`,
      [lost.fourth],
    );
    assert.deepEqual(row, { state: 'claimed', address: 'lost', atoms: 200_000_000 });
    const [{ transaction_id: reference }] = await exchange.rows(
      'select transaction_id from withdrawal_requests where id = $1',
      [paid],
    );
    assert.equal(reference, 'paid-1');
    await exchange.assertPositionsAgree();
    const [term] = await exchange.rows(
      `select term::int as term, state, server_started = pg_postmaster_start_time() as is_server
       from registry_term`,
    );
    assert.deepEqual(term, { term: 4, state: 'confirming', is_server: true });

    // The registry assigns nothing until a dispatcher has confirmed it.
    await assert.rejects(exchange.user('early@example.com'), { code: 'RG001' });
    await exchange.registry.query(`update registry_term set state = 'confirmed'`);
    assert.equal(await readStanding(exchange.registry), 'confirmed');

    // No ID is used twice, and no deposit is credited twice.
    const dave = await exchange.user('dave@example.com');
    assert.ok(dave >= lost.carol + LEFT_OUT, `${dave}`);
    for (const [user, transaction, output] of [
      [lost.carol, 'AA03', undefined],
      [bob, 'aa04', '3'],
      [bob, 'aa02', undefined],
    ] as const) {
      const again = await exchange.deposit(user as UserId, transaction, { output });
      assert.ok(again instanceof Refused && again.key === 'transaction_id_used', transaction);
    }
    // The report named the output of the lost credit; the others are separate payments.
    const other = await exchange.deposit(bob, 'aa04', { output: '4', amountAtoms: 2n * COIN });
    assert.ok(!(other instanceof Refused), String(other));
    await exchange.dispatch();

    // Operators decide with their usual actions.
    await exchange.end(claimed, 'completing', 'paid-2');
    await exchange.registry.query(
      `update withdrawal_requests set state = 'approved'
      where id = $1 and state = 'claimed'`,
      [lost.fourth],
    );
    await exchange.end(lost.fourth, 'rejecting');
    await exchange.dispatch();
    assert.deepEqual(
      [await exchange.stateOf(claimed), await exchange.stateOf(lost.fourth)],
      ['completed', 'rejected'],
    );
    const again = await exchange.reconcile();
    assert.deepEqual([again.found, again.raised, again.settled], [[], [], 0]);
    assert.deepEqual(
      again.open.map(({ object }) => object),
      [`user ${lost.carol}`],
    );
    await exchange.registry.query('update users set email = $2 where id = $1', [
      lost.carol,
      'carol@example.com',
    ]);
    assert.ok(isClean(await exchange.reconcile()));
    await exchange.assertPositionsAgree();
    const { withdrawals: holds } = exchange.log.replica.exchange;
    assert.deepEqual([...holds.keys()], [open], 'one withdrawal is held');
  });

  test('positions that were assigned twice belong to the log', async () => {
    const bob = 2 as UserId;
    await exchange.log.keepSnapshot();
    const frames = exchange.log.replica.sequence;
    await exchange.registry.query(`update registry_term set state = 'confirmed'`);
    await forget(async () => {
      await exchange.registry.query(
        'update registry_term set server_started = pg_postmaster_start_time()',
      );
      await exchange.deposit(bob, 'bb01');
      await exchange.dispatch();
    });
    // An older release without a fence: a valid deposit takes the position of the lost one.
    await exchange.registry.query('delete from registry_term');
    await exchange.deposit(bob, 'bb02');
    await exchange.deposit(bob, 'bb01');
    const found = await exchange.reconcile();
    assert.ok(isClean(found), JSON.stringify(found.open));
    assert.ok(found.replayed < frames, 'it starts from a snapshot before the loss');
    await exchange.dispatch();
    await exchange.assertPositionsAgree();
    const rows = await exchange.rows(
      `select transaction_id as id, state from deposit_requests
       where transaction_id like 'bb%' order by 1`,
    );
    assert.deepEqual(rows, [
      { id: 'bb01', state: 'completed' },
      { id: 'bb02', state: 'completed' },
    ]);
    const [{ sum }] = await exchange.rows(
      `select count(*)::int as sum from outbox where kind = 'CreditDeposit' and state = 'accepted'
         and deposit_request in (select id from deposit_requests where transaction_id like 'bb%')`,
    );
    assert.equal(sum, 2, 'each of them is credited once');
  });

  test("a decision is recorded with the operator's name", async () => {
    await exchange.registry.query(
      `insert into lost_commands (object, sentence, decision) values ('audit', 'lost', 'note it')`,
    );
    const [finding] = (await exchange.reconcile()).open;
    assert.equal(finding.object, 'audit');
    const decision = { id: finding.id, by: 'ann', note: 'noted' };
    assert.equal(await recordDecision(exchange.registry, decision), 'audit');
    assert.equal(await recordDecision(exchange.registry, decision), undefined);
    assert.ok(isClean(await exchange.reconcile()));
  });
});
