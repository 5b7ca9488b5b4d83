// The archivist as a service, for its own process or a shared one.

import { defineService } from '../../infra/process/index.ts';
import { startArchivist } from './app.ts';
import { archivistConfig } from './config.ts';

export const service = defineService({
  service: 'archivist',
  readConfig: archivistConfig,
  start: ({ config, log, fail }) =>
    startArchivist({ config, log, onFault: (reason, cause) => fail(reason, { cause }) }),
});
