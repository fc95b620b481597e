import { apiMetrics } from '#src/api/metrics.ts';
import { processMetrics } from '#src/foundation/process-metrics.ts';
import { gatewayMetrics } from '#src/gateway/metrics.ts';
import { receiptMetrics } from '#src/receipts/metrics.ts';
import { signalsMetrics } from '#src/signals/metrics.ts';
import { storageMetrics } from '#src/storage/metrics.ts';
import { vendorMetrics } from '#src/vendors/metrics.ts';
import { workerMetrics } from '#src/worker/metrics.ts';

/** All metrics, in the order of the documentation. */
export const everyMetric = {
  process: processMetrics,
  storage: storageMetrics,
  signals: signalsMetrics,
  api: apiMetrics,
  worker: workerMetrics,
  vendors: vendorMetrics,
  gateway: gatewayMetrics,
  receipts: receiptMetrics,
} as const;
