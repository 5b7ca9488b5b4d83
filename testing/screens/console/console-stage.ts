// An exchange that serves the built console, operators of every role, and a Chromium for them.
// Counts content security policy violations, requests to other hosts and page faults.

import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { setThresholds } from '../../../features/approvals/index.ts';
import { useTeam } from '../../../features/approvals/operators-for-test.ts';
import { totpCode } from '../../../features/auth/index.ts';
import { chromiumPath } from '../../../tools/client/test-runtimes.ts';
import {
  type ConsoleOperator,
  makeConsoleOperator,
} from '../../../tools/sandbox/console-operators.ts';
import { RestClient } from '../../../tools/sandbox/rest-client.ts';
import { type Sandbox, startSandbox } from '../../../tools/sandbox/sandbox.ts';
import { ensureScreens } from '../../../tools/screens/build-screens.ts';
import type { Look } from '../looks.ts';
import { MovingMarket } from '../moving-market.ts';
import { openWatchedPage } from '../watched-page.ts';

export interface ConsolePageOptions {
  readonly look?: Look;
  /** Operator with a session, without a sign-in. A guest if omitted. */
  readonly operator?: ConsoleOperator;
  readonly forcedColours?: boolean;
}

export interface ConsoleStageOptions {
  /** Agents trade on a demo with a history. Without them, bob moves the market. */
  readonly hasAgents?: boolean;
  /** Starts only the processes that journeys need. No health reports arrive. */
  readonly isSmall?: boolean;
  readonly withArchivist?: boolean;
}

/** Above everything the seed moved today, so a check's credits need no approval. */
const NOBODY_FROM = '1000000000000000';
export const NO_APPROVALS = { oneApprovalFrom: NOBODY_FROM, twoApprovalsFrom: NOBODY_FROM };

const PATIENCE_MS = 60_000;
const MID_PRICE = 60_000;

export class ConsoleStage {
  readonly sandbox: Sandbox;
  readonly browser: Browser;
  readonly market: MovingMarket;
  /** Folder with the built files. */
  readonly folder: string;
  readonly violations: string[] = [];
  readonly foreignRequests: string[] = [];
  readonly faults: string[] = [];
  /** Built files served to pages instead of the gateway's. */
  shownFolder: string | undefined;
  patienceMs = PATIENCE_MS;
  #made = 0;

  static async open(options: ConsoleStageOptions = {}): Promise<ConsoleStage> {
    const { hasAgents = false, isSmall = false, withArchivist = false } = options;
    const [{ consoleFolder }, executablePath] = await Promise.all([
      ensureScreens(),
      chromiumPath(),
    ]);
    const sandbox = await startSandbox({
      isDemo: hasAgents,
      ...(hasAgents ? { historyDays: 3, agentSettings: { RIALTO_AGENTS_SEED: '7' } } : {}),
      streams: isSmall ? 0 : 1,
      withNotifier: true,
      withArchivist,
      withMonitor: !isSmall,
      withReconciler: !isSmall,
      budgets: 'wide',
      console: { folder: consoleFolder },
      // Orders with a specific ID fail, and a journey voids one.
      sequencerPreload: join(import.meta.dirname, '../../operators/failing-engine.ts'),
    });
    try {
      const args = ['--no-sandbox', '--disable-dev-shm-usage'];
      const browser = await chromium.launch({ executablePath, args, timeout: PATIENCE_MS });
      const stage = new ConsoleStage({ sandbox, browser, folder: consoleFolder });
      if (!hasAgents) await stage.#firstTrade();
      // The state of an exchange whose first two administrators have second factors.
      const { registry } = sandbox.admin;
      await useTeam(registry);
      await setThresholds(registry, NO_APPROVALS);
      return stage;
    } catch (fault) {
      await sandbox.stop();
      throw fault;
    }
  }

  private constructor(parts: { sandbox: Sandbox; browser: Browser; folder: string }) {
    this.sandbox = parts.sandbox;
    this.browser = parts.browser;
    this.folder = parts.folder;
    this.market = new MovingMarket(parts.sandbox);
  }

  /** Trades once, because an asset without a trade has no price. */
  async #firstTrade(): Promise<void> {
    await this.market.quote(MID_PRICE);
    const order = { symbol: 'btc-usdt', type: 'market', side: 'buy', size: 0.01 };
    const { status, text } = await this.clientOf('alice').post('/order', order);
    if (status !== 200) throw new Error(`alice's order is refused: ${text}`);
  }

  get url(): string {
    return this.sandbox.consoleUrl ?? '';
  }

  get files(): string {
    return this.shownFolder ?? this.folder;
  }

  /** Returns a client that signs requests as a seeded user. */
  clientOf(name: 'admin' | 'alice' | 'bob'): RestClient {
    const { key, secret } = this.sandbox.seeded.users[name];
    return new RestClient({ url: this.sandbox.url, key, secret });
  }

  /** Creates an operator with the role, a password and an authenticator app. */
  operator(role: string): Promise<ConsoleOperator> {
    this.#made += 1;
    const email = `${role}-${this.#made}@example.com`;
    return makeConsoleOperator(this.sandbox.admin, { email, role });
  }

  /** Returns the current authenticator code, even if it was already used. */
  async codeOf({ secret, user }: ConsoleOperator): Promise<string> {
    const { registry } = this.sandbox.admin;
    await registry.query('update totp_secrets set last_step = 0 where user_id = $1', [user]);
    return totpCode(secret, Date.now());
  }

  async openPage({ operator, ...options }: ConsolePageOptions = {}): Promise<Page> {
    if (operator === undefined) return openWatchedPage(this, options);
    const scopes = ['user', operator.role];
    const { token } = await this.sandbox.admin.issueSession({ user: operator.user, scopes });
    const cookie = { name: 'rialto-console', value: token };
    return openWatchedPage(this, { ...options, cookie });
  }

  async close(): Promise<void> {
    this.market.stop();
    await this.browser.close();
    await this.sandbox.stop();
  }
}

/** Console check. Throws on failure and can return figures for the report. */
export interface ConsoleCheck {
  readonly name: string;
  readonly isJourney?: true;
  run(stage: ConsoleStage): Promise<Readonly<Record<string, number>> | undefined>;
}
