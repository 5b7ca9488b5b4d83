// A small service for the test of `stop.ts`: it runs until it is stopped, or ends by a bug. Its
// first argument selects how it reacts. Only that test starts it.

import { systemClock } from './clock.ts';
import { createLogger } from './logger.ts';
import { stopOnSignals } from './stop.ts';

const [behaviour, limitMs] = process.argv.slice(2);
const log = createLogger({ service: 'stopping-program', instance: '1', level: 'info' });

stopOnSignals({ log, limitMs: Number(limitMs), stop });
// Keeps the process alive.
setInterval(() => {}, 60_000);
systemClock.soon(work);

function work(): void {
  log.info('running');
  if (behaviour === 'throws') throw new Error('a bug in work');
  if (behaviour === 'rejects') void Promise.reject(new Error('a bug in a promise'));
}

async function stop(reason: string): Promise<void> {
  log.info({ reason }, 'releasing');
  if (behaviour === 'hangs') await new Promise(() => {});
  if (behaviour === 'fails') throw new Error('cannot release');
}
