// What cases have: a running exchange, and ccxt clients of it as its users configure them. The
// client is the one from npm, unmodified; only its address and its way of writing numbers are set.

import { hollaex } from 'ccxt';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { ApiKey } from '../sandbox/sandbox-desk.ts';

export interface ClientStage {
  readonly sandbox: Sandbox;
  /** Without a key it is anonymous. */
  client(key?: Pick<ApiKey, 'key' | 'secret'>): hollaex;
  /** New users with this money and nothing else, each with a client. */
  traders(count: number, funds: Readonly<Record<string, string>>): Promise<hollaex[]>;
}

export function createStage(sandbox: Sandbox): ClientStage {
  return { sandbox, client, traders };

  function client(key?: Pick<ApiKey, 'key' | 'secret'>): hollaex {
    const made = new hollaex({
      urls: { api: { rest: sandbox.url } },
      // The pause between requests is for the sake of a public server.
      enableRateLimit: false,
      ...(key === undefined ? {} : { apiKey: key.key, secret: key.secret }),
    });
    // Every number is the text that the exchange sent: no digit is lost between it and the case.
    made.number = String as unknown as typeof made.number;
    return made;
  }

  async function traders(count: number, funds: Readonly<Record<string, string>>) {
    const made = await sandbox.createTraders({ count, funds });
    return made.map((trader) => client(trader));
  }
}
