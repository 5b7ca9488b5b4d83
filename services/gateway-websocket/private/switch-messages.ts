// Messages between the gateway's main thread and the thread for dead man's switches.

import type { StreamConfig } from '../config.ts';
import type { SwitchAnswer, SwitchHolder } from './switch-keeper.ts';

/** Without the secrets, which cannot be passed to a thread. */
export type SwitchThreadConfig = Pick<StreamConfig, (typeof THREAD_SETTINGS)[number]>;

const THREAD_SETTINGS = [
  'mode',
  'exchange',
  'instance',
  'logLevel',
  'natsUrls',
  'identityKeyFile',
  'tlsCaFile',
  'streamAudience',
  'commandTimeoutMs',
] as const satisfies readonly (keyof StreamConfig)[];

export function switchThreadConfig(config: StreamConfig): SwitchThreadConfig {
  const entries = THREAD_SETTINGS.map((name) => [name, config[name]]);
  return Object.fromEntries(entries) as SwitchThreadConfig;
}

export type ToSwitchThread =
  | { readonly kind: 'ran' }
  | { readonly kind: 'stop' }
  | { readonly kind: 'release'; readonly holder: SwitchHolder }
  | {
      readonly kind: 'set';
      readonly request: number;
      readonly holder: SwitchHolder;
      readonly timeoutMs: number;
    };

export type FromSwitchThread =
  | { readonly kind: 'answer'; readonly request: number; readonly answer: SwitchAnswer }
  | { readonly kind: 'rejected'; readonly outcome: string }
  | { readonly kind: 'released' };

/** How often the main thread reports that its event loop runs. */
export const RAN_EVERY_MS = 1_000;
