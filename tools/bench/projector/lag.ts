// Measures how far the tables lag: a sequencer, a projector and a client at a steady rate, each in
// a separate process. For every frame, from the sequencer's timestamp to the arrival of the
// projector's progress message here.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { decodeEventFrame } from '../../../core/messages/index.ts';
import { connectNats, NatsBus } from '../../../infra/bus/index.ts';
import { decodeEventBatch } from '../../../infra/journal/index.ts';
import { migrate, openConnection } from '../../../infra/postgres/index.ts';
import {
  decodeProgress,
  progressSubject,
  readProjectionMigrations,
} from '../../../infra/projections/index.ts';
import { percentile } from '../../percentile.ts';
import { waitUntil } from '../../services/wait-until.ts';
import { lastLine, startSequencer, stopProcess } from '../processes.ts';
import { eventsLog } from './nats-events.ts';
import { ProjectorProcess } from './projector-process.ts';

export interface LagOptions {
  readonly natsUrls: readonly string[];
  readonly postgresUrl: string;
  /** Commands per second. */
  readonly rate: number;
  readonly seconds: number;
}

interface Frame {
  readonly sequence: number;
  readonly timeMs: number;
  readonly events: number;
}

const SETTLE_TIMEOUT_MS = 300_000;
const STATEMENT_TIMEOUT_MS = 60_000;

export async function measureLag(options: LagOptions): Promise<Record<string, number>> {
  const { natsUrls, postgresUrl, rate, seconds } = options;
  const exchange = `lag${rate}`;
  const nats = await connectNats({ urls: natsUrls, name: 'bench' });
  const log = await eventsLog(nats, exchange);
  const connection = await openConnection({
    url: postgresUrl,
    schema: exchange,
    name: 'bench',
    statementTimeoutMs: STATEMENT_TIMEOUT_MS,
  });
  await migrate(connection, exchange, readProjectionMigrations());
  await connection.end();
  const waiting: Frame[] = [];
  const lagsMs: number[] = [];
  let isMeasuring = false;
  let [heard, projected] = [0, 0];
  log.follow(1, (_, message) => {
    for (const { bytes, sequence } of decodeEventBatch(message).parts) {
      const { events, timeMs } = decodeEventFrame(bytes);
      heard = sequence;
      if (isMeasuring) waiting.push({ sequence, timeMs, events: events.length });
    }
  });
  new NatsBus(nats).subscribe(progressSubject(exchange), (message) => {
    const nowMs = Date.now();
    projected = decodeProgress(message)?.frame ?? projected;
    while (waiting.length > 0 && waiting[0].sequence <= projected) {
      lagsMs.push(nowMs - waiting.shift()!.timeMs);
    }
  });
  const sequencer = startSequencer({ natsUrls, exchange });
  const projector = new ProjectorProcess({ natsUrls, postgresUrl, schema: exchange, exchange });
  const program = join(import.meta.dirname, 'client/main.ts');
  const urls = natsUrls.join(',');
  const settings = Object.entries({ urls, exchange, rate, seconds });
  const parameters = settings.map(([name, value]) => `--${name}=${value}`);
  const client = spawn(process.execPath, [program, ...parameters]);
  const output = text(client.stdout);
  try {
    const settled = () => projected > 0 && projected >= heard;
    // The client reports its start on standard error; preparation is not measured.
    await once(client.stderr, 'data');
    const question = settled;
    await waitUntil({ what: 'it is prepared', timeoutMs: SETTLE_TIMEOUT_MS, question });
    isMeasuring = true;
    client.stdin.write('go\n');
    await once(client, 'exit');
    const behindMs = performance.now();
    await waitUntil({ what: 'the tables have all', timeoutMs: SETTLE_TIMEOUT_MS, question });
    const catchUpMs = Math.round(performance.now() - behindMs);
    const sent = lastLine<Record<string, number>>(await output);
    return {
      p50Ms: percentile(lagsMs, 50),
      p99Ms: percentile(lagsMs, 99),
      maxMs: percentile(lagsMs, 100),
      frames: lagsMs.length,
      catchUpMs,
      ...sent,
    };
  } finally {
    client.kill('SIGKILL');
    await projector.kill('SIGTERM');
    await stopProcess(sequencer);
    log.stop();
    await nats.close();
  }
}
