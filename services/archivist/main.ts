// Starts the archivist. Exit codes: see infra/process/README.md. It can be restarted at any time.

import { runService } from '../../infra/process/index.ts';
import { startArchivist } from './app.ts';
import { archivistConfig } from './config.ts';

await runService({
  service: 'archivist',
  readConfig: archivistConfig,
  start: ({ config, log, fail }) =>
    startArchivist({ config, log, onFault: (reason, cause) => fail(reason, { cause }) }),
});
