// Creates requests from openapi.json: valid, nearly valid, and hostile. The same seed creates the
// same requests.

import { createHmac } from 'node:crypto';
import openapi from '../../../protocol/openapi.json' with { type: 'json' };
import type { Random } from '../../flows/index.ts';
import { HOSTILE_BODIES, HOSTILE_JSON, HOSTILE_TEXTS } from './hostile-values.ts';

export interface Credentials {
  readonly key: string;
  readonly secret: string;
}

export interface MadeRequest {
  readonly operation: string;
  /** Complete bytes for the socket. */
  readonly text: string;
}

/** Parts of JSON Schema that the document uses. */
interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxItems?: number;
}

interface Parameter {
  readonly name: string;
  readonly required: boolean;
  readonly schema: Schema;
}

interface Operation {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly Parameter[];
  readonly body: Schema | undefined;
}

// Valid subjects of calls; without them nearly every request would fail at the first check.
const PLAUSIBLE: Readonly<Record<string, readonly string[]>> = {
  symbol: ['"btc-usdt"', '"btc-eur"', '"usdt-eur"'],
  currency: ['"btc"', '"usdt"', '"eur"'],
  assets: ['"btc"', '"btc,usdt"', '"eur,btc"'],
  spending_currency: ['"btc"', '"usdt"', '"eur"'],
  receiving_currency: ['"btc"', '"usdt"', '"eur"'],
  quote: ['"usdt"', '"eur"'],
  price: ['60000', '"59000.5"', '61000', '55000', '0.92'],
  size: ['0.001', '"0.0001"', '1', '0.5', '10'],
  stop: ['null', '62000', '"58000"'],
  amount: ['0.01', '"10"', '25', '0.001'],
  network: ['"btc"', '"eth"', '"trx"'],
  resolution: ['"60"', '"1D"', '"15"', '"1h"'],
  from: ['1700000000', '0'],
  to: ['1900000000', '1800000000'],
  user_id: ['1', '2', '3'],
};

const operations = readOperations();

export class RequestMaker {
  readonly #random: Random;
  readonly #callers: readonly Credentials[];
  /** IDs from earlier responses, which any caller can use. */
  readonly #seenIds: string[] = [];
  #nonce = 0;

  constructor(random: Random, callers: readonly Credentials[]) {
    this.#random = random;
    this.#callers = callers;
  }

  /** Anything in a response that looks like an ID can be used in a later request. */
  learn(answer: string): void {
    const found = /"(?:id|transaction_id|token)":"?([\w+/=.-]{1,400})/.exec(answer)?.[1];
    if (found === undefined) return;
    if (this.#seenIds.length < 200) this.#seenIds.push(found);
    else this.#seenIds[this.#random.below(200)] = found;
  }

  make(): MadeRequest {
    const random = this.#random;
    const operation = random.pick(operations);
    // Percentage of hostile values: most requests have one or none.
    const hostility = random.pick([0, 0, 8, 25, 80]);
    const target = this.#target(operation, hostility);
    const body = this.#body(operation, hostility);
    return { operation: operation.name, text: this.#whole(operation, target, body) };
  }

  #target({ parameters, path }: Operation, hostility: number): string {
    const random = this.#random;
    const pairs: string[] = [];
    for (const { name, required, schema } of parameters) {
      if (!required && random.chance(60)) continue;
      if (required && random.chance(hostility / 4)) continue;
      const isHostile = random.chance(hostility);
      const value = isHostile ? random.pick(HOSTILE_TEXTS) : textOf(this.#value(name, schema, 0));
      pairs.push(`${name}=${encode(value)}`);
      if (random.chance(hostility / 10)) pairs.push(`${name}=${encode(value)}`);
    }
    if (random.chance(hostility / 5))
      pairs.push(random.pick(['x=1', '&', '=', '%', 'a[]=1', '%ff=%fe']));
    return pairs.length === 0 ? path : `${path}?${pairs.join('&')}`;
  }

  #body({ body }: Operation, hostility: number): string {
    const random = this.#random;
    if (body === undefined) return random.chance(hostility / 10) ? '{"a":1}' : '';
    if (random.chance(hostility / 4)) return random.pick(HOSTILE_BODIES);
    return this.#value('', body, hostility);
  }

  /** Returns JSON source text. */
  #value(name: string, given: Schema, hostility: number): string {
    const random = this.#random;
    const schema = resolved(given);
    if (random.chance(hostility)) return random.pick(HOSTILE_JSON);
    const plausible = PLAUSIBLE[name];
    if (plausible !== undefined && random.chance(90)) return random.pick(plausible);
    if (/(?:id|ids|token)$/.test(name) && this.#seenIds.length > 0 && schema.type === 'string') {
      return JSON.stringify(random.pick(this.#seenIds));
    }
    if (schema.enum !== undefined) return JSON.stringify(random.pick(schema.enum));
    if (schema.anyOf !== undefined) return this.#value(name, random.pick(schema.anyOf), 0);
    const types = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? ['string']);
    switch (random.pick(types)) {
      case 'integer':
        return String(random.between(schema.minimum ?? -5, Math.min(schema.maximum ?? 100, 1_000)));
      case 'number':
        return random.pick(['1', '0.5', '100', '12.345']);
      case 'boolean':
        return random.pick(['true', 'false']);
      case 'null':
        return 'null';
      case 'array':
        return this.#array(name, schema, hostility);
      case 'object':
        return this.#object(schema, hostility);
      default:
        return JSON.stringify(this.#word(schema));
    }
  }

  #array(name: string, { items = {}, maxItems = 5 }: Schema, hostility: number): string {
    const count = this.#random.below(Math.min(maxItems + 2, 8));
    return `[${Array.from({ length: count }, () => this.#value(name, items, hostility)).join()}]`;
  }

  #object({ properties = {}, required = [] }: Schema, hostility: number): string {
    const random = this.#random;
    const members: string[] = [];
    for (const [name, schema] of Object.entries(properties)) {
      const isRequired = required.includes(name);
      if (isRequired ? random.chance(hostility / 5) : random.chance(60)) continue;
      members.push(`${JSON.stringify(name)}:${this.#value(name, schema, hostility)}`);
      if (random.chance(hostility / 10)) members.push(members.at(-1)!);
    }
    if (random.chance(hostility / 5)) members.push('"postOnly":true', '"__proto__":{"a":1}');
    return `{${members.join()}}`;
  }

