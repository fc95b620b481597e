import { brand, type Page, pageOf } from './html.ts';

/** Returns the page of `/console` for an installation without a build of the console. */
export function consoleMissingPage(): Page {
  return pageOf({
    title: 'Carillon: console',
    body: `<main class="start">
<h1>${brand}</h1>
<p><span class="state unready">Not built</span> This installation does not contain the console.</p>
<p>Run <code>npm ci</code> and <code>npm run console</code> in the repository, then restart the API. The Docker image
contains the console.</p>
</main>`,
  });
}
