// The declared features of a client: its methods and endpoints. A feature without a case is a
// failure, so a later release of the client cannot add an untested one.

import type { hollaex } from 'ccxt';

/** Properties of the client, not calls. */
const NOT_CALLS = ['publicAPI', 'privateAPI', 'sandbox', 'spot', 'ws'];

/** `fetchTicker`, `GET public oracle/prices`, … */
export function declaredBy(client: hollaex): string[] {
  const has = Object.entries(client.has as Readonly<Record<string, unknown>>)
    .filter(([, how]) => how === true || how === 'emulated')
    .map(([name]) => name)
    .filter((name) => !name.endsWith('Ws') && !NOT_CALLS.includes(name));
  const api = client.api as Readonly<Record<string, Record<string, Record<string, unknown>>>>;
  const endpoints = Object.entries(api).flatMap(([access, methods]) =>
    Object.entries(methods).flatMap(([method, paths]) =>
      Object.keys(paths).map((path) => `${method.toUpperCase()} ${access} ${path}`),
    ),
  );
  return [...has, ...endpoints];
}
