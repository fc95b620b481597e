/**
 * Returns a search term and its synonyms, so that readers find a page by a word that it does not use in its title. The
 * browser receives this function as source text, so the function must be self-contained.
 */
export function expandTerm(term: string): string[] {
  const synonyms: Readonly<Record<string, readonly string[]>> = {
    schedule: ['scheduled', 'expire'],
    delay: ['schedule'],
    cron: ['schedule'],
    定时: ['schedule'],
    webhook: ['callback', 'receipts'],
    webhooks: ['callback', 'receipts'],
    回调: ['callback', 'receipts'],
    docker: ['compose'],
    container: ['compose', 'docker'],
    kubernetes: ['compose', 'docker'],
    容器: ['compose', 'docker'],
    retry: ['retries', 'idempotency'],
    duplicate: ['idempotency'],
    重试: ['retries', 'idempotency'],
  };
  const word = term.toLowerCase();
  return [word, ...(synonyms[word] ?? [])];
}
