import { Type } from 'typebox';
import type { Operation } from './operation.ts';

export const deviceBind = {
  method: 'POST',
  path: '/device/bind',
  summary: "Bind a vendor's token to the device of this access token",
  body: Type.Object({
    provider: Type.Integer({ minimum: 1, maximum: 8, description: 'As in `GET /push/certificate`.' }),
    token: Type.String({ maxLength: 4_096, description: "The device's token at that vendor." }),
    environment: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 1, default: 1, description: '0 development, 1 production.' }),
    ),
  }),
  data: Type.Object({}),
} as const satisfies Operation;
