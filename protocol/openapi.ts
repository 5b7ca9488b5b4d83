// Generates the OpenAPI document from the routes. It contains nothing that the routes do not.

import type { TObject, TSchema } from 'typebox';
import { PendingApproval } from '../features/approvals/api/index.ts';
import { FieldDescriber } from './describe-fields.ts';
import { type ErrorKey, errorAnswer } from './errors.ts';
import { hoisted, type Json } from './hoisted-schemas.ts';
import { routes } from './routes.ts';
import { ErrorBody, type Permission, type Route, type RouteExample } from './wire/index.ts';

const OPENAPI_VERSION = '3.1.0';

const TAGS: Readonly<Record<string, string>> = {
  exchange: 'The exchange and its listings',
  'market data': 'Books, trades, tickers and candles',
  charts: 'The same for charting libraries, in their form',
  'sign-up and passwords': 'Becoming a user, and changing the password',
  login: 'Logging in; your sessions, logins and devices',
  'second factors': 'One-time passwords, passkeys and recovery codes',
  'api keys': 'Keys for programs',
  user: 'Your account and its history',
  withdrawals: 'Taking coins out',
  staking: 'Pools, your stakes and their rewards',
  referral: 'Codes, the people who used them, and your earnings',
  'sub-accounts': 'Sub-accounts and transfers between them',
  'shared accounts': 'Letting others see and trade in your account',
  orders: 'Placing, amending and canceling',
  'quick trade': 'Converting at a quoted price',
  operator: 'For operators of the exchange',
  development: 'Only on a development exchange',
};

/** Example error for each status. */
const ERROR_EXAMPLES: readonly [name: string, key: ErrorKey, description: string][] = [
  ['Invalid', 'request_invalid', 'The request is invalid or was rejected.'],
  ['Unknown', 'credentials_missing', 'The request is not authenticated.'],
  ['Forbidden', 'scope_missing', 'The key or the role does not permit this.'],
  ['NotFound', 'order_must_exist', 'Not found.'],
  ['Pending', 'approval_pending', 'For a key: other operators must approve it first.'],
  ['TooMany', 'rate_limit_exceeded', 'Rate limit exceeded; see Retry-After.'],
  ['Fault', 'internal_fault', 'An internal error of the exchange.'],
  ['Unavailable', 'exchange_busy', 'Not executed; retry after Retry-After.'],
  ['OutcomeUnknown', 'outcome_unknown', 'It may have been executed: check before you retry.'],
];

export function openApiDocument(version: string): Json {
  const schemas = new Map<string, Json>();
  const hoist = (schema: TSchema) => hoisted(schema, schemas);
  const error = hoist(ErrorBody);
  const operations = Object.entries<Route>(routes).map(([name, route]) => ({
    route,
    operation: operationOf(name, route, hoist),
  }));
  const describer = new FieldDescriber(schemas);
  const paths: Record<string, Record<string, Json>> = {};
  for (const { operation, route } of operations) {
    const path = route.path.replaceAll(/:(\w+)/g, '{$1}');
    const described = describedOperation(operation, describer);
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: described };
  }
  return {
    openapi: OPENAPI_VERSION,
    info: {
      title: 'Rialto',
      version,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      description:
        'Numbers in bodies may be sent as texts. Unknown parameters are ignored. Every error ' +
        'has a message, and a code that never changes its meaning.',
    },
    servers: [{ url: '/' }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
    paths,
    components: {
      securitySchemes: securitySchemes(),
      responses: Object.fromEntries(
        ERROR_EXAMPLES.map(([name, key, description]) => [
          name,
          { description, content: jsonContent(error, errorAnswer(key).body) },
        ]),
      ),
      schemas: Object.fromEntries(
        [...schemas]
          .sort(([a], [b]) => (a < b ? -1 : 1))
          .map(([title, schema]) => [title, describer.described(schema)]),
      ),
    },
  };
}

type Hoist = (schema: TSchema) => Json;

interface Operation extends Json {
  readonly operationId: string;
  readonly parameters: readonly (Json & { readonly name: string; readonly schema: Json })[];
  readonly requestBody?: Json & { readonly content: Contents };
  readonly responses: Readonly<Record<string, Json & { readonly content?: Contents }>>;
}

type Contents = Readonly<Record<string, Content>>;

interface Content extends Json {
  readonly schema: Json;
  readonly example?: unknown;
}

/**
 * Includes the meaning and an example of every parameter and field, and of bodies and responses.
 */
function describedOperation(operation: Operation, describer: FieldDescriber): Json {
  const { parameters, requestBody, responses } = operation;
  const described = (contents: Contents) =>
    Object.fromEntries(
      Object.entries(contents).map(([type, content]) => [
        type,
        type === 'application/json' ? describedContent(content, describer) : content,
      ]),
    );
  return {
    ...operation,
    parameters: parameters.map((parameter) => ({
      ...parameter,
      description: describer.meaning(parameter.schema, parameter.name),
      example: parameter.example ?? describer.example(parameter.schema, parameter.name),
    })),
    ...(requestBody !== undefined && {
      requestBody: { ...requestBody, content: described(requestBody.content) },
    }),
    responses: Object.fromEntries(
      Object.entries(responses).map(([status, response]) => [
        status,
        response.content === undefined
          ? response
          : { ...response, content: described(response.content) },
      ]),
    ),
  };
}

