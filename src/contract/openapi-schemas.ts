import assert from 'node:assert/strict';
import { namedSchemas } from './named-schemas.ts';
import { toWireSchema } from './operation.ts';

interface Node {
  readonly type?: string;
  readonly nullable?: boolean;
  readonly const?: string;
  readonly anyOf?: readonly Node[];
  readonly items?: Node;
  readonly properties?: Readonly<Record<string, Node>>;
}

/**
 * Collects the schemas of the OpenAPI document. Every object has a name and is referred to by `$ref`, because code
 * generators derive the names of their types from it.
 */
export class OpenApiSchemas {
  /** The schemas by name, for `components.schemas`. */
  readonly components: Record<string, unknown> = {};
  readonly #names = new Map(namedSchemas.map(([name, , schema]) => [JSON.stringify(schema), name]));

  /** Returns a contract schema as JSON Schema. An object that `namedSchemas` does not list gets the given name. */
  convert(schema: object, name: string): unknown {
    const node = schema as Node;
    const ownName = this.#names.get(JSON.stringify(schema));
    if (ownName !== undefined) return this.define(ownName, this.#convertNode(node, ownName));
    if (!node.properties) return this.#convertNode(node, name);
    if (Object.keys(node.properties).length === 0) return this.define('EmptyObject', this.#convertNode(node, name));
    return this.define(name, this.#convertNode(node, name));
  }

  /** Adds a schema under a name, and returns the reference to it. */
  define(name: string, schema: unknown): object {
    this.components[name] ??= schema;
    assert.deepEqual(schema, this.components[name], `two different schemas have the name ${name}`);
    return { $ref: `#/components/schemas/${name}` };
  }

  #convertNode({ anyOf, items, properties, ...rest }: Node, name: string): unknown {
    const leaf = convertLeaf(rest);
    if (anyOf?.every((option) => option.const !== undefined))
      return { type: 'string', enum: anyOf.map((option) => option.const), ...leaf };
    if (anyOf) return { ...leaf, anyOf: anyOf.map((option) => this.convert(option, `${name}Option`)) };
    if (items) return { ...leaf, items: this.convert(items, `${name}Item`) };
    if (!properties) return leaf;
    // Each field has its own default. Generators write invalid code for the default of an object.
    const { default: _default, ...object } = leaf as { default?: unknown };
    const fields = Object.entries(properties).map(([field, schema]) => [
      field,
      this.convert(schema, `${name}${pascalCase(field)}`),
    ]);
    return { ...object, properties: Object.fromEntries(fields) };
  }
}

/**
 * Converts a node without children. The serializer's `nullable` keyword becomes the type `null`. A single allowed value
 * becomes an enum, because not every generator supports `const`. So does a small range of integers.
 */
function convertLeaf(leaf: Node): object {
  const { nullable, maxBytes: _maxBytes, type, const: choice, ...rest } = toWireSchema(leaf) as Record<string, unknown>;
  return {
    ...(type !== undefined && { type: nullable ? [type, 'null'] : type }),
    ...(type === 'integer' && rest.format === undefined && { format: 'int32' }),
    ...(choice !== undefined && { enum: [choice] }),
    ...(type === 'integer' && enumOf(rest)),
    ...rest,
  };
}

/** A range with more integers than this is a limit. In a smaller range, each integer is a choice, such as a vendor. */
const CHOICES_MAX = 10;

function enumOf({ minimum, maximum }: { readonly minimum?: number; readonly maximum?: number }): object {
  const length = minimum === undefined || maximum === undefined ? 0 : maximum - minimum + 1;
  if (length === 0 || length > CHOICES_MAX) return {};
  return { enum: Array.from({ length }, (_, i) => (minimum as number) + i) };
}

const pascalCase = (field: string): string =>
  field.replaceAll(/(?:^|_)([a-z0-9])/g, (_match, letter: string) => letter.toUpperCase());
