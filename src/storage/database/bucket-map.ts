import { BUCKETS, type BucketRange } from '#src/domain/bucket.ts';
import { type HomeDb, inTransaction } from './database.ts';

/** A range of buckets and the name of the database that has them. */
export interface MappedRange extends BucketRange {
  readonly database: string;
}

/** The database of each bucket. The version increases with every change. */
export interface BucketMap {
  readonly version: number;
  /** Covers every bucket once, in order. */
  readonly ranges: readonly MappedRange[];
}

export async function readBucketMapVersion(db: HomeDb): Promise<number> {
  const [row] = await db.queryPrepared<{ version: number }>('select version from bucket_map_version', []);
  return row?.version ?? 0;
}

/** Reads the map with its version. Throws if a bucket has no database or more than one. */
export async function readBucketMap(db: HomeDb): Promise<BucketMap> {
  const rows = await db.query<MappedRange & { version: number }>(
    `select v.version, m.first_bucket as "firstBucket", m.last_bucket as "lastBucket", m.database
       from bucket_map_version v cross join bucket_map m
      order by m.first_bucket`,
  );
  const ranges = rows.map(({ firstBucket, lastBucket, database }) => ({ firstBucket, lastBucket, database }));
  checkRanges(ranges);
  return { version: rows[0]?.version ?? 0, ranges };
}

function checkRanges(ranges: readonly MappedRange[]): void {
  let next = 0;
  for (const { firstBucket, lastBucket } of ranges) {
    if (firstBucket !== next) throw new Error(`The bucket map has a gap or an overlap at bucket ${next}.`);
    next = lastBucket + 1;
  }
  if (next !== BUCKETS) throw new Error(`The bucket map has no database for bucket ${next}.`);
}

/** Distributes the buckets evenly over the databases. Does nothing if the map exists already. */
export function createBucketMap(db: HomeDb, databases: readonly string[]): Promise<void> {
  return inTransaction(db, async (tx) => {
    // The row lock makes a concurrent migration wait.
    const created = await tx.query('update bucket_map_version set version = 1 where version = 0 returning version');
    if (created.length === 0) return;
    const ranges = divideBuckets({ firstBucket: 0, lastBucket: BUCKETS - 1 }, databases.length);
    await tx.query(
      `insert into bucket_map (first_bucket, last_bucket, database)
       select * from unnest($1::smallint[], $2::smallint[], $3::text[])`,
      [ranges.map(({ firstBucket }) => firstBucket), ranges.map(({ lastBucket }) => lastBucket), databases],
    );
  });
}

/** Divides a range into parts whose sizes differ by at most one bucket. There are at most as many parts as buckets. */
export function divideBuckets({ firstBucket, lastBucket }: BucketRange, parts: number): BucketRange[] {
  const size = lastBucket - firstBucket + 1;
  const count = Math.min(parts, size);
  const startOf = (i: number) => firstBucket + Math.floor((i * size) / count);
  return Array.from({ length: count }, (_, i) => ({ firstBucket: startOf(i), lastBucket: startOf(i + 1) - 1 }));
}
