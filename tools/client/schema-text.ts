// Converts protocol schemas to TypeScript types and to decimal shapes. A schema with a title
// becomes a declaration of that name.

export interface Schema {
  readonly title?: string;
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly string[];
  readonly anyOf?: readonly Schema[];
  readonly default?: unknown;
  readonly items?: Schema | readonly Schema[];
  readonly prefixItems?: readonly Schema[];
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
}

/** 1 is a decimal, 0 has none; `[]` is the shape of each element, `*` that of every other key. */
export type Shape = 0 | 1 | { readonly [key: string]: Shape };

/** Placeholder for the type of decimals, replaced by `withDecimals`. */
const DECIMAL = '@decimal';
const COLUMNS_MAX = 98;
/** Names that TypeScript or JavaScript already uses. */
const RENAMED: Readonly<Record<string, string>> = { Error: 'ErrorBody' };
const COIN_KEYS = /^\^\[a-z0-9\]\+_\(\?:([a-z|]+)\)\$$/;

/** Writes types and collects the declarations that they need. */
export class SchemaText {
  readonly #direction: 'sent' | 'answered';
  readonly #declared = new Map<string, string>();
  readonly #generic = new Set<string>();

  constructor(direction: 'sent' | 'answered') {
    this.#direction = direction;
  }

  /** Names of all declarations so far. */
  get declarations(): readonly string[] {
    return [...this.#declared]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([, text]) => withDecimals(text, 'D'));
  }

  get names(): readonly string[] {
    return [...this.#declared.keys()].sort();
  }

  typeOf(schema: Schema): string {
    const { title, type } = schema;
    if (title === undefined || type !== 'object') return this.#inlineOf(schema);
    const name = RENAMED[title] ?? title;
    this.declare(name, schema);
    return this.#generic.has(name) ? `${name}<${DECIMAL}>` : name;
  }

  /** Declares the schema under this name, ignoring its title. */
  declare(name: string, schema: Schema): void {
    if (this.#declared.has(name)) return;
    this.#declared.set(name, ''); // Ends the recursion if the schema contains itself.
    const text = this.#inlineOf(schema);
    const isGeneric = text.includes(DECIMAL);
    if (isGeneric) this.#generic.add(name);
    const head = `${comment(schema.description)}export`;
    const parameter = isGeneric ? '<D = string>' : '';
    const isPlain = schema.patternProperties === undefined && text.startsWith('{');
    this.#declared.set(
      name,
      isPlain
        ? `${head} interface ${name}${parameter} ${text}\n`
        : `${head} type ${name}${parameter} = ${text};\n`,
    );
  }

  #inlineOf(schema: Schema): string {
    const { anyOf, type } = schema;
    if (anyOf !== undefined) return unionOf(anyOf.map((one) => this.typeOf(one)));
    if (schema.enum !== undefined) return unionOf(schema.enum.map((word) => `'${word}'`));
    if (Array.isArray(type)) {
      return unionOf(type.map((one) => this.#inlineOf({ ...schema, type: one })));
    }
    switch (type) {
      case 'string':
      case 'boolean':
      case 'null':
        return type;
      case 'integer':
        return 'number';
      case 'number':
        return this.#direction === 'sent' ? 'number' : DECIMAL;
      case 'array':
        return this.#arrayOf(schema);
      case 'object':
        return this.#objectOf(schema);
      default:
        return 'unknown';
    }
  }

  #arrayOf({ items = {}, maxItems, minItems, prefixItems }: Schema): string {
    const columns = prefixItems ?? (isList(items) ? items : undefined);
    if (columns !== undefined) return `[${columns.map((one) => this.typeOf(one)).join(', ')}]`;
    if (isList(items)) return 'unknown[]';
    const item = this.typeOf(items);
    if (minItems === 2 && maxItems === 2) return `[${item}, ${item}]`;
    return /[|&]/.test(item) ? `(${item})[]` : `${item}[]`;
  }

  #objectOf(schema: Schema): string {
    const { additionalProperties, patternProperties, properties = {}, required = [] } = schema;
    const fields = Object.entries(properties).map(([key, field]) => {
      // A field with a default is always in responses, but optional in requests.
      const isRequired =
        required.includes(key) && (this.#direction === 'answered' || field.default === undefined);
      // The description of a list parameter is about its encoding, which the client does.
      const isListSent = this.#direction === 'sent' && field.type === 'array';
      const about = isListSent ? '' : comment(field.description);
      const name = /^\w+$/.test(key) ? key : `'${key}'`;
      return `${about}${name}${isRequired ? '' : '?'}: ${this.typeOf(field)};`;
    });
    for (const [pattern, field] of Object.entries(patternProperties ?? {})) {
      const [, words] = COIN_KEYS.exec(pattern) ?? [];
      if (words === undefined) throw new Error(`Unsupported pattern of keys: ${pattern}`);
      for (const word of words.split('|')) {
        fields.push(`[key: \`\${string}_${word}\`]: ${this.typeOf(field)};`);
      }
    }
    if (fields.length > 0) return `{\n${fields.join('\n')}\n}`;
    if (typeof additionalProperties === 'object') {
      return `Record<string, ${this.typeOf(additionalProperties)}>`;
    }
    return 'Record<string, unknown>';
  }
}

export function withDecimals(text: string, type: string): string {
  return text.replaceAll(DECIMAL, type);
}

/** Returns the decimal shape of the schema's values. */
export function shapeOf(schema: Schema): Shape {
  const { additionalProperties, anyOf, items, patternProperties, properties, type } = schema;
  if (anyOf !== undefined) return anyOf.map(shapeOf).reduce(merged, 0);
  const types = Array.isArray(type) ? type : [type];
  if (types.includes('number')) return 1;
  const shape: Record<string, Shape> = {};
  if (items !== undefined) {
    const inside = isList(items) ? items : [items];
    shape['[]'] = inside.map(shapeOf).reduce(merged, 0);
  }
  const others = [additionalProperties, ...Object.values(patternProperties ?? {})]
    .filter((one) => typeof one === 'object')
    .map(shapeOf)
    .reduce(merged, 0);
  if (others !== 0) shape['*'] = others;
  for (const [key, field] of Object.entries(properties ?? {})) {
    const inside = shapeOf(field);
    if (inside !== 0 || others !== 0) shape[key] = inside;
  }
  return Object.values(shape).some((inside) => inside !== 0) ? shape : 0;
}

/** Returns the shape of a union. */
export function merged(one: Shape, other: Shape): Shape {
  if (one === 0 || one === other) return other;
  if (other === 0) return one;
  if (one === 1 || other === 1) throw new Error('a decimal cannot be an object as well');
  const both: Record<string, Shape> = { ...one };
  for (const [key, shape] of Object.entries(other)) both[key] = merged(both[key] ?? 0, shape);
  return both;
}

function isList(items: Schema | readonly Schema[]): items is readonly Schema[] {
  return Array.isArray(items);
}

function unionOf(types: readonly string[]): string {
  return [...new Set(types)].join(' | ');
}

/** Returns JSDoc within the line width; an empty string without a text. */
export function comment(text: string | undefined): string {
  if (text === undefined) return '';
  const lines = [''];
  for (const word of text.split(/\s+/)) {
    const line = lines[lines.length - 1];
    if (line !== '' && line.length + word.length + 6 > COLUMNS_MAX) lines.push(word);
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
  }
  if (lines.length === 1) return `/** ${lines[0]} */\n`;
  return `/**\n${lines.map((line) => ` * ${line}\n`).join('')} */\n`;
}
