// An empty sandbox with production defaults, set up by its first administrator.

import { makeConsoleOperator } from '../../tools/sandbox/console-operators.ts';
import { startSandbox } from '../../tools/sandbox/sandbox.ts';
import {
  accessKeyFile,
  PROJECTION_SCHEMA,
  REGISTRY_SCHEMA,
} from '../../tools/sandbox/sandbox-settings.ts';
import { setUpExchange } from './set-up-exchange.ts';
import type { OpenedTarget } from './target.ts';

export async function startSandboxTarget(): Promise<OpenedTarget> {
  const sandbox = await startSandbox({
    isEmpty: true,
    streams: 1,
    withNotifier: true,
    logLevel: 'warn',
  });
  try {
    const { session, target } = await setUpExchange({
      url: sandbox.url,
      streamUrl: sandbox.streamUrls[0],
      logFile: sandbox.service('gateway-http-1').logFile,
      environment: {
        RIALTO_MODE: 'development',
        RIALTO_POSTGRES_URL: sandbox.postgres.url,
        RIALTO_POSTGRES_SCHEMA: PROJECTION_SCHEMA,
        RIALTO_REGISTRY_SCHEMA: REGISTRY_SCHEMA,
        RIALTO_ACCESS_KEY_FILE: accessKeyFile(sandbox.folder),
      },
    });
    const useTeam = async () => {
      const second = { email: 'second@example.com', role: 'admin' };
      await makeConsoleOperator(sandbox.admin, second);
      await session.send('PUT', '/admin/control/mode', { mode: 'team' });
    };
    const { inboxUrl } = sandbox;
    const withInbox = { ...target, ...(inboxUrl !== undefined && { inboxUrl }) };
    return { target: withInbox, useTeam, stop: () => sandbox.stop() };
  } catch (fault) {
    console.error(sandbox.logs('gateway-http-1'));
    await sandbox.stop();
    throw fault;
  }
}
