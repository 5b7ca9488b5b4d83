// The settings of an HTTP gateway; infra/settings has their table.

import { readServiceConfig, type ServiceConfig } from '../../infra/settings/index.ts';
import type { BucketKind, BucketSize } from './rate-limiter.ts';

export type GatewayConfig = ServiceConfig<'gateway-http'>;

export function gatewayConfig(environment: NodeJS.ProcessEnv): GatewayConfig {
  return readServiceConfig('gateway-http', environment);
}

export function bucketSizes(config: GatewayConfig): Record<BucketKind, BucketSize> {
  return {
    address: { burst: config.addressBurst, perSecond: config.addressPerSecond },
    user: { burst: config.userBurst, perSecond: config.userPerSecond },
    cancel: { burst: config.cancelBurst, perSecond: config.cancelPerSecond },
    failure: { burst: config.failureBurst, perSecond: config.failurePerSecond },
  };
}
