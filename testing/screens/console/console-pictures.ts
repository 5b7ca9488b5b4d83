// Pictures of every screen of the console in three looks, for people to judge: on a demo with
// traders, a withdrawal in review and a request that waits.

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setThresholds } from '../../../domain/operators/index.ts';
import { LOOKS } from '../looks.ts';
import { visit } from '../stage.ts';
import { personWith } from './a-withdrawal.ts';
import { ConsoleStage, NO_APPROVALS } from './console-stage.ts';
import { settled } from './operator-at-work.ts';
import { consoleScreens, withWork } from './screens-seen.ts';

const FOLDER = join(import.meta.dirname, '../../../docs/pictures/console');

/** A credit waits for another person. */
async function openRequest(stage: ConsoleStage): Promise<void> {
  const { registry } = stage.sandbox.admin;
  const { user } = await personWith(stage, 1);
  await setThresholds(registry, { ...NO_APPROVALS, oneApprovalFrom: '1' });
  const body = { user_id: user, currency: 'btc', network: 'btc', amount: 0.25 };
  const transaction_id = 'f'.repeat(64);
  await stage.clientOf('admin').post('/admin/mint', { ...body, transaction_id });
  await setThresholds(registry, NO_APPROVALS);
}

export async function takeConsolePictures(stage: ConsoleStage): Promise<number> {
  mkdirSync(FOLDER, { recursive: true });
  await withWork(stage);
  await openRequest(stage);
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
  const stage = await ConsoleStage.open({ hasAgents: true });
  try {
    console.log(JSON.stringify({ pictures: await takeConsolePictures(stage) }));
    return true;
  } finally {
    await stage.close();
  }
}
