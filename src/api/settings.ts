import { Type } from 'typebox';

export const apiSettings = Type.Object({
  CARILLON_API_HOST: Type.String({ default: '0.0.0.0', description: 'Address of the HTTP interface.' }),
  CARILLON_API_PORT: Type.Integer({
    default: 8080,
    minimum: 0,
    maximum: 65535,
    description: 'Port of the HTTP interface. 0 takes any free one.',
  }),
});
