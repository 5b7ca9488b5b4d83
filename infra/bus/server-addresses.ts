// Converts NATS server addresses from the form operators write to the form the client expects.

export type ServerAddresses = {
  readonly servers: string[];
  readonly user?: string;
  readonly pass?: string;
};

/**
 * Accepts `nats://user:password@host:port`; scheme, user and port are optional. The client itself
 * does not parse a user from the URL, and would take digits of a password for the port.
 */
export function serverAddresses(urls: readonly string[]): ServerAddresses {
  const parsed = urls.map((url) => new URL(url.includes('://') ? url : `nats://${url}`));
  const servers = parsed.map(({ host }) => host);
  const named = parsed.find(({ username }) => username !== '');
  if (named === undefined) return { servers };
  const { username, password } = named;
  return { servers, user: decodeURIComponent(username), pass: decodeURIComponent(password) };
}
