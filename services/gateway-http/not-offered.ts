// Calls of other exchanges with this interface that Rialto does not offer. They answer 501 with a
// reason instead of 404, so that nobody searches for a mistake in the path.

const NOT_OFFERED: readonly [path: string, reason: string][] = [
  ['/v2/admin/broker', 'there are no brokers; quick trade uses the order books'],
  ['/v2/admin/p2p', 'there is no trading from person to person'],
  ['/v2/p2p', 'there is no trading from person to person'],
  ['/v2/plugins', 'there are no plugins; programs use API keys'],
  ['/v2/admin/plugins', 'there are no plugins; programs use API keys'],
  ['/v2/admin/upload', 'host images yourself and write their addresses into the kit'],
  ['/v2/admin/order/match', 'orders are filled by their order book only'],
  ['/v2/admin/send-email-test', 'the notifier has the mail server in its environment'],
  ['/v2/admin/network-credentials', 'there is no remote network'],
  ['/v2/admin/dash-token', 'there is no remote network'],
];

/** The reason, or undefined for a path that is simply unknown. */
export function reasonNotOffered(path: string): string | undefined {
  const found = NOT_OFFERED.find(([start]) => path === start || path.startsWith(`${start}/`));
  return found?.[1];
}
