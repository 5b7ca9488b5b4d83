// The switch "cancel my orders if this page closes or loses its connection". The exchange cancels
// about a second after the socket closes, so a slow reload triggers it. A new page takes over an
// armed switch, shows the actual state, and reports canceled orders.

import type { DeadManSwitch, RialtoStream } from '../../client/index.ts';

/** If the gateway itself is lost, the exchange cancels after this many seconds. */
export const PROTECTION_S = 10;

export interface Protection {
  readonly isOn: boolean;
  /** Last time that the switch canceled orders. */
  readonly fired?: { readonly at: string; readonly orders: number };
}

export interface SwitchPorts {
  readonly stream: Pick<RialtoStream, 'cancelOnDisconnect' | 'status'>;
  readSwitch(): Promise<Omit<DeadManSwitch, 'fires_at'>>;
  show(protection: Protection): void;
  /** Resolves when the next attempt is due. */
  wait(): Promise<void>;
}

/** Resolves when the state is known or the stream is closed. */
export async function resumeProtection(ports: SwitchPorts): Promise<void> {
  const { readSwitch, show, stream, wait } = ports;
  while (stream.status !== 'closed') {
    try {
      const { armed, fired_at: at = null, orders_canceled: orders = 0 } = await readSwitch();
      if (armed) await stream.cancelOnDisconnect(PROTECTION_S);
      show({ isOn: armed, ...(at !== null && orders > 0 && { fired: { at, orders } }) });
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
  show({ isOn });
}
