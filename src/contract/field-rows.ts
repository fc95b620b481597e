import { stringifyJson } from '#src/foundation/json.ts';
import { toWireSchema } from './operation.ts';

/** One field of a request or response, as a row of a table. */
export interface FieldRow {
  /** Full path of the field, such as `message.ios.sound` or `list[].user_id`. */
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
  readonly description: string;
  /** Other limits, such as `at most 128 characters`. */
  readonly limits: readonly string[];
}

interface SchemaNode {
  readonly type?: string;
  readonly format?: string;
  readonly nullable?: boolean;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly required?: readonly string[];
  readonly items?: SchemaNode;
  readonly anyOf?: readonly SchemaNode[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly maxBytes?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
}

/** Returns every field of a schema, each before the fields inside it. */
export function fieldRows(schema: unknown): FieldRow[] {
  return rowsOf(toWireSchema(schema) as SchemaNode, '');
}

function rowsOf(node: SchemaNode, prefix: string): FieldRow[] {
  if (node.items) return rowsOf(node.items, `${prefix}[].`);
  return Object.entries(node.properties ?? {}).flatMap(([name, field]) => {
    const inner = field.properties || field.items ? field : field.anyOf?.find((option) => option.properties);
    const row = {
      name: `${prefix}${name}`,
      type: typeOf(field),
      required: node.required?.includes(name) ?? false,
      description: field.description ?? '',
      limits: limitsOf(field),
    };
    return [row, ...(inner ? rowsOf(inner, `${prefix}${name}${inner.items ? '' : '.'}`) : [])];
  });
}

function typeOf(node: SchemaNode): string {
  if (node.anyOf) return node.anyOf.map((o) => ('const' in o ? stringifyJson(o.const) : typeOf(o))).join(' | ');
  if (node.items) return `array[${typeOf(node.items)}]`;
  const type = node.format === 'int64' ? 'int64' : node.type === 'integer' ? 'int32' : (node.type ?? 'string');
  const typeName = node.enum?.map((value) => stringifyJson(value)).join(' | ') ?? type;
  return node.nullable ? `${typeName} | null` : typeName;
}

function limitsOf(node: SchemaNode): string[] {
  return [
    // A limit in bytes implies the same limit in characters.
    node.maxLength !== undefined && node.maxLength !== node.maxBytes && `at most ${node.maxLength} characters`,
    node.maxBytes !== undefined && `at most ${node.maxBytes} bytes`,
    node.maxItems !== undefined && `${node.minItems ?? 0}–${node.maxItems} items`,
    node.minimum !== undefined && node.maximum !== undefined && `${node.minimum}–${node.maximum}`,
    node.default !== undefined && `default ${stringifyJson(node.default)}`,
  ].filter((limit) => limit !== false);
}
