// The market-agents as a service, for its own process or a shared one.

import { defineService } from '../../infra/process/index.ts';
import { startMarketAgents } from './app.ts';
import { marketAgentsConfig } from './config.ts';

export const service = defineService({
  service: 'market-agents',
  readConfig: marketAgentsConfig,
  start: ({ config, log }) => startMarketAgents({ config, log }),
});
