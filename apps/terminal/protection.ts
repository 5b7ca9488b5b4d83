// The switch "cancel my orders if I lose connection" of this session. A page that was reloaded
// takes an armed switch over before it fires, and shows its true state.

import type { DeadManSwitch, RialtoStream } from '../../client/index.ts';

/** The exchange cancels after this many seconds without a connection. */
export const PROTECTION_S = 10;

/** Undefined until the exchange has answered. */
export type Protection = 'on' | 'off' | undefined;

export interface SwitchPorts {
  readonly stream: Pick<RialtoStream, 'cancelOnDisconnect' | 'status'>;
  readSwitch(): Promise<Pick<DeadManSwitch, 'armed'>>;
  show(protection: Protection): void;
  /** Resolves when another attempt is due. */
  wait(): Promise<void>;
}

/** Ends when the state is known, or with the stream. */
export async function resumeProtection(ports: SwitchPorts): Promise<void> {
  const { readSwitch, show, stream, wait } = ports;
  while (stream.status !== 'closed') {
    try {
      const { armed } = await readSwitch();
      if (armed) await stream.cancelOnDisconnect(PROTECTION_S);
      show(armed ? 'on' : 'off');
      return;
    } catch {
      await wait();
    }
  }
}

export async function setProtection(
  { show, stream }: Pick<SwitchPorts, 'stream' | 'show'>,
  isOn: boolean,
): Promise<void> {
  await stream.cancelOnDisconnect(isOn ? PROTECTION_S : 0);
  show(isOn ? 'on' : 'off');
}
