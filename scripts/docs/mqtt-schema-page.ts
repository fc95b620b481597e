import { notificationSchema, recallSchema, reportSchemas } from '#src/contract/mqtt.ts';
import { toDocumentSchema } from '#src/contract/openapi.ts';

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
