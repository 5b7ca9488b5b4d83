// Settings of an HTTP gateway, from the list in infra/settings.

import type { TokenBucketSize } from '../../infra/limits/index.ts';
import { ConfigFault } from '../../infra/process/index.ts';
import { readServiceConfig, type ServiceConfig } from '../../infra/settings/index.ts';
import type { BucketKind } from './rate-limiter.ts';

export type GatewayConfig = ServiceConfig<'gateway-http'>;

export function gatewayConfig(environment: NodeJS.ProcessEnv): GatewayConfig {
  const config = readServiceConfig('gateway-http', environment);
  const problem = problemOfConsole(config);
  if (problem !== undefined) throw new ConfigFault([{ name: 'RIALTO_CONSOLE_FOLDER', problem }]);
  return config;
}

/**
 * Two apps on one origin would share permissions: a fault in the terminal could act for operators.
 */
export function problemOfConsole({
  consoleFolder,
  modules,
  terminalFolder,
}: Pick<GatewayConfig, 'consoleFolder' | 'modules' | 'terminalFolder'>): string | undefined {
  if (consoleFolder === undefined) return undefined;
  if (terminalFolder !== undefined) {
    return 'is set with RIALTO_TERMINAL_FOLDER (expected one: each app has its own origin)';
  }
  if (modules.includes('admin')) return undefined;
  return 'is set without the module admin (expected it in RIALTO_GATEWAY_MODULES)';
}

/** Folder of the app that this process serves; undefined for none. */
export function screensFolder({
  consoleFolder,
  terminalFolder,
}: Pick<GatewayConfig, 'consoleFolder' | 'terminalFolder'>): string | undefined {
  return consoleFolder ?? terminalFolder;
}

export function bucketSizes(config: GatewayConfig): Record<BucketKind, TokenBucketSize> {
  return {
    address: { burst: config.addressBurst, perSecond: config.addressPerSecond },
    user: { burst: config.userBurst, perSecond: config.userPerSecond },
    cancel: { burst: config.cancelBurst, perSecond: config.cancelPerSecond },
    failure: { burst: config.failureBurst, perSecond: config.failurePerSecond },
  };
}
