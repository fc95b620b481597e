import { BUCKETS, type BucketRange } from '#src/domain/bucket.ts';
import type { Log } from '#src/foundation/log.ts';
import { SettingsError } from '#src/foundation/settings.ts';
import { type BucketMap, readBucketMap, readBucketMapVersion } from './bucket-map.ts';
import {
  closePool,
  type HomeDb,
  openPool,
  PooledDatabase,
  type ServerPool,
  type ShardDb,
  type Shards,
  type Storage,
} from './database.ts';

export interface StorageOptions {
  readonly settings: {
    readonly CARILLON_DATABASE_URL: string;
    readonly CARILLON_SHARD_DATABASES: string;
    readonly CARILLON_DATABASE_QUERY_SECONDS_MAX: number;
  };
  /** Maximum number of connections to each server. */
  readonly connections: number;
  readonly log: Log;
}

/** The name of the home database in the bucket map. */
const HOME_DATABASE = 'home';

/** Opens the home database, reads the bucket map, and opens the shard databases. */
export async function openStorage(options: StorageOptions): Promise<Storage> {
  const connections = new Connections(options);
  try {
    return createStorage(options, { map: await readBucketMap(connections.home) }, connections);
  } catch (error) {
    await connections.close();
    throw error;
  }
}

/** Opens all databases of a bucket map. */
export function openStorageWithMap(options: StorageOptions, map: BucketMap): Storage {
  return createStorage(options, { map });
}

/** Runs a function on the home database, which need not have a bucket map yet. */
export async function withHome<T>(options: StorageOptions, work: (home: HomeDb) => Promise<T>): Promise<T> {
  const connections = new Connections(options);
  try {
    return await work(connections.home);
  } finally {
    await connections.close();
  }
}

/** Runs a function on one shard database. */
export async function withShard(
  url: string,
  options: StorageOptions,
  work: (shard: ShardDb) => Promise<void>,
): Promise<void> {
  const connections = new Connections({ ...options, settings: { ...options.settings, CARILLON_DATABASE_URL: url } });
  try {
    await work(connections.shard(HOME_DATABASE));
  } finally {
    await connections.close();
  }
}

/**
 * Returns the URL of each shard database by its name. The home database is always one of them, because the bucket map
 * can name it.
 */
export function shardUrls(homeUrl: string, shardDatabases: string): ReadonlyMap<string, string> {
  const urls = new Map([[HOME_DATABASE, homeUrl]]);
  for (const entry of shardDatabases.split(/\s+/).filter(Boolean)) {
    const match = /^([a-z][a-z0-9_-]{0,62})=(.+)$/.exec(entry);
    if (!match)
      throw new SettingsError(['CARILLON_SHARD_DATABASES must have the form `east=postgres://… west=postgres://…`']);
    const [, name, url] = match as unknown as [string, string, string];
    if (urls.has(name))
      throw new SettingsError([`CARILLON_SHARD_DATABASES must not name the database \`${name}\` twice`]);
    urls.set(name, url);
  }
  return urls;
}

/** Returns the databases over which a new installation distributes its buckets: the named ones, or only home. */
export function initialDatabases(homeUrl: string, shardDatabases: string): string[] {
  const names = [...shardUrls(homeUrl, shardDatabases).keys()].filter((name) => name !== HOME_DATABASE);
  return names.length > 0 ? names : [HOME_DATABASE];
}

/** The current map, which storages with separate connections share. */
interface MapSource {
  map: BucketMap;
}

function createStorage(
  options: StorageOptions,
  source: MapSource,
  connections: Connections = new Connections(options),
): Storage {
  const shards = new MappedShards(connections, source);
  shards.check(source.map);
  return {
    home: connections.home,
    shards,
    refreshBucketMap: async () => {
      if ((await readBucketMapVersion(connections.home)) === source.map.version) return;
      const map = await readBucketMap(connections.home);
      shards.check(map);
      source.map = map;
      options.log.info('bucket-map-changed', { version: map.version });
    },
    openSeparately: (changes) =>
      createStorage({ ...options, ...changes, settings: { ...options.settings, ...changes.settings } }, source),
    close: () => connections.close(),
  };
}

/** Connection pools, one for each URL, and the databases that use them. */
class Connections {
  readonly home: HomeDb;
  readonly #options: StorageOptions;
  readonly #urls: ReadonlyMap<string, string>;
  readonly #pools = new Map<string, ServerPool>();
  readonly #shards = new Map<string, ShardDb>();

  constructor(options: StorageOptions) {
    const { CARILLON_DATABASE_URL: homeUrl, CARILLON_SHARD_DATABASES: shardDatabases } = options.settings;
    this.#options = options;
    this.#urls = shardUrls(homeUrl, shardDatabases);
    this.home = new PooledDatabase('home', this.#pool(homeUrl));
  }

  knows(name: string): boolean {
    return this.#urls.has(name);
  }

  /** Returns the database with this name. It is always the same object, because other code groups work by it. */
  shard(name: string): ShardDb {
    let db = this.#shards.get(name);
    if (!db) {
      db = new PooledDatabase('shards', this.#pool(this.#urls.get(name) as string));
      this.#shards.set(name, db);
    }
    return db;
  }

  nameOf(db: ShardDb): string {
    return [...this.#shards].find(([, other]) => other === db)?.[0] as string;
  }

  async close(): Promise<void> {
    await Promise.all([...this.#pools.values()].map((pool) => closePool(pool)));
  }

  #pool(url: string): ServerPool {
    let pool = this.#pools.get(url);
    if (!pool) {
      const { connections, settings, log } = this.#options;
      pool = openPool(url, connections, settings.CARILLON_DATABASE_QUERY_SECONDS_MAX * 1_000, log);
      this.#pools.set(url, pool);
    }
    return pool;
  }
}

/** The shard databases of the current map. Derived lists are computed once for each version of the map. */
class MappedShards implements Shards {
  readonly #connections: Connections;
  readonly #source: MapSource;
  #map: BucketMap | undefined;
  #all: readonly ShardDb[] = [];
  #byBucket: readonly ShardDb[] = [];

  constructor(connections: Connections, source: MapSource) {
    this.#connections = connections;
    this.#source = source;
  }

  get all(): readonly ShardDb[] {
    this.#update();
    return this.#all;
  }

  dbFor(bucket: number): ShardDb {
    this.#update();
    return this.#byBucket[bucket] as ShardDb;
  }

  rangesOf(db: ShardDb): readonly BucketRange[] {
    return this.#source.map.ranges.filter(({ database }) => this.#connections.shard(database) === db);
  }

  nameOf(db: ShardDb): string {
    return this.#connections.nameOf(db);
  }

  /** Throws if the settings have no URL for a database of the map. */
  check({ ranges }: BucketMap): void {
    const unknown = ranges.find(({ database }) => !this.#connections.knows(database));
    if (unknown)
      throw new SettingsError([
        `CARILLON_SHARD_DATABASES must name the database \`${unknown.database}\`, which has the buckets ${unknown.firstBucket} to ${unknown.lastBucket}`,
      ]);
  }

  #update(): void {
    const { map } = this.#source;
    if (map === this.#map) return;
    const byBucket = new Array<ShardDb>(BUCKETS);
    for (const { firstBucket, lastBucket, database } of map.ranges)
      byBucket.fill(this.#connections.shard(database), firstBucket, lastBucket + 1);
    this.#byBucket = byBucket;
    this.#all = [...new Set(byBucket)];
    this.#map = map;
  }
}
