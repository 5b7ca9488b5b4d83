// Settings of a reconciler, from the list in infra/settings.

import { readServiceConfig, type ServiceConfig } from '../../infra/settings/index.ts';

export type ReconcilerConfig = ServiceConfig<'reconciler'>;

export function reconcilerConfig(environment: NodeJS.ProcessEnv): ReconcilerConfig {
  return readServiceConfig('reconciler', environment);
}
