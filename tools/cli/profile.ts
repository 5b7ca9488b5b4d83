// Operator profile: URL of the exchange and files with key and session. Reads secrets from files,
// never from arguments.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { RestCaller } from '../../client/rest-caller.ts';
import { ConfigFault } from '../../infra/process/index.ts';
import type { RouteName } from './commands.ts';

export interface Profile {
  readonly url: string;
  /** A JSON file with `key` and `secret`. */
  readonly keyFile: string | undefined;
  /** A file with the token of a login session. */
  readonly sessionFile: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

export function readProfile(environment: Environment): Profile {
  const { RIALTO_PROFILE, XDG_CONFIG_HOME } = environment;
  const folder = join(XDG_CONFIG_HOME ?? join(homedir(), '.config'), 'rialto');
  const file = RIALTO_PROFILE ?? join(folder, 'profile.json');
  const sessionFile = join(dirname(file), 'session');
  let found: Partial<Profile>;
  try {
    found = JSON.parse(readFileSync(file, 'utf8'));
  } catch (fault) {
    const reason = (fault as NodeJS.ErrnoException).code ?? 'not JSON';
    throw problem(`${file} cannot be read (${reason}). Expected JSON with url and keyFile.`);
  }
  if (typeof found.url !== 'string' || !URL.canParse(found.url)) {
    throw problem(`${file} has no url. Expected for example https://exchange.example.com.`);
  }
  return { sessionFile, keyFile: undefined, ...found, url: found.url };
}

/** Returns undefined without a profile; servers need none. */
export function profileUrl(environment: Environment): string | undefined {
  try {
    return readProfile(environment).url;
  } catch {
    return undefined;
  }
}

function problem(text: string): ConfigFault {
  return new ConfigFault([{ name: 'profile', problem: text }]);
}

/** API of one operator, by route name. Decimals are strings. */
export interface Api {
  call(route: RouteName, input: object): Promise<unknown>;
}

/** `inPerson` uses the login session instead of the key. */
export function openApi(profile: Profile, { inPerson }: { readonly inPerson: boolean }): Api {
  const token = inPerson ? readSession(profile) : undefined;
  const { keyFile, url } = profile;
  const options = { url, ...(token === undefined ? {} : { fetch: withToken(token) }) };
  const caller = new RestCaller(
    inPerson || keyFile === undefined ? options : { ...options, ...readKey(keyFile) },
  );
  return { call: (route, input) => caller.call(route as never, input, {}) };
}

function withToken(token: string): typeof fetch {
  return (request, options) => {
    const headers = { ...(options?.headers as object), authorization: `Bearer ${token}` };
    return fetch(request, { ...options, headers });
  };
}

function readKey(file: string): { readonly key: string; readonly secret: string } {
  try {
    const { key, secret } = JSON.parse(readFileSync(file, 'utf8'));
    if (typeof key === 'string' && typeof secret === 'string') return { key, secret };
  } catch (cause) {
    throw new ConfigFault([
      { name: 'keyFile', problem: `${file} cannot be read (${String(cause)})` },
    ]);
  }
  throw new ConfigFault([
    { name: 'keyFile', problem: `${file} is invalid. Expected JSON with key and secret.` },
  ]);
}

function readSession({ sessionFile }: Profile): string {
  try {
    return readFileSync(sessionFile, 'utf8').trim();
  } catch {
    throw new ConfigFault([
      { name: 'session', problem: `not found at ${sessionFile}. Run \`rialto login EMAIL\`.` },
    ]);
  }
}

/** Readable by its owner only. */
export function writeSession({ sessionFile }: Profile, token: string): void {
  mkdirSync(dirname(sessionFile), { recursive: true });
  writeFileSync(sessionFile, `${token}\n`, { mode: 0o600 });
}
