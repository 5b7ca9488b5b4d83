// The publisher process. Exit codes: see infra/process/README.md. It may be restarted at any time.

import { runService } from '../../infra/process/index.ts';
import { startPublisher } from './app.ts';
import { publisherConfig } from './config.ts';

await runService({
  service: 'publisher',
  readConfig: publisherConfig,
  start: ({ config, log, fail }) =>
    startPublisher({ config, log, onFault: (reason, cause) => fail(reason, { cause }) }),
});
