// `rialto create-log`: creates a new exchange's log once, or names a log from an earlier release.

import { setTimeout as delay } from 'node:timers/promises';
import { connectNats } from '../../infra/bus/index.ts';
import { openIdentity } from '../../infra/identities/index.ts';
import { checkStreams, nameLog, openArchive } from '../../infra/journal/index.ts';
import { readServiceConfig } from '../../infra/settings/index.ts';
import { assertNatsReachable, runTool, serviceEnvironment, UsageFault } from '../command-line.ts';
import { type CreateLogOptions, createLog, nameWrittenLog } from './create-log.ts';

const ATTEMPTS = 20;
const ATTEMPT_EVERY_MS = 500;

await runTool({
  usage: `Usage: rialto create-log [--existing [--archive FOLDER]]

Creates the log of a new exchange on its NATS servers and prints the ID of the
exchange. Run it once, before you start the services for the first time; they do
not start without a log. If a log is lost, do not run it: use \`rialto restore\`.

  --existing    name a log that an earlier release created without one
  --archive F   archive folder, if the log was trimmed

Environment variables: those of a sequencer.`,
  options: { existing: { type: 'boolean' }, archive: { type: 'string' } },
  async run({ values: { archive, existing = false } }) {
    if (archive !== undefined && !existing) throw new UsageFault('--archive requires --existing.');
    const config = readServiceConfig('sequencer', serviceEnvironment());
    const { exchange, mode, natsMonitorUrls: monitorUrls, natsUrls: urls, replicas } = config;
    await untilReachable(urls);
    const identity = openIdentity('sequencer', config);
    const nats = await connectNats({ urls, name: 'create-log', identity });
    const options: CreateLogOptions = { exchange, mode, replicas, monitorUrls };
    try {
      if (!existing) {
        console.log(await createLog(nats, options));
        await checkStreams(nats, options);
      } else if (archive === undefined) console.log(await nameWrittenLog(nats, options));
      else {
        const exchangeId = await (await openArchive(archive, 'read')).exchangeId();
        if (exchangeId === undefined) throw new UsageFault(`${archive} has no frame 1.`);
        await nameLog(nats, { ...options, exchangeId });
        console.log(exchangeId);
      }
    } finally {
      await nats.close();
    }
  },
});

/** Servers that were just started need a moment. */
async function untilReachable(urls: readonly string[]): Promise<void> {
  for (let attempt = 1; attempt < ATTEMPTS; attempt++) {
    try {
      return await assertNatsReachable(urls);
    } catch {
      await delay(ATTEMPT_EVERY_MS);
    }
  }
  await assertNatsReachable(urls);
}
