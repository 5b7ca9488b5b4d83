// Finds body keys that the exchange does not read and must not ignore. Unknown keys are ignored,
// because clients forward arbitrary parameters. A misspelled or misplaced key is refused, and so is
// an order key that changes execution on other exchanges: ignoring it could cost money.

import type { TSchema } from 'typebox';

export interface RefusedKey {
  /** Path from the top of the body: `meta.postOnly`. */
  readonly name: string;
  /** The key that was probably meant; undefined if the exchange has no such key. */
  readonly known: string | undefined;
}

interface BodySchema {
  readonly properties?: Readonly<Record<string, BodySchema>>;
  readonly items?: BodySchema;
}

type Fields = Readonly<Record<string, unknown>>;

/**
 * Names that set how an order executes on other exchanges, without case, hyphens and underscores;
 * with our name, if there is one.
 */
export const EXECUTION_KEYS: ReadonlyMap<string, string | undefined> = new Map([
  ...named('meta.post_only', ['postonly', 'makeronly', 'execinst']),
  ...named('time_in_force', ['timeinforce', 'tif', 'fok', 'ioc', 'fillorkill', 'allornone', 'aon']),
  ...named('stop', ['stopprice', 'stoppx', 'triggerprice', 'stopcondition']),
  ...named('client_order_id', ['clientoid', 'clordid', 'newclientorderid', 'origclientorderid']),
  ...named('self_trade_prevention', ['stp', 'stpmode', 'selftradepreventionmode', 'smptype']),
  ...named('type', ['ordertype', 'ordtype']),
  ...named('size', ['amount', 'quantity', 'qty']),
  ...named(undefined, ['quoteorderqty', 'quotequantity', 'quotesize', 'cost', 'funds', 'minqty']),
  ...named(undefined, ['reduceonly', 'closeposition', 'closeonly', 'closeontrigger', 'closeorder']),
  ...named(undefined, ['leverage', 'margin', 'marginmode', 'margintype', 'ismargin', 'isisolated']),
  ...named(undefined, ['marginasset', 'autoborrow', 'sideeffecttype', 'tdmode', 'lendingrate']),
  ...named(undefined, ['positionside', 'posside', 'positionidx', 'positionmode', 'hedgemode']),
  ...named(undefined, ['triggertype', 'triggerby', 'triggerdirection', 'workingtype', 'oco']),
  ...named(undefined, ['stoploss', 'stoplossprice', 'stoplimitprice', 'slprice', 'sl']),
  ...named(undefined, ['takeprofit', 'takeprofitprice', 'tpprice', 'tp', 'tpsl', 'tpslmode']),
  ...named(undefined, ['trailingstop', 'trailingdelta', 'trailingamount', 'trailingpercent']),
  ...named(undefined, ['callbackrate', 'activationprice', 'pegprice', 'pegoffset', 'pricematch']),
  ...named(undefined, ['iceberg', 'icebergqty', 'visiblesize', 'displayqty', 'displaysize']),
  ...named(undefined, ['hidden', 'ishidden', 'maxshow', 'twap', 'algotype']),
  ...named(undefined, ['slippage', 'maxslippage', 'slippagetolerance', 'priceprotect']),
  ...named('expires_at', [
    'goodtilldate',
    'goodtilltime',
    'gtd',
    'gtt',
    'expiretime',
    'expirydate',
  ]),
  ...named('expires_at', ['expiry', 'expiration', 'validuntil', 'cancelafter']),
]);

// Clients put their own parameters into `meta` or `params`, never deeper.
const DEPTH_MAX = 3;

/** Finds the keys of an order or a list of orders, including misplaced keys and EXECUTION_KEYS. */
export function refusedKeys(
  schema: TSchema,
  body: unknown,
  { isOrder = false }: { readonly isOrder?: boolean | undefined } = {},
): RefusedKey[] {
  if (hasOnlyKnownKeys(schema as BodySchema, body)) return [];
  const found: RefusedKey[] = [];
  collectMisspelt(schema as BodySchema, body, '', found);
  if (isOrder && isObject(body)) collectInOrder(schema as BodySchema, body, '', found);
  return found;
}

