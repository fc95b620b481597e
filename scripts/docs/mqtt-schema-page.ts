import { notificationSchema, recallSchema, reportSchemas } from '#src/contract/mqtt.ts';
import { toWireSchema } from '#src/contract/operation.ts';

/** Returns `docs/mqtt.schema.json`: the message schema of each topic, for validators and code generators. */
export function mqttSchemaPage(): string {
  const document = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'MQTT messages between devices and Carillon, by topic',
    $defs: Object.fromEntries(
      Object.entries({ push: notificationSchema, recall: recallSchema, ...reportSchemas }).map(([topic, schema]) => [
        topic,
        toDocumentSchema(schema),
      ]),
    ),
  };
  return `${JSON.stringify(document, undefined, 2)}\n`;
}

/** Converts a schema to standard JSON Schema. The serializer's `nullable` keyword becomes the type `null`. */
function toDocumentSchema(schema: unknown): unknown {
  const translate = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(translate);
    if (typeof node !== 'object' || node === null) return node;
    const { nullable, maxBytes: _maxBytes, type, ...rest } = node as Record<string, unknown>;
    const translated = Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, translate(value)]));
    if (type === undefined) return translated;
    return { type: nullable ? [type, 'null'] : type, ...translated };
  };
  return translate(toWireSchema(schema));
}
