import { Type } from 'typebox';

export const apiSettings = Type.Object({
  CARILLON_API_HOST: Type.String({ default: '0.0.0.0', description: 'Address of the HTTP interface.' }),
  CARILLON_API_PORT: Type.Integer({
    default: 8080,
    minimum: 0,
    maximum: 65535,
    description: 'Port of the HTTP interface. 0 takes any free one.',
  }),
  CARILLON_API_TRUSTED_PROXIES: Type.String({
    default: '',
    description:
      "Addresses or networks of proxies, separated by commas, whose `X-Forwarded-For` is believed. Empty: the connection's own address counts.",
  }),
  CARILLON_LOGIN_FAILURES_PER_NAME: Type.Integer({
    default: 5,
    minimum: 1,
    description: 'How many logins of one person may fail within the time below, by whichever of the three ways.',
  }),
  CARILLON_LOGIN_FAILURES_PER_ADDRESS: Type.Integer({
    default: 100,
    minimum: 1,
    description: 'How many logins from one address may fail within that time.',
  }),
  CARILLON_LOGIN_FAILURES_SECONDS: Type.Integer({
    default: 900,
    minimum: 1,
    maximum: 86_400,
    description: 'The time in which failed logins are counted.',
  }),
  CARILLON_REGISTRATIONS_PER_HOUR: Type.Integer({
    default: 20,
    minimum: 1,
    description: 'How many people may register themselves from one address within an hour, in each app that allows it.',
  }),
  CARILLON_SECRET_READS_PER_MINUTE: Type.Integer({
    default: 60,
    minimum: 1,
    description: "How often one admin token may read a provider's secrets within a minute.",
  }),
});
