// Settings of a signer, from the list in infra/settings.

import { readServiceConfig, type ServiceConfig } from '../../infra/settings/index.ts';

export type SignerConfig = ServiceConfig<'signer'>;

export function signerConfig(environment: NodeJS.ProcessEnv): SignerConfig {
  return readServiceConfig('signer', environment);
}
