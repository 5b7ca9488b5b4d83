// Addresses of NATS servers as an operator writes them, in the form in which the client wants them.

export type ServerAddresses = {
  readonly servers: string[];
  readonly user?: string;
  readonly pass?: string;
};

/**
 * Takes `nats://user:password@host:port`; scheme, user and port may be left out. The client does
 * not look for a user there, and would take digits of a password for the port.
 */
export function serverAddresses(urls: readonly string[]): ServerAddresses {
  const parsed = urls.map((url) => new URL(url.includes('://') ? url : `nats://${url}`));
  const servers = parsed.map(({ host }) => host);
  const named = parsed.find(({ username }) => username !== '');
  if (named === undefined) return { servers };
  const { username, password } = named;
  return { servers, user: decodeURIComponent(username), pass: decodeURIComponent(password) };
}
