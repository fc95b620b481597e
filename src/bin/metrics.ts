import { apiMetrics } from '#src/api/metrics.ts';
import { processMetrics } from '#src/foundation/process-metrics.ts';
import { gatewayMetrics } from '#src/gateway/metrics.ts';
import { receiptMetrics } from '#src/receipts/metrics.ts';
import { motionMetrics } from '#src/signals/metrics.ts';
import { truthMetrics } from '#src/storage/metrics.ts';
import { channelMetrics } from '#src/vendors/metrics.ts';
import { workerMetrics } from '#src/worker/metrics.ts';

/** Every metric there is, in the order of the documentation. */
export const everyMetric = {
  process: processMetrics,
  truth: truthMetrics,
  motion: motionMetrics,
  api: apiMetrics,
  worker: workerMetrics,
  channels: channelMetrics,
  gateway: gatewayMetrics,
  receipts: receiptMetrics,
} as const;
