// The route table is complete and consistent, beyond what the types check.

import assert from 'node:assert/strict';
import test from 'node:test';
import { Ajv } from 'ajv';
import { coerceQuery } from './coerce-query.ts';
import { routes } from './routes.ts';
import { BODY_BYTES_MAX, OPERATOR_BODY_BYTES_MAX, type Route } from './wire/index.ts';
import { SCOPES } from './wire/route.ts';

interface Schema {
  readonly type?: string;
  readonly pattern?: string;
  readonly const?: unknown;
  readonly enum?: readonly string[];
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly maxItems?: number;
  readonly maxLength?: number;
  readonly properties?: Record<string, Schema>;
}

const table = Object.entries<Route>(routes);

/** The compatible API changes something with these, so cookies need a header on them too. */
const CHANGING_GETS = new Set<string>([
  'requestOtp',
  'logout',
  'requestEmailConfirmation',
  'deactivateUser',
  'resendVerification',
  'requestPasswordReset',
  'openPasswordChange',
  'createAddress',
  'completeSetup',
  'settleFees',
]);

/** The compatible API sends a body in these, because codes must not be in a URL. */
const DELETES_WITH_BODY = new Set<string>([
  'deletePasskey',
  'revokeApiKey',
  'closeAccount',
  'deleteUser',
  'removePaymentDetail',
  'removePaymentDetailOfUser',
  'removeSubAccount',
  'removeRole',
  'removeAnnouncement',
  'endStake',
  'terminateStakePool',
]);

/** Below the operator path, used before there is an operator. */
const FOR_NO_OPERATOR_YET = new Set<string>(['signUpAdministrator']);

/**
 * Returns the longest JSON text of a value, with one byte per character; infinite without a limit.
 */
function bytesOf(schema: Schema): number {
  const {
    anyOf,
    items = {},
    maxItems = Number.POSITIVE_INFINITY,
    maxLength = Number.POSITIVE_INFINITY,
    properties = {},
  } = schema;
  if (schema.const !== undefined) return JSON.stringify(schema.const).length;
  if (anyOf !== undefined) return Math.max(...anyOf.map(bytesOf));
  if (schema.enum !== undefined) return Math.max(...schema.enum.map((one) => one.length)) + 2;
  if (schema.type === 'string') return maxLength + 2;
  if (schema.type === 'array') return maxItems * (bytesOf(items) + 1) + 2;
  if (schema.type !== 'object') return 25;
  const members = Object.entries(properties);
  return members.reduce((sum, [name, member]) => sum + name.length + 4 + bytesOf(member), 2);
}

test('every body limit fits the longest body that its schema allows', () => {
  for (const [name, { body, bodyBytesMax = BODY_BYTES_MAX }] of table) {
    if (body === undefined || name === 'sendRawMail') continue;
    const bytes = bytesOf(body as Schema);
    if (bytes < Number.POSITIVE_INFINITY)
      assert.ok(bytes <= bodyBytesMax, `${name} ${bytes} ${bodyBytesMax}`);
    assert.ok(bodyBytesMax <= OPERATOR_BODY_BYTES_MAX, name);
  }
});

test('abuse 38: every operator route states its default roles, and no other route does', () => {
  const wrong = Object.entries<Route>(routes).filter(
    ([, { permission, roles }]) => (permission.who === 'operator') !== (roles !== undefined),
  );
  assert.deepEqual(wrong, []);
});

