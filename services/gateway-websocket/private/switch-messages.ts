// Messages between the gateway's main thread and the thread for dead man's switches.

import type { SwitchAnswer, SwitchHolder } from './switch-keeper.ts';

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
