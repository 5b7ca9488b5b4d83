// Stage of the drill: an exchange with two gateways of each kind, three administrators, traders
// with keys and sessions, and the operations that the switches forbid.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { WebSocket } from 'ws';
import { useTeam } from '../../../features/approvals/operators-for-test.ts';
import { enqueueMail } from '../../../features/messages/index.ts';
import { type RestAnswer, RestClient } from '../../../tools/sandbox/rest-client.ts';
import { type Sandbox, startSandbox } from '../../../tools/sandbox/sandbox.ts';
import type { Trader } from '../../../tools/sandbox/traders.ts';
import { waitUntil } from '../../../tools/services/wait-until.ts';
import { OperatorStage, type StagedOperator } from '../../operators/operator-stage.ts';
import { leaderOf } from '../harness/sequencers.ts';
import { type Attempted, Probe } from './probe.ts';

const RECOVERS_WITHIN_MS = 30_000;
const NO_KEY = { isAccepted: false };

export class SwitchStage {
  readonly sandbox: Sandbox;
  readonly operators: OperatorStage;
  /** The first one stops and resumes, the others vote. */
  readonly admins: readonly StagedOperator[];
  readonly traders: readonly Trader[];
  #sent = 0;

  static async start(): Promise<SwitchStage> {
    const sandbox = await startSandbox({
      gateways: 2,
      streams: 2,
      withNotifier: true,
      checkAnswers: false,
    });
    await useTeam(sandbox.admin.registry);
    const operators = new OperatorStage(sandbox);
    const admins = [];
    for (let at = 0; at < 3; at++) admins.push(await operators.operator('admin'));
    const traders = await sandbox.createTraders({ count: 4 });
    return new SwitchStage(operators, admins, traders);
  }

  constructor(
    operators: OperatorStage,
    admins: readonly StagedOperator[],
    traders: readonly Trader[],
  ) {
    this.sandbox = operators.sandbox;
    this.operators = operators;
    this.admins = admins;
    this.traders = traders;
  }

