// The settings of a reconciler; infra/settings has their table.

import { readServiceConfig, type ServiceConfig } from '../../infra/settings/index.ts';

export type ReconcilerConfig = ServiceConfig<'reconciler'>;

export function reconcilerConfig(environment: NodeJS.ProcessEnv): ReconcilerConfig {
  return readServiceConfig('reconciler', environment);
}