/** True for most bodies: every key is in the schema, and no value has keys. */
function hasOnlyKnownKeys({ properties }: BodySchema, body: unknown): boolean {
  if (properties === undefined || !isObject(body)) return false;
  for (const key of Object.keys(body)) {
    if (typeof body[key] === 'object' || !Object.hasOwn(properties, key)) return false;
  }
  return true;
}

function collectMisspelt(
  schema: BodySchema,
  value: unknown,
  path: string,
  found: RefusedKey[],
): void {
  if (Array.isArray(value)) {
    const { items } = schema;
    if (items === undefined) return;
    value.forEach((entry, at) => {
      collectMisspelt(items, entry, `${path}${at}.`, found);
    });
    return;
  }
  const { properties } = schema;
  if (!isObject(value) || properties === undefined) return;
  const knownByPlain = plainNames(properties);
  for (const [key, entry] of Object.entries(value)) {
    if (Object.hasOwn(properties, key)) {
      collectMisspelt(properties[key], entry, `${path}${key}.`, found);
      continue;
    }
    const known = knownByPlain.get(plain(key));
    if (known !== undefined) found.push({ name: path + key, known: path + known });
  }
}

function collectInOrder(
  order: BodySchema,
  value: Fields,
  orderPath: string,
  found: RefusedKey[],
): void {
  const places = placesIn(order);
  const collect = (schema: BodySchema | undefined, fields: Fields, path: string, depth: number) => {
    const { properties = {} } = schema ?? {};
    const spelt = plainNames(properties);
    for (const [key, entry] of Object.entries(fields)) {
      if (Object.hasOwn(properties, key)) {
        collectBelow(properties[key], entry, `${path}${key}.`, depth);
        continue;
      }
      const name = plain(key);
      const place = places.get(name) ?? EXECUTION_KEYS.get(name);
      const isRefused = place !== undefined || EXECUTION_KEYS.has(name);
      // Misspelled keys in the right place have already been found.
      if (isRefused && !asksForNothing(entry) && !spelt.has(name)) {
        found.push({ name: path + key, known: place && orderPath + place });
      } else if (!isRefused) collectBelow(undefined, entry, `${path}${key}.`, depth);
    }
  };
  const collectBelow = (
    schema: BodySchema | undefined,
    entry: unknown,
    path: string,
    depth: number,
  ) => {
    const items = schema?.items;
    if (isObject(entry) && depth < DEPTH_MAX) collect(schema, entry, path, depth + 1);
    if (!Array.isArray(entry) || items === undefined) return;
    entry.forEach((one: unknown, at) => {
      if (isObject(one)) collectInOrder(items, one, `${path}${at}.`, found);
    });
  };
  collect(order, value, orderPath, 1);
}

/** `postOnly: false` is the default behavior. */
function asksForNothing(value: unknown): boolean {
  return value === false || value === null || value === 0 || value === '';
}

const placesOf = new WeakMap<BodySchema, ReadonlyMap<string, string>>();

/** Path of each order key: `postonly` at `meta.post_only`. Computed once per schema. */
function placesIn(order: BodySchema): ReadonlyMap<string, string> {
  let places = placesOf.get(order);
  if (places === undefined) {
    const found = new Map<string, string>();
    for (const [key, { properties = {} }] of Object.entries(order.properties ?? {})) {
      for (const inner of Object.keys(properties)) found.set(plain(inner), `${key}.${inner}`);
    }
    for (const key of Object.keys(order.properties ?? {})) found.set(plain(key), key);
    places = found;
    placesOf.set(order, places);
  }
  return places;
}

const plainNamesOf = new WeakMap<object, ReadonlyMap<string, string>>();

/** Computed once per schema. */
function plainNames(properties: Readonly<Record<string, BodySchema>>): ReadonlyMap<string, string> {
  let names = plainNamesOf.get(properties);
  if (names === undefined) {
    names = new Map(Object.keys(properties).map((key) => [plain(key), key]));
    plainNamesOf.set(properties, names);
  }
  return names;
}

function plain(key: string): string {
  return key.replaceAll(/[_-]/g, '').toLowerCase();
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function named(known: string | undefined, names: readonly string[]) {
  return names.map((name): [string, string | undefined] => [name, known]);
}
