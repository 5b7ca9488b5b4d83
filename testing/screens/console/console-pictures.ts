// Takes pictures of every console screen in three looks, for manual review, on a demo with
// traders, a withdrawal in review and a pending request.

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setThresholds } from '../../../features/approvals/index.ts';
import { LOOKS } from '../looks.ts';
import { visit } from '../stage.ts';
import { personWith } from './a-withdrawal.ts';
import { ConsoleStage, NO_APPROVALS } from './console-stage.ts';
import { settled } from './operator-at-work.ts';
import { consoleScreens, withWork } from './screens-seen.ts';

const FOLDER = join(import.meta.dirname, '../../../docs/pictures/console');

/** Requests a credit that is pending approval from another operator. */
async function openRequest(stage: ConsoleStage): Promise<void> {
  const { registry } = stage.sandbox.admin;
  const { user } = await personWith(stage, 1);
  await setThresholds(registry, { ...NO_APPROVALS, oneApprovalFrom: '1' });
  const body = { user_id: user, currency: 'btc', network: 'btc', amount: 0.25 };
  const transaction_id = '3f9a'.repeat(16);
  await stage.clientOf('admin').post('/admin/mint', { ...body, transaction_id });
  await setThresholds(registry, NO_APPROVALS);
}

/** Adds content to screens that are empty on the first day. */
async function fillScreens(stage: ConsoleStage): Promise<void> {
  const admin = stage.clientOf('admin');
  const announcement = {
    title: 'Maintenance on Sunday',
    message: 'Withdrawals pause from 02:00 to 03:00 UTC. Trading continues.',
    is_navbar: true,
  };
  const account_id = Number(stage.sandbox.seeded.users.admin.user);
  const pool = { name: 'Bitcoin for 30 days', currency: 'btc', account_id, apy: 5, duration: 30 };
  const answers = [
    await admin.post('/admin/announcements', announcement),
    await admin.post('/admin/stake', {
      ...pool,
      min_amount: 0.01,
      max_amount: 10,
      early_unstake: false,
    }),
    await admin.post('/admin/switches/stop', {
      name: 'deposits',
      symbol: 'rlt',
      reason: 'node upgrade',
    }),
  ];
  for (const { status, text } of answers) if (status >= 300) throw new Error(text);
}

export async function takeConsolePictures(stage: ConsoleStage): Promise<number> {
  mkdirSync(FOLDER, { recursive: true });
  await withWork(stage);
  await openRequest(stage);
  await fillScreens(stage);
  const operator = await stage.operator('admin');
  let pictures = 0;
  for (const look of LOOKS.filter(({ isPhone }) => isPhone !== true)) {
    const page = await stage.openPage({ operator, look });
    for (const { name, path } of consoleScreens(stage)) {
      await visit(page, stage.url, path);
      await settled(page);
      const file = join(FOLDER, `${name}-${look.name}.png`);
      await page.screenshot({ path: file, animations: 'disabled' });
      pictures += 1;
    }
    await page.context().close();
  }
  return pictures;
}

export async function runConsolePictures(): Promise<boolean> {
  const stage = await ConsoleStage.open({ hasAgents: true, withArchivist: true });
  try {
    console.log(JSON.stringify({ pictures: await takeConsolePictures(stage) }));
    return true;
  } finally {
    await stage.close();
  }
}
