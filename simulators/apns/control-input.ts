import { createPublicKey, type KeyObject } from 'node:crypto';
import { BadControlRequest, parseList, parseOneOf, parseRecord } from '../kit/parse-input.ts';
import type { P12Options } from './client-authority.ts';
import { type Device, hasTokenFormat } from './devices.ts';
import type { ProviderKey } from './provider-token-authenticator.ts';
import { type Environment, environments } from './responses.ts';

const TOPICS_MAX = 100;
const TOPIC_CHARACTERS_MAX = 255;
const APPLE_ID = /^[A-Z0-9]{10}$/; // format of Apple's key and team ids

export function parseKey(body: unknown): ProviderKey {
  const { key_id, team_id, public_key_pem, topics, environments: allowedEnvironments } = parseRecord(body);
  return {
    keyId: parseAppleId(key_id, 'key_id'),
    teamId: parseAppleId(team_id, 'team_id'),
    publicKey: parsePublicKey(public_key_pem),
    topics: parseList(topics, 'topics', TOPICS_MAX).map(parseTopic),
    environments: parseList(allowedEnvironments, 'environments', environments.length).map(parseEnvironment),
  };
}

export function parseDevice(body: unknown): Device {
  const { token, environment, topic } = parseRecord(body);
  if (typeof token !== 'string' || !hasTokenFormat(token))
    throw new BadControlRequest('token must be hexadecimal or start with an outcome prefix such as live-');
  return { token, environment: parseEnvironment(environment), topic: parseTopic(topic) };
}

/** Reads the options of `GET /p12`. `expired=1` requests an expired certificate. */
export function parseP12Options(query: URLSearchParams, demoTopic: string): P12Options {
  const environment = query.get('environment');
  return {
    topic: parseTopic(query.get('topic') ?? demoTopic),
    environment: environment === null ? undefined : parseEnvironment(environment),
    isExpired: parseOneOf(query.get('expired') ?? '0', 'expired', ['0', '1']) === '1',
  };
}

export function parseEnvironment(value: unknown): Environment {
  return parseOneOf(value, 'environment', environments);
}

function parseAppleId(value: unknown, name: string): string {
  if (typeof value !== 'string' || !APPLE_ID.test(value))
    throw new BadControlRequest(`${name} must be 10 characters from A-Z and 0-9`);
  return value;
}

function parsePublicKey(pem: unknown): KeyObject {
  const key = typeof pem === 'string' ? readPublicKey(pem) : undefined;
  if (key?.asymmetricKeyDetails?.namedCurve !== 'prime256v1') {
    throw new BadControlRequest('public_key_pem must be a P-256 public key in PEM format');
  }
  return key;
}

function readPublicKey(pem: string): KeyObject {
  try {
    return createPublicKey(pem);
  } catch (cause) {
    throw new BadControlRequest('public_key_pem is not a valid public key in PEM format', { cause });
  }
}

function parseTopic(value: unknown): string {
  if (typeof value !== 'string' || value === '' || value.length > TOPIC_CHARACTERS_MAX) {
    throw new BadControlRequest('a topic must be a bundle id');
  }
  return value;
}
