import { brand, type Page, pageOf } from './html.ts';

/** Returns the page of `GET /`: the version, the state of this API process, and links. */
export function startPage(version: string, isReady: boolean): Page {
  const state = isReady
    ? '<span class="state ready">Ready</span> This API process accepts requests.'
    : '<span class="state unready">Unavailable</span> The home database does not respond. Check <code>/readyz</code> and the log.';
  return pageOf({
    title: `Carillon ${version}`,
    body: `<main class="start">
<h1>${brand}</h1>
<p>${state}</p>
<p>Version ${version}</p>
<ul>
<li><a href="/console/">Console</a>: send notifications and see their results</li>
<li><a href="/reference">API reference</a>: every operation, with examples</li>
<li><a href="/openapi.json">OpenAPI 3.1 document</a>: for code generators and API clients</li>
</ul>
<p>Health checks and metrics have a separate port (<code>CARILLON_HEALTH_PORT</code>): <code>/healthz</code>,
<code>/readyz</code> and <code>/metrics</code>.</p>
</main>`,
  });
}
