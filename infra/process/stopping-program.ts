// A small service for the test of `stop.ts`: it runs until it is stopped, or ends by a bug. Its
// argument says how it takes being stopped. Started only by that test.

import { systemClock } from './clock.ts';
import { createLogger } from './logger.ts';
import { stopOnSignals } from './stop.ts';

const [manner, limitMs] = process.argv.slice(2);
const log = createLogger({ service: 'stopping-program', instance: '1', level: 'info' });

stopOnSignals({ log, limitMs: Number(limitMs), stop });
// Work that never ends by itself.
setInterval(() => {}, 60_000);
systemClock.soon(work);

function work(): void {
  log.info('running');
  if (manner === 'throws') throw new Error('a bug in work');
  if (manner === 'rejects') void Promise.reject(new Error('a bug in a promise'));
}

async function stop(reason: string): Promise<void> {
  log.info({ reason }, 'releasing');
  if (manner === 'hangs') await new Promise(() => {});
  if (manner === 'fails') throw new Error('cannot release');
}
