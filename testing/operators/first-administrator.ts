// Creates the first administrator of an empty server, using only documented calls: the token from
// the gateway's log, a second factor, and a session with that factor.

import { readFileSync } from 'node:fs';
import { totpCode } from '../../features/auth/index.ts';
import { type RestAnswer, RestClient } from '../../tools/sandbox/rest-client.ts';
import { waitUntil } from '../../tools/services/wait-until.ts';

export const ADMINISTRATOR = { email: 'ann@example.com', password: 'lanterns over the canal' };
const TOTP_STEP_MS = 30_000;
const PRINTED_WITHIN_MS = 60_000;

/** Sends requests with or without a session. Throws if a response is not a success. */
export class Caller {
  readonly #client: RestClient;

  constructor(url: string, token?: string) {
    const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
    this.#client = new RestClient({ url, headers });
  }

  async send(
    method: 'GET' | 'POST' | 'PUT',
    path: string,
    body?: object,
  ): Promise<RestAnswer['body']> {
    const given = body === undefined ? {} : { body };
    const answer = await this.#client.send({ method, target: `/v2${path}`, ...given });
    if (answer.status >= 300) {
      throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
    }
    return answer.body;
  }
}

export async function firstAdministrator(options: {
  readonly url: string;
  /** Log file of the gateway that prints the token. */
  readonly logFile: string;
  signUp(token: string): Promise<unknown>;
}): Promise<Caller> {
  const { logFile, signUp, url } = options;
  let setupToken: string | undefined;
  await waitUntil({
    what: 'the gateway prints the token',
    timeoutMs: PRINTED_WITHIN_MS,
    question: () => {
      setupToken = /"setupToken":"([^"]+)"/.exec(readFileSync(logFile, 'utf8'))?.[1];
      return setupToken !== undefined;
    },
  });
  await signUp(setupToken ?? '');
  const nobody = new Caller(url);
  const { token } = await nobody.send('POST', '/login', ADMINISTRATOR);
  const ann = new Caller(url, token);
  const { secret } = await ann.send('GET', '/user/request-otp');
  await ann.send('POST', '/user/activate-otp', { code: totpCode(secret, Date.now()) });
  // A code is valid once, so the next login needs the next code.
  const otp_code = totpCode(secret, Date.now() + TOTP_STEP_MS);
  const second = await nobody.send('POST', '/login', { ...ADMINISTRATOR, otp_code });
  return new Caller(url, second.token);
}
