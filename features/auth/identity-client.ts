// The part of a request's origin that identity rules use. The gateway's client context has these
// fields and more.

export interface IdentityClient {
  /** The client's address, as reported by trusted proxies. */
  readonly address: string;
  /** The address, or the /64 network of an IPv6 one. */
  readonly network: string;
  readonly userAgent: string;
  /** The cookie that identifies a browser across logins. */
  readonly deviceToken?: string | undefined;
  /** The cookie that identifies the flow of a short code. */
  readonly flowToken?: string | undefined;
  /** Whether it keeps cookies: one of the exchange's own web apps. */
  readonly isBrowserApp: boolean;
}

/** User agents are shown to people and stored; longer ones are cut. */
const USER_AGENT_CHARACTERS_MAX = 200;

export function shortUserAgent({ userAgent }: Pick<IdentityClient, 'userAgent'>): string {
  return userAgent.replaceAll(/\p{Cc}/gu, ' ').slice(0, USER_AGENT_CHARACTERS_MAX);
}
