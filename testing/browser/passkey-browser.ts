// A headless Chromium with a virtual authenticator, on a blank page of a gateway's origin. Creates
// passkeys and signs with them like a user's browser does.

import { type Browser, type CDPSession, chromium, type Page } from 'playwright-core';
import { chromiumPath } from '../../tools/client/test-runtimes.ts';

export interface PageAnswer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests assert on bodies of any shape.
  readonly body: any;
}

export interface PageCall {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Includes the version, for example `/v2/user`. */
  readonly path: string;
  readonly body?: unknown;
  /** Session token. Anonymous if omitted. */
  readonly token?: string;
}

export interface NewPasskey {
  readonly token: string;
  readonly name?: string;
  /** Proves an earlier factor. */
  readonly otpCode?: string;
}

const BLANK = '/blank';
const TIMEOUT_MS = 60_000;
const AUTHENTICATOR = {
  protocol: 'ctap2',
  transport: 'internal',
  hasResidentKey: true,
  hasUserVerification: true,
  isUserVerified: true,
  automaticPresenceSimulation: true,
} as const;

/** Adds a virtual authenticator whose user is always present and verified. */
export async function addAuthenticator(
  page: Page,
): Promise<{ readonly devtools: CDPSession; readonly authenticatorId: string }> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  const options = AUTHENTICATOR;
  const added = await devtools.send('WebAuthn.addVirtualAuthenticator', { options });
  return { devtools, authenticatorId: added.authenticatorId };
}

export class PasskeyBrowser {
  readonly #browser: Browser;
  readonly #page: Page;
  readonly #devtools: CDPSession;
  readonly #authenticatorId: string;

  /** `url` is the gateway's. Passkeys need a domain, so an address becomes `localhost`. */
  static async open(url: string): Promise<PasskeyBrowser> {
    const browser = await chromium.launch({
      executablePath: await chromiumPath(),
      args: ['--no-sandbox', '--disable-dev-shm-usage'],
      timeout: TIMEOUT_MS,
    });
    try {
      const page = await browser.newPage();
      page.setDefaultTimeout(TIMEOUT_MS);
      const { authenticatorId, devtools } = await addAuthenticator(page);
      const opened = new PasskeyBrowser(browser, page, devtools, authenticatorId);
      await opened.goTo(url);
      return opened;
    } catch (fault) {
      await browser.close();
      throw fault;
    }
  }

  private constructor(browser: Browser, page: Page, devtools: CDPSession, authenticatorId: string) {
    this.#browser = browser;
    this.#page = page;
    this.#devtools = devtools;
    this.#authenticatorId = authenticatorId;
  }

  /** Opens a blank page of the origin. The passkeys are kept. */
  async goTo(url: string): Promise<void> {
    const page = new URL(BLANK, url);
    if (page.hostname === '127.0.0.1') page.hostname = 'localhost';
    await this.#page.route(page.href, (route) =>
      route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>blank</title>' }),
    );
    await this.#page.goto(page.href);
  }

  /** Sends a request from the page, with its cookies. */
  call({ body, method, path, token }: PageCall): Promise<PageAnswer> {
    const headers = {
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    };
    const request = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
    return this.#run(
      `const answer = await fetch(given.path, given.request);
       return { status: answer.status, body: await answer.json() };`,
      { path, request },
    );
  }

  /** Adds a passkey to the account of the session. */
  async register({ name, otpCode, token }: NewPasskey): Promise<PageAnswer> {
    const path = '/v2/user/request-passkey-options';
    const options = await this.call({ method: 'GET', path, token });
    if (options.status !== 200) return options;
    const { challenge, user } = options.body;
    const body = {
      challenge,
      webauthn_user_id: user.id,
      credential: await this.createCredential(options.body),
      ...(name !== undefined && { name }),
      ...(otpCode !== undefined && { otp_code: otpCode }),
    };
    return this.call({ method: 'POST', path: '/v2/user/activate-passkey', token, body });
  }

  /** Logs in without a password. The response contains the token. */
  async logIn(email: string): Promise<PageAnswer> {
    const query = new URLSearchParams({ email });
    const path = `/v2/login/passkey-auth-options?${query}`;
    const options = await this.call({ method: 'GET', path });
    if (options.status !== 200) return options;
    const credential = await this.sign(options.body);
    const body = { challenge: options.body.challenge, credential };
    return this.call({ method: 'POST', path: '/v2/login/verify-passkey', body });
  }

  /** Proves the passkey to the session. */
  async prove(token: string): Promise<PageAnswer> {
    const path = '/v2/user/prove-passkey';
    const options = await this.call({ method: 'GET', path, token });
    if (options.status !== 200) return options;
    const credential = await this.sign(options.body);
    const body = { challenge: options.body.challenge, credential };
    return this.call({ method: 'POST', path, token, body });
  }

  /** Returns the browser's response to registration options, as JSON. */
  createCredential(options: unknown): Promise<unknown> {
    return this.#run(
      `const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(given);
       return (await navigator.credentials.create({ publicKey })).toJSON();`,
      options,
    );
  }

  /** Returns the browser's response to login options, as JSON. */
  sign(options: unknown): Promise<unknown> {
    return this.#run(
      `const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(given);
       return (await navigator.credentials.get({ publicKey })).toJSON();`,
      options,
    );
  }

  /** Sets whether the user passes the authenticator's check, such as a fingerprint or PIN. */
  async setUserVerified(isUserVerified: boolean): Promise<void> {
    const authenticatorId = this.#authenticatorId;
    await this.#devtools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified });
  }

  /** Replaces every passkey by a copy with this counter, like on a thief's device. */
  async cloneWithCounter(signCount: number): Promise<void> {
    const authenticatorId = this.#authenticatorId;
    const stored = await this.#devtools.send('WebAuthn.getCredentials', { authenticatorId });
    await this.#devtools.send('WebAuthn.clearCredentials', { authenticatorId });
    for (const credential of stored.credentials) {
      await this.#devtools.send('WebAuthn.addCredential', {
        authenticatorId,
        credential: { ...credential, signCount },
      });
    }
  }

  close(): Promise<void> {
    return this.#browser.close();
  }

  // The page runs source text, because this project has no browser types.
  #run<Result>(source: string, given: unknown): Promise<Result> {
    return this.#page.evaluate(`(async (given) => { ${source} })(${JSON.stringify(given)})`);
  }
}
