import type { BucketName } from './limiter.ts';

/** Requests per window of each bucket (docs/service/rate-limits.md#buckets). */
export const DEFAULT_LIMITS: Readonly<Record<BucketName, number>> = {
  default: 100,
  createTrackingRequest: 100,
  inferNumber: 200,
  refreshContainer: 10,
};

export const BUCKET_NAMES = Object.keys(DEFAULT_LIMITS) as readonly BucketName[];

export function perBucket<T>(make: (name: BucketName) => T): Record<BucketName, T> {
  return Object.fromEntries(BUCKET_NAMES.map(name => [name, make(name)])) as Record<BucketName, T>;
}

/** The bucket in which the service counts a request. `pathname` is the path below the base URL. */
export function bucketFor(method: string, pathname: string): BucketName {
  if (method === 'GET') return 'default';
  const path = pathname.replace(/^\/+|\/+$/g, '');
  switch (method.toUpperCase()) {
    case 'POST':
      if (path === 'tracking_requests') return 'createTrackingRequest';
      if (path === 'tracking_requests/infer_number') return 'inferNumber';
      return 'default';
    case 'PATCH':
      return /^containers\/[^/]+\/refresh$/.test(path) ? 'refreshContainer' : 'default';
    default:
      return 'default';
  }
}
