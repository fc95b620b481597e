import { createPublicKey, type KeyObject } from 'node:crypto';
import { type Environment, environments } from './answers.ts';
import type { P12Wish } from './client-authority.ts';
import { type Device, isTokenShaped } from './devices.ts';
import { type Fault, type FaultKind, faultKinds } from './faults.ts';
import type { ProviderKey } from './provider-token.ts';

/** The caller of the control API erred; the text is for them. */
export class BadCall extends Error {}

const TOPICS_MAX = 100;
const TOPIC_CHARACTERS_MAX = 255;
const FAULT_REQUESTS_MAX = 1_000_000;
const FAULT_MS_MAX = 24 * 60 * 60 * 1000;
const ARRIVED_SHOWN = 1000;
const ARRIVED_SHOWN_MAX = 20_000; // of 4 KiB each, an answer of 80 MB
const APPLE_ID = /^[A-Z0-9]{10}$/; // Apple's key and team ids

export function parseKey(body: unknown): ProviderKey {
  const { key_id, team_id, public_key_pem, topics, environments: allowed } = parseObject(body);
  return {
    keyId: parseAppleId(key_id, 'key_id'),
    teamId: parseAppleId(team_id, 'team_id'),
    publicKey: parsePublicKey(public_key_pem),
    topics: parseList(topics, 'topics', TOPICS_MAX).map(parseTopic),
    environments: parseList(allowed, 'environments', environments.length).map(parseEnvironment),
  };
}

/** `requests` bounds a fault by number, `duration_ms` by time; with both, whichever ends first. */
export function parseFault(body: unknown, nowMs: number): Fault {
  const { kind, environment, requests, duration_ms } = parseObject(body);
  if (requests === undefined && duration_ms === undefined) throw new BadCall('say requests, duration_ms or both');
  return {
    kind: parseFaultKind(kind),
    environment: environment === undefined ? undefined : parseEnvironment(environment),
    requestsLeft:
      requests === undefined ? Number.POSITIVE_INFINITY : parseCount(requests, 'requests', FAULT_REQUESTS_MAX),
    untilMs:
      duration_ms === undefined
        ? Number.POSITIVE_INFINITY
        : nowMs + parseCount(duration_ms, 'duration_ms', FAULT_MS_MAX),
  };
}

export function parseDevice(body: unknown): Device {
  const { token, environment, topic } = parseObject(body);
  if (typeof token !== 'string' || !isTokenShaped(token)) throw new BadCall('token must be hex or a fate name');
  return { token, environment: parseEnvironment(environment), topic: parseTopic(topic) };
}

/** How many of the newest arrivals to show. */
export function parseLimit(value: string | null): number {
  return value === null ? ARRIVED_SHOWN : parseCount(Number(value), 'limit', ARRIVED_SHOWN_MAX);
}

/** `expired=1` asks for one whose time is over. */
export function parseP12Wish(query: URLSearchParams, demoTopic: string): P12Wish {
  const environment = query.get('environment');
  const expired = query.get('expired') ?? '0';
  if (expired !== '0' && expired !== '1') throw new BadCall('expired must be 0 or 1');
  return {
    topic: parseTopic(query.get('topic') ?? demoTopic),
    environment: environment === null ? undefined : parseEnvironment(environment),
    isExpired: expired === '1',
  };
}

function parseObject(body: unknown): Record<string, unknown> {
  if (typeof body !== 'object' || body === null) throw new BadCall('the body must be a JSON object');
  return body as Record<string, unknown>;
}

function parseAppleId(value: unknown, name: string): string {
  if (typeof value !== 'string' || !APPLE_ID.test(value)) throw new BadCall(`${name} must be ten of A-Z and 0-9`);
  return value;
}

function parsePublicKey(pem: unknown): KeyObject {
  const key = typeof pem === 'string' ? readPublicKey(pem) : undefined;
  if (key?.asymmetricKeyDetails?.namedCurve !== 'prime256v1') {
    throw new BadCall('public_key_pem must be a PEM public key on P-256');
  }
  return key;
}

function readPublicKey(pem: string): KeyObject {
  try {
    return createPublicKey(pem);
  } catch (cause) {
    throw new BadCall('public_key_pem cannot be read', { cause });
  }
}

function parseList(value: unknown, name: string, max: number): unknown[] {
  if (!Array.isArray(value) || value.length === 0 || value.length > max) {
    throw new BadCall(`${name} must be a list of 1 to ${max}`);
  }
  return value;
}

function parseTopic(value: unknown): string {
  if (typeof value !== 'string' || value === '' || value.length > TOPIC_CHARACTERS_MAX) {
    throw new BadCall('a topic must be a bundle id');
  }
  return value;
}

function parseEnvironment(value: unknown): Environment {
  const environment = environments.find((each) => each === value);
  if (environment === undefined) throw new BadCall(`environment must be one of ${environments.join(', ')}`);
  return environment;
}

function parseFaultKind(value: unknown): FaultKind {
  const kind = faultKinds.find((each) => each === value);
  if (kind === undefined) throw new BadCall(`kind must be one of ${faultKinds.join(', ')}`);
  return kind;
}

function parseCount(value: unknown, name: string, max: number): number {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 1 || value > max) {
    throw new BadCall(`${name} must be a whole number from 1 to ${max}`);
  }
  return value;
}
