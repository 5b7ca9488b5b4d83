// Settings of the market agents, from the list in infra/settings.

import { readServiceConfig, type ServiceConfig } from '../../infra/settings/index.ts';

export type MarketAgentsConfig = ServiceConfig<'market-agents'>;

export function marketAgentsConfig(environment: NodeJS.ProcessEnv): MarketAgentsConfig {
  return readServiceConfig('market-agents', environment);
}
