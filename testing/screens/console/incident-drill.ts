// Incident drill with the console open: the leader is killed, the log stops for ten seconds, and an
// operator pauses withdrawals. Prints a table of the texts that the page showed, and when.

import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { waitUntil } from '../../../tools/services/wait-until.ts';
import { withSlack } from '../load.ts';
import type { ConsoleCheck, ConsoleStage } from './console-stage.ts';
import { OperatorAtWork } from './operator-at-work.ts';

const LOG_STOPS_MS = 10_000;
/** Reports arrive every second, the page polls every two seconds, alarms take some seconds. */
const SAID_WITHIN_MS = 15_000;
const SEE_EVERY_MS = 200;

interface Seen {
  readonly overall: string;
  readonly leader: string;
  readonly alarms: string;
  /** Stops in the list of recent actions. */
  readonly stops: string;
}

/** Samples the page and records every change with its time since the last event. */
class PageLog {
  readonly rows: string[] = [];
  readonly #page: Page;
  #event = '';
  #sinceMs = 0;
  #last = '';
  #isStopped = false;
  seen: Seen = { overall: '', leader: '', alarms: '', stops: '' };

  constructor(page: Page) {
    this.#page = page;
  }

  begin(event: string): void {
    this.#event = event;
    this.#sinceMs = performance.now();
  }

  get afterMs(): number {
    return performance.now() - this.#sinceMs;
  }

  async watch(): Promise<void> {
    while (!this.#isStopped) {
      this.seen = await this.#page.evaluate<Seen>(SEE);
      const { alarms, leader, overall, stops } = this.seen;
      const text = [overall, leader, alarms, stops].join(' | ');
      if (text !== this.#last && this.#event !== '') {
        this.rows.push(`| ${this.#event} | ${(this.afterMs / 1_000).toFixed(1)} s | ${text} |`);
      }
      this.#last = text;
      await delay(SEE_EVERY_MS);
    }
  }

  stop(): void {
    this.#isStopped = true;
  }

  /** Resolves with the time since the event once the page shows the expected state. */
  async until(what: string, timeoutMs: number, isIt: (seen: Seen) => boolean): Promise<number> {
    await waitUntil({ what, timeoutMs, question: () => isIt(this.seen) });
    return Number((this.afterMs / 1_000).toFixed(1));
  }
}

const SEE = `(() => {
  const text = (one) => one?.innerText.replaceAll('\\n', ' ').trim() ?? '';
  return {
    overall: text(document.querySelector('[data-overall] p')),
    leader: text(document.querySelector('[data-leader] > :last-child')),
    alarms: [...document.querySelectorAll('main li strong')].map(text).join(', '),
    stops: String(document.querySelectorAll('main [title="switch.stop"]').length),
  };
})()`;

const isLeader = (leader: string) => /, epoch \d+$/.test(leader);

const drill: ConsoleCheck = {
  name: 'drill: an incident with the console open',
  async run(stage) {
    const ann = await OperatorAtWork.seated(stage, 'admin');
    await ann.go('/');
    const log = new PageLog(ann.page);
    const watching = log.watch().catch(() => undefined);
    try {
      const patienceMs = stage.patienceMs;
      await log.until('the page names the leader', patienceMs, ({ leader }) => isLeader(leader));
      const leaderGoneS = await killLeader(stage, log);
      const logStopSaidS = await stopLog(stage, log);
      const stopSaidS = await pauseWithdrawals(stage, log);
      return { leaderGoneS, logStopSaidS, stopSaidS };
    } finally {
      log.stop();
      await watching;
      console.log(
        [
          '| Event | After | Line | Leader | Alarms | Stops among recent actions |',
          '|---|---|---|---|---|---|',
          ...log.rows,
        ].join('\n'),
      );
      await ann.close().catch(() => undefined);
    }
  },
};

async function killLeader({ patienceMs, sandbox }: ConsoleStage, log: PageLog): Promise<number> {
  const before = log.seen.leader;
  const name = before.split(',')[0];
  const service = sandbox.services.find((one) => before.startsWith(one.name));
  assert.ok(service !== undefined, `no process is called ${name}`);
  log.begin('leader killed');
  await service.kill('SIGKILL');
  const limitMs = withSlack(SAID_WITHIN_MS);
  const saidS = await log.until('the leader is gone', limitMs, ({ leader }) => leader !== before);
  await log.until(
    'another leads',
    patienceMs,
    ({ leader }) => isLeader(leader) && leader !== before,
  );
  await service.start();
  return saidS;
}

async function stopLog({ patienceMs, sandbox }: ConsoleStage, log: PageLog): Promise<number> {
  const [node] = sandbox.nats.nodes;
  log.begin('log stopped');
  await node.kill('SIGSTOP');
  const wellAgain = delay(LOG_STOPS_MS).then(() => node.kill('SIGCONT'));
  try {
    return await log.until(
      'the page no longer shows everything as known',
      Math.max(LOG_STOPS_MS * 2, withSlack(SAID_WITHIN_MS)),
      ({ alarms, leader }) => !isLeader(leader) || /Log|Monitor/.test(alarms),
    );
  } finally {
    await wellAgain;
    log.begin('log runs');
    await log.until('a leader is named', patienceMs, ({ leader }) => isLeader(leader));
  }
}

async function pauseWithdrawals(stage: ConsoleStage, log: PageLog): Promise<number> {
  const ben = await OperatorAtWork.seated(stage, 'supervisor');
  await ben.go('/switches');
  const before = log.seen.stops;
  log.begin('withdrawals paused');
  await ben.act({
    button: 'Stop: Withdrawals (all)',
    submit: 'Stop',
    reason: 'incident drill',
    fields: { 'Message to users': 'Withdrawals are paused.' },
    shows: /Pending requests\s+\d/,
  });
  await ben.page.getByRole('listitem').filter({ hasText: 'incident drill' }).first().waitFor();
  const { patienceMs } = stage;
  const saidS = await log.until(
    'the overview shows the action',
    patienceMs,
    ({ stops }) => stops !== before,
  );
  await ben.close();
  return saidS;
}

export const incidentDrill = [drill] as const;
