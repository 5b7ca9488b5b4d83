// The architecture: which role of a file may import which. check-layers.ts reads this table.

const TYPES = 'core/money core/messages core/market-data';
const TABLES = `${TYPES} infra/process infra/settings infra/bus infra/postgres infra/projections`;
const RULES = `${TABLES} infra/access infra/live-feed platform/vault platform/outbox rules`;
const SERVICE = `protocol ${TYPES} infra/* platform/* rules`;
const PROCESS = 'infra/process infra/settings infra/identities infra/bus infra/status';

// Left: the role of a file, from its place. Right: the roles that it may import; `*` is each folder
// of that name, and `own` a role of the same feature only. All other imports are forbidden.
export const layers: Record<string, string> = {
  'core/money': '',
  'core/structures': '',
  'core/messages': 'core/money',
  'core/ledger': 'core/structures core/money core/messages',
  'core/matching': 'core/structures core/money core/messages',
  'core/engine': 'core/structures core/money core/messages core/ledger core/matching',
  'core/market-data': 'core/structures core/money core/messages',

  'infra/process': '',
  'infra/settings': 'infra/process',
  'infra/identities': 'infra/process core/messages',
  'infra/bus': 'infra/process infra/identities',
  'infra/command-link': `infra/process infra/identities infra/bus ${TYPES}`,
  'infra/replica': `infra/process infra/journal core/engine ${TYPES}`,
  'infra/postgres': 'infra/process infra/settings',
  'infra/projections': 'infra/process infra/postgres core/money core/messages',
  'infra/access': 'infra/process infra/bus core/money',
  'infra/fresh-reads': 'infra/process infra/bus infra/journal infra/postgres infra/projections',
  'infra/*': 'infra/process infra/settings infra/identities infra/bus core/money core/messages',

  // The wire: schemas know no rules, so that apps, clients and documents can use them.
  'protocol/wire': '',
  api: `${TYPES} protocol/wire api`,
  protocol: `${TYPES} protocol/wire api`,

  // Shared by features and knows none of them, but for what platform/http gives to handlers.
  'platform/*': `${TABLES} platform/vault`,
  'platform/http': `${RULES} protocol protocol/wire infra/command-link infra/fresh-reads`,

  // A feature: rules know neither operators' actions nor HTTP; actions know no HTTP.
  rules: `${RULES} protocol/wire own/api`,
  admin: `${RULES} admin`,
  jobs: `${RULES} platform/jobs`,
  http: `${RULES} api admin http platform/http protocol protocol/wire`,
  routes: 'own/http',

  // The sequencer and its followers run the engine, through infra/replica. All other services only
  // exchange messages with it.
  'services/sequencer': `protocol infra/* ${TYPES} core/engine`,
  'services/archivist': `protocol infra/* ${TYPES} core/engine`,
  'services/reconciler': `${SERVICE} core/engine`,
  'services/projector': `${TABLES} ${PROCESS} infra/journal infra/replica`,
  'services/publisher': `protocol ${TABLES} ${PROCESS} infra/journal infra/replica infra/live-feed`,
  'services/market-agents': `agents client ${PROCESS}`,
  'services/gateway-http': `${SERVICE} protocol/wire admin http routes`,
  'services/notifier': `${SERVICE} jobs`,
  'services/*': SERVICE,

  // Screens meet the exchange as any client does. Amounts are texts: `apps/decimals` counts them.
  'apps/decimals': '',
  'apps/ui': 'apps/decimals',
  'apps/forms': 'apps/decimals apps/ui client',
  'apps/*': 'apps/decimals apps/forms apps/ui client protocol',
  client: '',
  'domain/*': '*',
  agents: '',
  deploy: 'infra/process infra/settings rules',
  testing: '*',
  tools: '*',
};