/** Returns the problems of one route, as sentences. */
function problemsOf(name: string, route: Route): string[] {
  const { body, effect, method, module, permission, query, response, summary, weight } = route;
  const problems: [hasProblem: boolean, sentence: string][] = [
    [!/^\/v2(?:\/:?[a-z0-9-]+)+$/.test(route.path), 'has a path that is not plain'],
    [summary.length < 5 || summary.endsWith('.'), 'has no summary, or one with a full stop'],
    [route.tag === '', 'has no tag'],
    [(query as { type?: string }).type !== 'object', 'has no schema of its query'],
    [Object.keys(response).length === 0, 'has no schema of its answer'],
    [!Number.isInteger(weight) || weight < 1, 'has no weight'],
    [
      method === 'GET' && effect !== 'read' && !CHANGING_GETS.has(name),
      'is a GET and changes something',
    ],
    [method === 'GET' && body !== undefined, 'is a GET with a body'],
    [
      method === 'DELETE' && body !== undefined && !DELETES_WITH_BODY.has(name),
      'is a DELETE with a body',
    ],
    [
      permission.who === 'anyone' && effect !== 'read' && module === undefined,
      'lets anyone change something',
    ],
    ['scope' in permission && !SCOPES.includes(permission.scope), 'has an unknown scope'],
    [
      /^\/v2\/admin\//.test(route.path) !== (permission.who === 'operator') &&
        !FOR_NO_OPERATOR_YET.has(name),
      'has the wrong permission for its path',
    ],
    [/^\/v2\/dev\//.test(route.path) !== (route.onlyInDevelopment === true), 'is not only for dev'],
  ];
  return problems.filter(([hasProblem]) => hasProblem).map(([, sentence]) => `${name} ${sentence}`);
}

test('email addresses and stored texts reject U+0000, which PostgreSQL cannot store', () => {
  const patterns = (schema: Schema, name = ''): [name: string, pattern: string][] => {
    const isText = schema.type === 'string' && ['email', 'anti_phishing'].includes(name);
    if (isText) return [[name, schema.pattern ?? '']];
    return Object.entries(schema.properties ?? {}).flatMap(([key, one]) => patterns(one, key));
  };
  const found = table.flatMap(([name, { body, query }]) =>
    [query, body ?? {}].flatMap((schema) =>
      patterns(schema).map(([field, pattern]) => ({ field: `${name} ${field}`, pattern })),
    ),
  );
  assert.ok(found.some(({ field }) => field === 'logIn email'));
  assert.ok(found.some(({ field }) => field === 'changeSettings anti_phishing'));
  for (const { field, pattern } of found) {
    assert.ok(new RegExp(pattern).test('ä@example.com'), field);
    assert.ok(!new RegExp(pattern).test('a\u0000@example.com'), field);
  }
});

test('every route is complete', () => {
  assert.deepEqual(
    table.flatMap(([name, route]) => problemsOf(name, route)),
    [],
  );
});

test('an incomplete route is caught', () => {
  const empty = { ...routes.createOrder, path: 'order', summary: '', weight: 0 } as Route;
  assert.deepEqual(problemsOf('empty', empty), [
    'empty has a path that is not plain',
    'empty has no summary, or one with a full stop',
    'empty has no weight',
  ]);
});

/** These count look-ups themselves, or their `user_id` is an operator's. */
const OTHER_READS = new Set<string>([
  'getUsers',
  'getUsersFile',
  'getPaymentDetailsOfUsers',
  'getAudits',
  'getAuditsFile',
  'getReveals',
  'settleFees',
]);

test('abuse 49: every operator read that names a user is a look-up', () => {
  const uncounted = table
    .filter(([, { method, permission }]) => method === 'GET' && permission.who === 'operator')
    .filter(([, { lookUp, query }]) => 'user_id' in query.properties && lookUp !== true)
    .map(([name]) => name)
    .filter((name) => !OTHER_READS.has(name));
  assert.deepEqual(uncounted, []);
});

test('no two routes have the same method and path', () => {
  const places = table.map(([, { method, path }]) => `${method} ${path}`);
  assert.deepEqual(
    places.filter((place, at) => places.indexOf(place) !== at),
    [],
  );
});

test('every endpoint that changes something needs a signature with its scope', () => {
  const allowed = Object.fromEntries(
    table
      .filter(([, { effect }]) => effect !== 'read')
      .filter(([, { permission }]) => permission.who !== 'person')
      .filter(([, { permission }]) => !('personOnly' in permission))
      // Identity requests carry their own proof: a password, or a code from an email.
      .filter(([, { module, permission }]) => permission.who !== 'anyone' || module === undefined)
      .map(([name, { permission }]) => [name, 'scope' in permission ? permission.scope : 'none']),
  );
  assert.deepEqual(allowed, {
    createWithdrawal: 'can_withdraw',
    cancelWithdrawal: 'can_withdraw',
    createOrder: 'can_trade',
    amendOrder: 'can_trade',
    cancelOrder: 'can_trade',
    cancelOrdersOfMarket: 'can_trade',
    createOrders: 'can_trade',
    cancelOrders: 'can_trade',
    cancelAllOrders: 'can_trade',
    setDeadManSwitch: 'can_trade',
    executeQuote: 'can_trade',
    createSubAccount: 'can_withdraw',
    removeSubAccount: 'can_withdraw',
    transferToSubAccount: 'can_withdraw',
    createStake: 'can_withdraw',
    endStake: 'can_withdraw',
    createStakePool: 'can_withdraw',
    changeStakePool: 'can_withdraw',
    terminateStakePool: 'can_withdraw',
    adjustStake: 'can_withdraw',
    creditDeposit: 'can_withdraw',
    reviewDeposit: 'can_withdraw',
    withdrawApproval: 'any',
    dismissProcess: 'any',
    attributeCustodyDeposit: 'any',
    reportBackup: 'can_trade',
    createAnnouncement: 'can_withdraw',
    changeAnnouncement: 'can_withdraw',
    removeAnnouncement: 'can_withdraw',
    sendMail: 'can_withdraw',
    sendRawMail: 'can_withdraw',
    burn: 'can_withdraw',
    transferBetweenUsers: 'can_withdraw',
    payOut: 'can_withdraw',
    tradeDirectly: 'can_trade',
    placeOrderOfUser: 'can_trade',
    cancelOrderOfUser: 'can_trade',
    settleFees: 'can_withdraw',
    reviewWithdrawal: 'can_withdraw',
    setWithdrawalPolicy: 'can_withdraw',
    createUser: 'can_withdraw',
    updateUser: 'can_withdraw',
    deleteUser: 'can_withdraw',
    activateUser: 'can_withdraw',
    setUserMeta: 'can_withdraw',
    setUserDiscount: 'can_withdraw',
    setUserNote: 'can_withdraw',
    upgradeUser: 'can_withdraw',
    resetFactors: 'can_withdraw',
    blockWithdrawals: 'can_withdraw',
    revokeSessionOfUser: 'can_withdraw',
    logOutEveryone: 'can_withdraw',
    createAddressOfUser: 'can_withdraw',
    replaceBankAccounts: 'can_withdraw',
    verifyBankAccount: 'can_withdraw',
    revokeBankAccount: 'can_withdraw',
    setTransactionLimit: 'can_withdraw',
    deleteTransactionLimit: 'can_withdraw',
    setQuickTrade: 'can_trade',
    stopSwitch: 'can_trade',
  });
});

test('while the exchange is read-only, users can only log in, leave and reduce risk', () => {
  const names = table.filter(([, { worksReadOnly }]) => worksReadOnly).map(([name]) => name);
  assert.deepEqual(names.sort(), [
    'cancelWithdrawal',
    'confirmLogin',
    'deactivateUser',
    'deactivateUserByPost',
    'enterSharedAccount',
    'freezeAccount',
    'logIn',
    'logInWithPasskey',
    'logout',
    'openSubAccount',
    'pauseSharedAccount',
    'provePasskey',
    'removeSharedAccount',
    'requestEmailConfirmation',
    'revokeApiKey',
    'revokeDevice',
    'revokeSession',
    'setDeadManSwitch',
  ]);
  const isWrite = ([, { effect, permission }]: (typeof table)[number]) =>
    effect === 'write' && permission.who !== 'operator';
  assert.ok(table.filter(([name]) => names.includes(name)).every(isWrite));
});

test('while its intake is stopped, a gateway serves what operators need to log in', () => {
  const names = table.filter(([, { worksStopped }]) => worksStopped).map(([name]) => name);
  assert.deepEqual(names.sort(), [
    'confirmLogin',
    'getChallenge',
    'getHealth',
    'getPasskeyLogin',
    'getPasskeyProof',
    'getUser',
    'logIn',
    'logInWithPasskey',
    'logout',
    'provePasskey',
  ]);
});

test('a withdrawal is never made with a session', () => {
  assert.deepEqual(routes.createWithdrawal.permission, {
    who: 'user',
    scope: 'can_withdraw',
    sessions: false,
  });
});

test("only the caller's own order requests can repeat within the same second", () => {
  const repeating = table.filter(([, { mayRepeat }]) => mayRepeat).map(([name]) => name);
  assert.deepEqual(repeating, ['createOrder', 'amendOrder', 'createOrders', 'setDeadManSwitch']);
});

test('only money moved by a user with a key is recorded under its signature', () => {
  const recorded = table.filter(([, { isRecorded }]) => isRecorded).map(([name]) => name);
  assert.deepEqual(recorded.toSorted(), ['createWithdrawal', 'transferToSubAccount']);
});

test('every order body refuses keys that would change execution', () => {
  const orders = table.filter(([, { isOrder }]) => isOrder).map(([name]) => name);
  assert.deepEqual(orders, ['createOrder', 'testOrder', 'amendOrder', 'createOrders']);
});

test('only order and stop cancels have the rate limit that is refused last', () => {
  const cancels = table.filter(([, { effect }]) => effect === 'cancel').map(([name]) => name);
  assert.deepEqual(cancels, [
    'cancelOrderOfUser',
    'cancelOrder',
    'cancelOrdersOfMarket',
    'cancelOrders',
    'cancelAllOrders',
    'stopSwitch',
  ]);
});

const checks = new Ajv({ strict: false, formats: { 'date-time': true } });

for (const [name, route] of table) {
  const { example } = route;
  if (example === undefined) continue;

  test(`the example of ${name} matches its schemas`, () => {
    if (example.query !== undefined) {
      const query = coerceQuery(route.query, example.query);
      assert.ok(query.ok, query.ok ? '' : query.detail);
      assert.ok(checks.validate(route.query, query.value), checks.errorsText());
    }
    assert.equal(example.body === undefined, route.body === undefined);
    if (route.body !== undefined) {
      assert.ok(checks.validate(route.body, example.body), checks.errorsText());
    }
    if (example.response !== undefined) {
      assert.ok(checks.validate(route.response, example.response), checks.errorsText());
    }
  });
}

test('an order is identified by exactly one ID', () => {
  const validate = checks.compile(routes.cancelOrder.query);
  assert.equal(validate({}), false);
  assert.equal(validate({ order_id: 'a' }), true);
  assert.equal(validate({ client_order_id: 'a' }), true);
  assert.equal(validate({ order_id: 'a', client_order_id: 'a' }), false);
});

test('size, price and stop can be numbers or texts; price and stop can be null', () => {
  const validate = checks.compile(routes.createOrder.body);
  const order = { symbol: 'btc-usdt', side: 'buy', type: 'limit', size: 1 };
  for (const value of [1, '1.5', null]) {
    assert.equal(validate({ ...order, price: value, stop: value }), true);
  }
  assert.equal(validate({ ...order, size: null }), false);
  assert.equal(validate({ ...order, size: true }), false);
  assert.equal(validate({ ...order, size: '' }), false);
  assert.equal(validate({ ...order, size: '1'.repeat(65) }), false);
});

const clientOrderIds: [id: string, isAccepted: boolean][] = [
  ['a', true],
  ['mm 1~', true],
  ['a'.repeat(36), true],
  ['a'.repeat(37), false],
  ['', false],
  ['é', false],
  ['a\n', false],
];

for (const [id, isAccepted] of clientOrderIds) {
  test(`${JSON.stringify(id)} is ${isAccepted ? '' : 'not '}a client order id`, () => {
    const order = { symbol: 'btc-usdt', side: 'buy', type: 'market', size: 1 };
    const accepted = checks.validate(routes.createOrder.body, { ...order, client_order_id: id });
    assert.equal(accepted, isAccepted);
  });
}

test('a batch has 1 to 50 orders', () => {
  const validate = checks.compile(routes.createOrders.body);
  const order = { symbol: 'btc-usdt', side: 'buy', type: 'market', size: 1 };
  const batch = (length: number) => ({ orders: Array.from({ length }, () => order) });
  assert.deepEqual(
    [0, 1, 50, 51].map((length) => validate(batch(length))),
    [false, true, true, false],
  );
});