  /** Equal requests would have equal signatures, which count once. */
  #withdrawal() {
    return { ...WITHDRAWAL, amount: Number((0.001 + ++this.#sent / 1e7).toFixed(7)) };
  }

  stop(): Promise<void> {
    return this.sandbox.stop();
  }

  /** Calls the first gateway as the administrator, in a session. */
  async operate(path: string, body: Readonly<Record<string, unknown>>): Promise<RestAnswer> {
    const client = this.admins[0].clients.find(({ by }) => by === 'session');
    assert.ok(client !== undefined);
    return client.send('POST', path, body);
  }

  /** Requests the resume, and has others approve until it takes effect. */
  async resume(target: Readonly<Record<string, unknown>>): Promise<void> {
    const asked = await this.operate('/admin/switches/resume', target);
    assert.equal(asked.status, 202, asked.text);
    for (const voter of this.admins.slice(1)) {
      const voted = await this.operators.vote(voter, asked.body.approval_id);
      assert.equal(voted.status, 200, voted.text);
      if (voted.body.state !== 'pending') return;
    }
  }

  /** Limit orders that never match. */
  orders(): Probe[] {
    return this.sandbox.urls.map((url, at) => {
      const client = new RestClient({ url, ...this.traders[at] });
      const order = { symbol: 'btc-usdt', side: 'buy', type: 'limit', size: 0.0001, price: 50_000 };
      return new Probe(`gateway-http-${at + 1}`, async () =>
        attempted(
          await client.post('/order', { ...order, client_order_id: `drill-${++this.#sent}` }),
        ),
      );
    });
  }

  /** Orders of an account that others freeze, at every gateway. */
  ordersOfFrozen(): Probe[] {
    return this.sandbox.urls.map((url, at) => {
      const client = new RestClient({ url, ...this.traders[2] });
      const order = { symbol: 'btc-usdt', side: 'buy', type: 'limit', size: 0.0001, price: 49_000 };
      return new Probe(`gateway-http-${at + 1}`, async () =>
        attempted(
          await client.post('/order', { ...order, client_order_id: `drill-${++this.#sent}` }),
        ),
      );
    });
  }

  /** Requests in a user's session. The addresses might run out, which no switch causes. */
  async depositAddresses(): Promise<Probe[]> {
    const { token } = await this.sandbox.admin.issueSession({ user: this.traders[0].user });
    const headers = { authorization: `Bearer ${token}` };
    const target = '/v2/user/create-address?crypto=btc&network=btc';
    return this.sandbox.urls.map((url, at) => {
      const client = new RestClient({ url });
      return new Probe(`gateway-http-${at + 1}`, async () => {
        const { said } = attempted(await client.send({ method: 'GET', target, headers }));
        return { isAccepted: !said.includes('Deposits are disabled'), said };
      });
    });
  }

  withdrawals(): Probe[] {
    return this.sandbox.urls.map((url, at) => {
      const { alice, bob } = this.sandbox.seeded.users;
      const client = new RestClient({ url, ...[alice, bob][at] });
      return new Probe(`gateway-http-${at + 1}`, async () =>
        attempted(await client.post('/user/withdrawal', this.#withdrawal())),
      );
    });
  }

  /** Public reads. */
  reads(): Probe[] {
    return this.sandbox.urls.map((url, at) => {
      const client = new RestClient({ url });
      return new Probe(`gateway-http-${at + 1}`, async () =>
        attempted(await client.get('/orderbook', { symbol: 'btc-usdt' })),
      );
    });
  }

  /** Requests and handshakes of a user's session, at every gateway. */
  async sessions(): Promise<Probe[]> {
    const { user } = this.traders[0];
    const { token } = await this.sandbox.admin.issueSession({ user });
    const headers = { authorization: `Bearer ${token}` };
    const requests = this.sandbox.urls.map((url, at) => {
      const client = new RestClient({ url });
      const read = { method: 'GET', target: '/v2/user', headers } as const;
      return new Probe(`gateway-http-${at + 1}`, async () => attempted(await client.send(read)));
    });
    return [...requests, ...this.sockets(headers)];
  }

  /** Pings an open socket; reopens a closed one. */
  sockets(headers: Readonly<Record<string, string>> = {}): Probe[] {
    return this.sandbox.streamUrls.map((url, at) => {
      let websocket: WebSocket | undefined;
      let closedWith = '';
      return new Probe(`gateway-websocket-${at + 1}`, async () => {
        if (websocket?.readyState !== WebSocket.OPEN) {
          const said = closedWith;
          closedWith = '';
          websocket = undefined;
          if (said !== '') return { isAccepted: false, said };
          const opened = await openSocket(url, headers);
          if (!(opened instanceof WebSocket)) return opened;
          websocket = opened;
          opened.on('close', (code, reason) => (closedWith = `closed ${code} ${reason}`));
        }
        const pong = once(websocket, 'message', { signal: AbortSignal.timeout(1_000) });
        websocket.send('{"op":"ping"}');
        await pong;
        return { isAccepted: true, said: 'pong' };
      });
    });
  }

  /** Settled outbox rows, while withdrawals keep arriving. */
  settledOutbox(): Probe[] {
    const client = new RestClient({ url: this.sandbox.url, ...this.sandbox.seeded.users.alice });
    return [
      this.#growth(
        'outbox-dispatcher',
        'select count(*) from outbox where settled_at is not null',
        () => {
          void client.post('/user/withdrawal', this.#withdrawal()).catch(() => {});
        },
      ),
    ];
  }

  /** Sent emails, while new ones keep arriving. */
  sentMails(): Probe[] {
    const { registry, vault } = this.sandbox.admin;
    const { email, user } = this.traders[0];
    const values = { time: '', ip: '', country: '', device: '', freezeCode: '' };
    return [
      this.#growth('notifier', "select count(*) from mail_outbox where state = 'sent'", () => {
        const mail = { user, to: email, language: 'en', kind: 'new_device', values } as const;
        void enqueueMail(registry, vault, mail as never).catch(() => {});
      }),
    ];
  }

  #growth(where: string, count: string, feed: () => void): Probe {
    let known: number | undefined;
    let attempts = 0;
    return new Probe(where, async () => {
      if (attempts++ % 5 === 0) feed();
      const { rows } = await this.sandbox.admin.registry.query(count);
      const now = Number(rows[0].count);
      const isAccepted = known !== undefined && now > known;
      known = now;
      return { isAccepted, said: 'waits' };
    });
  }

  /** Kills the leader and one gateway of each kind, and restarts them. */
  async kill(): Promise<void> {
    const leader = await leaderOf(this.sandbox);
    const names = ['gateway-http-2', 'gateway-websocket-2'];
    const killed = [leader, ...names.map((name) => this.sandbox.service(name))];
    for (const service of killed) await service.kill('SIGKILL');
    await Promise.all(killed.map((service) => service.start()));
    const client = new RestClient({ url: this.sandbox.url });
    await waitUntil({
      what: 'another sequencer leads',
      timeoutMs: RECOVERS_WITHIN_MS,
      question: async () => (await client.get('/health')).status === 200,
    });
  }
}

const WITHDRAWAL = {
  currency: 'btc',
  address: 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq',
  network: 'btc',
};

function attempted({ body, status }: RestAnswer): Attempted {
  return { isAccepted: status < 300, said: `${status} ${body?.message ?? ''}`.trim() };
}

async function openSocket(
  url: string,
  headers: Readonly<Record<string, string>>,
): Promise<WebSocket | Attempted> {
  const websocket = new WebSocket(url, { headers });
  const { promise, resolve, reject } = Promise.withResolvers<WebSocket | Attempted>();
  websocket.on('error', reject);
  // The first message is the welcome.
  websocket.once('message', () => resolve(websocket));
  websocket.once('unexpected-response', (_request, response) => {
    websocket.terminate();
    resolve({ ...NO_KEY, said: `handshake ${response.statusCode}` });
  });
  return promise;
}