  #word({ format }: Schema): string {
    this.#nonce += 1;
    if (format === 'date-time') return new Date(1.7e12 + this.#nonce).toISOString();
    return `w-${this.#nonce}`;
  }

  #whole({ method, path }: Operation, target: string, body: string): string {
    const random = this.#random;
    const headers = ['host: localhost'];
    if (random.chance(90)) headers.push(...this.#signature(method, target, body));
    else if (random.chance(30)) headers.push('authorization: Bearer invalid', 'api-key: nothing');
    const bytes = Buffer.byteLength(body);
    if (bytes > 0 || method === 'POST' || method === 'PUT')
      headers.push(`content-length: ${bytes}`);
    if (bytes > 0) {
      const other = random.pick(['text/plain', 'x/y', 'application/xml']);
      headers.push(`content-type: ${random.chance(95) ? 'application/json' : other}`);
    }
    if (random.chance(1)) headers.push(`x-long: ${'y'.repeat(random.pick([100, 8_000, 20_000]))}`);
    const verb = random.chance(1) ? random.pick(['PATCH', 'OPTIONS', 'LOCK']) : method;
    const place = random.chance(1) ? `${path}/${random.pick(['x', '..', '%00'])}` : target;
    return `${verb} ${place} HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n${body}`;
  }

  #signature(method: string, target: string, body: string): string[] {
    const random = this.#random;
    const { key, secret } = random.pick(this.#callers);
    const now = Math.floor(Date.now() / 1_000);
    this.#nonce += 1;
    // Unique, so two equal requests are not rejected as a replay.
    const expires = random.chance(97)
      ? String(now + 20 + (this.#nonce % 270))
      : random.pick([
          '',
          '0',
          '-1',
          'soon',
          String(now - 5),
          String(now + 9_999),
          '1e10',
          '9'.repeat(40),
        ]);
    const signed = `${method}${target}${expires}${body}`;
    const right = createHmac('sha256', secret).update(signed).digest('hex');
    const signature = random.chance(97)
      ? right
      : random.pick(['', 'zz', right.slice(2), `${right}00`]);
    return [`api-key: ${key}`, `api-signature: ${signature}`, `api-expires: ${expires}`];
  }
}

function readOperations(): Operation[] {
  const found: Operation[] = [];
  for (const [path, methods] of Object.entries(openapi.paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const {
        operationId,
        parameters = [],
        requestBody,
      } = operation as {
        operationId: string;
        parameters?: Parameter[];
        requestBody?: { content: Record<string, { schema: Schema }> };
      };
      const body = requestBody?.content['application/json'].schema;
      found.push({ name: operationId, method: method.toUpperCase(), path, parameters, body });
    }
  }
  return found;
}

function resolved(schema: Schema): Schema {
  if (schema.$ref === undefined) return schema;
  const name = schema.$ref.slice('#/components/schemas/'.length);
  return (openapi.components.schemas as Readonly<Record<string, Schema>>)[name];
}

/** A query has strings, not JSON. */
function textOf(json: string): string {
  const value: unknown = JSON.parse(json);
  return Array.isArray(value) ? value.join(',') : typeof value === 'string' ? value : json;
}

// A value that cannot be encoded is sent as meaningless bytes.
function encode(text: string): string {
  return text.isWellFormed() ? encodeURIComponent(text) : '%ed%a0%80';
}
