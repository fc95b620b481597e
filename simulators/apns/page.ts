import type { Arrival } from './arrivals.ts';

const SHOWN_MAX = 100; // a phone's screen, not an archive: GET /arrived has the rest
const REFRESH_SECONDS = 2;

/** What the phones would show, newest first. */
export function renderPage(arrivals: readonly Arrival[]): string {
  const shown = arrivals.slice(-SHOWN_MAX).reverse();
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="refresh" content="${REFRESH_SECONDS}">
<title>Pretend APNs</title>
<style>
  body { font: 15px system-ui, sans-serif; max-width: 26rem; margin: 2rem auto; background: #dde3ea; color: #222 }
  article { background: #fff; border-radius: 1rem; padding: .7rem 1rem; margin: .6rem 0; overflow-wrap: anywhere }
  h2 { font-size: 1em; margin: 0 } p { margin: .2rem 0; white-space: pre-line } small { color: #667 }
  b { float: right; background: #e33; color: #fff; border-radius: 1rem; padding: 0 .5rem }
</style>
<h1>Pretend APNs</h1>
<p>${arrivals.length} arrived, the newest ${shown.length} are shown.</p>
${shown.map(renderNotification).join('\n')}
</html>
`;
}

function renderNotification(arrival: Arrival): string {
  const { title, body, badge } = readAlert(arrival.payload.aps);
  const isSilent = title === '' && body === '';
  return `<article>
${badge === undefined ? '' : `<b>${badge}</b>`}
<h2>${escapeHtml(isSilent ? `(silent: ${arrival.push_type})` : title)}</h2>
<p>${escapeHtml(body)}</p>
<small>${escapeHtml(arrival.topic)} · ${arrival.environment} · ${escapeHtml(arrival.token)}
 · ${new Date(arrival.at).toISOString()}</small>
</article>`;
}

/** An alert is an object, or a bare string that is its body. */
function readAlert(aps: unknown): { title: string; body: string; badge: number | undefined } {
  const { alert, badge } = asRecord(aps);
  const { title, body } = typeof alert === 'string' ? { title: '', body: alert } : asRecord(alert);
  return {
    title: typeof title === 'string' ? title : '',
    body: typeof body === 'string' ? body : '',
    badge: typeof badge === 'number' ? badge : undefined,
  };
}

function asRecord(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