function describedContent(content: Content, describer: FieldDescriber): Json {
  const { example = describer.exampleOf(content.schema), schema } = content;
  return { schema: describer.described(schema), example };
}

function operationOf(name: string, route: Route, hoist: Hoist): Operation {
  const { example = {}, permission } = route;
  const { description } = route.query as { description?: string };
  return {
    operationId: name,
    summary: route.summary,
    description: [route.description, description].filter((one) => one !== undefined).join(' '),
    tags: [route.tag],
    ...(permission.who !== 'anyone' && { security: securityOf(permission) }),
    ...(permission.who === 'anyone' &&
      permission.mayIdentify === true && { security: [{}, ...securityOf(permission)] }),
    'x-effect': route.effect,
    'x-weight': route.weight,
    ...('scope' in permission && { 'x-scope': permission.scope }),
    ...(permission.who === 'operator' && { 'x-operators-only': true }),
    ...(route.module !== undefined && { 'x-module': route.module }),
    ...(route.onlyInDevelopment === true && { 'x-only-in-development': true }),
    parameters: [
      ...(route.params === undefined ? [] : parametersOf(route.params, 'path', hoist)),
      ...parametersOf(route.query, 'query', hoist, example.query),
    ],
    ...(route.body !== undefined && {
      requestBody: { required: true, content: bodyContent(route, hoist(route.body), example) },
    }),
    responses: responsesOf(route, example, hoist),
  };
}

function parametersOf(
  schema: TObject,
  place: 'path' | 'query',
  hoist: Hoist,
  example: Json = {},
): Operation['parameters'][number][] {
  const required = new Set<string>(schema.required ?? []);
  return Object.entries<TSchema>(schema.properties).map(([name, schema]) => {
    const { default: preset, description, type } = schema as Json;
    return {
      name,
      in: place,
      required: required.has(name) && preset === undefined,
      ...(description !== undefined && { description }),
      ...(type === 'array' && { style: 'form', explode: false }),
      schema: hoist(schema),
      ...(Object.hasOwn(example, name) && { example: example[name] }),
    };
  });
}

const WAITS = 'For a session: other operators must approve it first.';

function responsesOf(route: Route, example: RouteExample, hoist: Hoist): Operation['responses'] {
  const { csv, effect, isFile, mayWait, permission, response } = route;
  const status = isFile === true ? 200 : route.status;
  const refer = (name: string) => ({ $ref: `#/components/responses/${name}` });
  const isPrivate = permission.who !== 'anyone';
  const waiting = jsonContent(hoist(PendingApproval), undefined);
  const file = isFile === true ? 'A CSV file.' : 'A CSV file, with `format=csv`.';
  return {
    [status]: { description: 'Success.', content: jsonContent(hoist(response), example.response) },
    ...(mayWait === true && csv !== true && { 202: { description: WAITS, content: waiting } }),
    ...(csv === true && {
      202: {
        description: `${file}${mayWait === true ? ` ${WAITS}` : ''}`,
        content: {
          'text/csv': { schema: { type: 'string' } },
          ...(mayWait === true && waiting),
        },
      },
    }),
    400: refer('Invalid'),
    ...(isPrivate && { 401: refer('Unknown'), 403: refer('Forbidden') }),
    ...(isPrivate && { 404: refer('NotFound') }),
    ...(mayWait === true && isForKeys(permission) && { 409: refer('Pending') }),
    429: refer('TooMany'),
    500: refer('Fault'),
    503: refer('Unavailable'),
    ...(effect !== 'read' && { 504: refer('OutcomeUnknown') }),
  };
}

function bodyContent(route: Route, schema: Json, { body }: RouteExample): Contents {
  const form = { 'application/x-www-form-urlencoded': { schema } };
  return { ...jsonContent(schema, body), ...(route.isForm === true && form) };
}

function jsonContent(schema: Json, example: unknown): Contents {
  return { 'application/json': { schema, ...(example !== undefined && { example }) } };
}

function securityOf(permission: Permission): Json[] {
  const sessions = [{ session: [] }, { cookie: [] }];
  if (!isForKeys(permission)) return sessions;
  const key = { key: [], signature: [], expires: [] };
  const takesSessions = permission.who === 'anyone' || permission.sessions;
  return takesSessions ? [key, ...sessions] : [key];
}

function isForKeys(permission: Permission): permission is Exclude<Permission, { who: 'person' }> {
  const isPerson = permission.who === 'operator' && permission.personOnly === true;
  return permission.who !== 'person' && !isPerson;
}

function securitySchemes(): Json {
  const header = (name: string, description: string) => ({
    type: 'apiKey',
    in: 'header',
    name,
    description,
  });
  return {
    key: header('api-key', 'The key.'),
    signature: header(
      'api-signature',
      'HMAC-SHA256, in hex, of method, path with query, api-expires and body, with the secret.',
    ),
    expires: header('api-expires', 'Unix seconds; at most 300 ahead.'),
    session: { type: 'http', scheme: 'bearer', description: 'The token of a session.' },
    cookie: {
      type: 'apiKey',
      in: 'cookie',
      name: '__Host-rialto',
      description:
        "The session of the exchange's own pages: every request needs x-rialto-client: 1 and the " +
        "exchange's origin.",
    },
  };
}
