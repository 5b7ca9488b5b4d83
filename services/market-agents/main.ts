// The process of the market agents. Exit codes: see infra/process/README.md. It may always be
// restarted; two of them would trade with the same accounts.

import { runService } from '../../infra/process/index.ts';
import { startMarketAgents } from './app.ts';
import { marketAgentsConfig } from './config.ts';

await runService({
  service: 'market-agents',
  readConfig: marketAgentsConfig,
  start: ({ config, log }) => startMarketAgents({ config, log }),
});
