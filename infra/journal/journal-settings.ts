// What every service must know to open the journal, as settings of its environment.

import { integer, list, oneOf, text } from '../process/index.ts';

export const journalSettings = {
  /** In production the journal is refused when its settings could lose what it acknowledged. */
  mode: oneOf('RIALTO_MODE', ['production', 'development'], 'production'),
  /** The exchange's name: streams and subjects begin with it. */
  exchange: text('RIALTO_EXCHANGE', { fallback: 'rialto' }),
  natsUrls: list('RIALTO_NATS_URLS', { of: 'nats:// URLs' }),
  /** Where the servers report about themselves, to verify that they sync always. */
  natsMonitorUrls: list('RIALTO_NATS_MONITOR_URLS', { fallback: [], of: 'http:// URLs' }),
  replicas: integer('RIALTO_REPLICAS', { min: 1, max: 5, fallback: 3 }),
};
