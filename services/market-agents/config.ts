// The settings of the market agents; infra/settings has their table.

import { readServiceConfig, type ServiceConfig } from '../../infra/settings/index.ts';

export type MarketAgentsConfig = ServiceConfig<'market-agents'>;

export function marketAgentsConfig(environment: NodeJS.ProcessEnv): MarketAgentsConfig {
  return readServiceConfig('market-agents', environment);
}
